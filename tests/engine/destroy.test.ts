import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, autoExtension, order, program } = writerFor("plugin");

it("switches auto-extension off, says until when the proxies are paid, and spends nothing", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa"), autoExtension("keep", "usa")),
  });
  await stack.succeed("up");
  const usa = (await stack.state()).find("usa");
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);

  const text = await stack.succeed("destroy");
  expect(text).toContain(
    `the service has no cancellation: order ${usa?.id} stays paid until ${usa?.outputs.expiresAt}`,
  );
  expect(simulator.proxies().some((proxy) => proxy.autoExtend)).toBe(false);
  expect(simulator.requestCounts().setAutoExtension).toBe(2);
  expect((await stack.state()).resources).toEqual([]);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("switches off what somebody else switched on", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  simulator.setAutoExtension(
    simulator.proxies().map((proxy) => proxy.ipAddressId),
    true,
  );
  expect(await stack.succeed("destroy")).toContain("auto-extension is now off");
  expect(simulator.proxies().some((proxy) => proxy.autoExtend)).toBe(false);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("keeps an order in the state until its auto-extension is off, or the user abandons it", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa")),
    env: { PROXYRENTAL_TIMEOUT_SECONDS: "2" },
  });
  await stack.succeed("up");
  const [bought] = simulator.orders();
  simulator.setAutoExtension(bought?.ipAddressIds ?? [], true);
  simulator.addFault({
    endpoint: "setAutoExtension",
    phase: "before",
    fault: { kind: "status", status: 500 },
  });

  const text = await stack.fail("destroy");
  expect(text).toContain(`AUTO_EXTENSION_FAILED: order ${bought?.orderNumber} stays in the state`);
  expect(text).toContain(bought?.ipAddressIds.join(", "));
  expect(text).toContain("set PROXYRENTAL_ON_DELETE_FAILURE=abandon");
  expect((await stack.state()).find("usa")?.id).toBe(bought?.orderNumber);

  stack.setEnv({ PROXYRENTAL_ON_DELETE_FAILURE: "abandon" });
  expect(await stack.succeed("destroy")).toContain(
    `order ${bought?.orderNumber} is abandoned although its auto-extension may still be on`,
  );
  expect((await stack.state()).resources).toEqual([]);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("uses a changed configuration only after the next up, because destroy runs with the last up's", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa")),
    env: { PROXYRENTAL_TIMEOUT_SECONDS: "2" },
  });
  await stack.succeed("up");
  simulator.setAutoExtension(simulator.orders()[0]?.ipAddressIds ?? [], true);
  simulator.addFault({
    endpoint: "setAutoExtension",
    phase: "before",
    fault: { kind: "status", status: 500 },
  });
  await stack.succeed("config set", "proxyrental:onDeleteFailure", "abandon");

  expect(await stack.fail("destroy")).toContain("set after the last `pulumi up`");
  await stack.succeed("up");
  expect(await stack.succeed("destroy")).toContain("is abandoned");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("leaves a protected order as it is", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa", {}, "{ protect: true }"), autoExtension("keep", "usa")),
  });
  await stack.succeed("up");
  expect(await stack.fail("destroy")).toContain("protected");
  expect((await stack.state()).find("usa")?.outputs.status).toBe("active");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("leaves the service alone with retainOnDelete: auto-extension stays on", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa", {}, "{ retainOnDelete: true }")),
  });
  await stack.succeed("up");
  simulator.setAutoExtension(simulator.orders()[0]?.ipAddressIds ?? [], true);
  await stack.succeed("destroy");
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
  expect(simulator.requestCounts().setAutoExtension).toBe(0);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
