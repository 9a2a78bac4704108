import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { order as dynamicOrder, program as dynamicProgram } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { autoExtension, on, order, program, urnOf } = writerFor("plugin");

const usaUrn = urnOf("usa");

const refusal =
  "this resource's order is paid and can't be cancelled, and replacing it would buy it again";

it("refuses --target-replace of a paid order if it refreshes", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");

  expect(await stack.fail("preview", "--refresh", "--target-replace", usaUrn)).toContain(refusal);
  expect(await stack.fail("up", "--refresh", "--target-replace", usaUrn)).toContain(refusal);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(await stack.succeed("up")).toContain("2 unchanged");
});

it("shows --target-replace as a priced replacement if it is allowed, and buys once", async () => {
  const simulator = await startForTest();
  const text = program(order("usa", { allowReplacement: true }));
  const stack = await createStack({ ...on, simulator, program: text });
  await stack.succeed("up");

  const plan = await stack.plan("--refresh", "--target-replace", usaUrn);
  expect(plan.inputs("usa").quote).toMatchObject({ effect: "replace", price: 7 });
  await stack.succeed("up", "--refresh", "--target-replace", usaUrn);
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.00"));
  expect((await stack.state()).find("usa")?.inputs.requestId).toBe(plan.inputs("usa").requestId);
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
});

it("creates a replaced IpAutoExtend before it deletes the former one, and all stays on", async () => {
  const simulator = await startForTest();
  const text = program(order("usa"), autoExtension("keep", "usa", { autoExtend: true }));
  const stack = await createStack({ ...on, simulator, program: text });
  await stack.succeed("up");
  const isOn = () => simulator.proxies().map(({ autoExtend }) => autoExtend);
  expect(new Set(isOn())).toEqual(new Set([true]));

  await stack.succeed(
    "up",
    "--target-replace",
    urnOf("keep").replace("ProxyOrder", "IpAutoExtend"),
  );
  expect(new Set(isOn())).toEqual(new Set([true]));
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
});

it("206: leaves a replaced IpAutoExtend on where the former one is deleted by the next run", async () => {
  const simulator = await startForTest();
  const text = program(order("usa"), autoExtension("keep", "usa", { autoExtend: true }));
  const stack = await createStack({ ...on, simulator, program: text });
  await stack.succeed("up");
  const isOn = () => simulator.proxies().map(({ autoExtend }) => autoExtend);
  // A person has switched one off, so there is something to do, and time to interrupt it.
  const [first] = simulator.proxies();
  if (first) simulator.setAutoExtension([first.ipAddressId], false);
  const reached = Promise.withResolvers<void>();
  const rule = { endpoint: "setAutoExtension", phase: "after" } as const;
  simulator.addFault({ ...rule, fault: { kind: "act", run: () => reached.resolve() } });
  simulator.addFault({ ...rule, fault: { kind: "delay", ms: 1_500 } });
  const keepUrn = urnOf("keep").replace("ProxyOrder", "IpAutoExtend");
  const up = stack.start("up", "--target-replace", keepUrn);
  await reached.promise;
  up.interrupt();
  await up.ended;
  expect(new Set(isOn())).toEqual(new Set([true]));

  expect(await stack.succeed("up")).toContain("keep deleted original");
  expect(new Set(isOn())).toEqual(new Set([true]));
});

it("refuses to replace a tainted paid order if it refreshes", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  await stack.succeed("state taint", usaUrn);

  expect(await stack.fail("preview", "--refresh")).toContain(refusal);
  expect(await stack.fail("up", "--refresh")).toContain(refusal);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.succeed("state untaint", usaUrn);
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
});

it("refuses a replacementTrigger on a paid order if it refreshes", async () => {
  const simulator = await startForTest();
  // A YAML program can't declare a `replacementTrigger`.
  const write = (trigger: string) =>
    dynamicProgram(dynamicOrder("usa", {}, `{ replacementTrigger: ${JSON.stringify(trigger)} }`));
  const stack = await createStack({ simulator, program: write("one") });
  await stack.succeed("up");
  await stack.rewrite(write("two"));

  expect(await stack.fail("preview", "--refresh")).toContain(refusal);
  expect(await stack.fail("up", "--refresh")).toContain(refusal);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("100: follows a rename with an alias, spends nothing, and buys for a new resource of the former name", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  const before = (await stack.state()).find("usa");

  await stack.rewrite(program(order("america", {}, '{ aliases: [{ name: "usa" }] }')));
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2 });
  expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
  const after = await stack.state();
  expect(after.find("usa")).toBeUndefined();
  expect(after.find("america")?.outputs.orderNumber).toBe(before?.outputs.orderNumber);
  expect(await stack.fail("up", "--refresh", "--target-replace", urnOf("america"))).toContain(
    refusal,
  );
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  // The state has the new name by now, so the alias is not needed any more.
  await stack.rewrite(program(order("america"), order("usa", { country: "DEU" })));
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2, create: 1 });
  await stack.succeed("up", "--refresh");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.35"));
  await stack.rewrite(program(order("usa", { country: "DEU" })));
  expect(await stack.succeed("up")).toContain("1 deleted");
});

it("shows a rename without an alias as another purchase, and lets the old order go", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  await stack.rewrite(program(order("america")));
  const plan = await stack.plan();
  expect([plan.op("america"), plan.op("usa")]).toEqual(["create", "delete"]);
  expect(plan.inputs("america").quote).toMatchObject({ effect: "buy", price: 7 });
  expect(plan.messages).toContain("buys 5 IPv4 proxies in USA for 30 days for 7.00 USD");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
