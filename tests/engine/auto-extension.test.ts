import { expect, it } from "vitest";
import { freezeAt, killUp } from "../faults/engine/moments.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, autoExtension, order, program } = writerFor("plugin");

const kept = program(order("usa"), autoExtension("keep", "usa"));

it("shows a flag that somebody switched off, and puts it right with one call", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: kept });
  await stack.succeed("up");
  const ids = simulator.proxies().map((proxy) => proxy.ipAddressId);
  expect(simulator.requestCounts().setAutoExtension).toBe(1);

  simulator.setAutoExtension(ids.slice(0, 1), false);
  const plan = await stack.plan("--refresh");
  expect(plan.op("keep")).toBe("update");
  expect(plan.changes).toEqual({ update: 1, same: 2 });
  expect(simulator.requestCounts().setAutoExtension).toBe(1);

  expect(await stack.succeed("up", "--refresh")).toContain("1 updated");
  expect(simulator.requestCounts().setAutoExtension).toBe(2);
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect(simulator.requestCounts().setAutoExtension).toBe(2);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("finds the drift at refresh, and the next up puts it right", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: kept });
  await stack.succeed("up");
  const ids = simulator.proxies().map((proxy) => proxy.ipAddressId);
  simulator.setAutoExtension(ids, true, 60);
  await stack.succeed("refresh");
  expect((await stack.state()).find("keep")?.outputs.rentPeriodDays).toBe(60);
  expect((await stack.plan()).op("keep")).toBe("update");
  await stack.succeed("up");
  expect(simulator.proxies().map((proxy) => proxy.extendDays)).toEqual(ids.map(() => 30));
  expect(simulator.requestCounts().setAutoExtension).toBe(2);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("shows drift at one refresh only, and a program that follows it as one update", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: kept });
  await stack.succeed("up");
  const ids = simulator.proxies().map((proxy) => proxy.ipAddressId);
  simulator.setAutoExtension(ids, false);
  expect(await stack.succeed("refresh")).toContain("1 updated");
  expect(await stack.succeed("refresh")).toContain("3 unchanged");
  await stack.rewrite(program(order("usa"), autoExtension("keep", "usa", { autoExtend: false })));
  expect(await stack.succeed("up", "--refresh")).toContain("1 updated");
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");

  simulator.setAutoExtension(ids.slice(1, 2), true, 30);
  expect(await stack.succeed("up", "--refresh")).toContain("1 updated");
  expect(simulator.proxies().some((proxy) => proxy.autoExtend)).toBe(false);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("shows the cost of each extension in the plan, and an edit of the days is one call", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: kept });
  await stack.succeed("up");
  await stack.rewrite(program(order("usa"), autoExtension("keep", "usa", { rentPeriodDays: 60 })));
  const plan = await stack.plan();
  expect(plan.op("keep")).toBe("update");
  expect(plan.inputs("keep").quote).toEqual({
    ...{ effect: "autoExtend", pricePerCycle: 13.65, currency: "USD" },
  });
  await stack.succeed("up");
  expect(simulator.requestCounts()).toMatchObject({ setAutoExtension: 2, extend: 0 });
  expect(simulator.proxies().every((proxy) => proxy.extendDays === 60)).toBe(true);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("keeps the paid order when switching fails, and the next up only switches", async () => {
  const simulator = await startForTest();
  simulator.addFault({ endpoint: "setAutoExtension", phase: "before", fault: { kind: "garbage" } });
  const stack = await createStack({
    ...on,
    simulator,
    program: kept,
    env: { PROXYRENTAL_TIMEOUT_SECONDS: "2" },
  });
  await stack.fail("up");
  expect((await stack.state()).find("usa")?.outputs.status).toBe("active");
  simulator.clearFaults();
  await stack.succeed("up");
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("keeps a flag after an unconfirmed switch, and switches it off with the resource", async () => {
  const simulator = await startForTest();
  // The listing fails as soon as the flags are switched.
  const run = () => {
    const fault = { kind: "status", status: 500 } as const;
    simulator.addFault({ endpoint: "listProxies", phase: "before", fault });
  };
  const fault = { kind: "act", run } as const;
  simulator.addFault({ endpoint: "setAutoExtension", calls: [1], phase: "before", fault });
  const stack = await createStack({ ...on, simulator, program: kept });
  const text = await stack.fail("up");
  expect(text).toContain("AUTO_EXTENSION_FAILED: the flags of 5 proxies may have been switched");
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
  expect((await stack.state()).find("keep")).toBeDefined();

  simulator.clearFaults();
  await stack.rewrite(program(order("usa")));
  expect(await stack.succeed("up")).toContain("1 deleted");
  expect(simulator.proxies().some((proxy) => proxy.autoExtend)).toBe(false);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("names what a killed run has switched on, if the program was taken back", async () => {
  const simulator = await startForTest();
  // Only a plugin that the engine has started is waited for at the end of the run.
  const stack = await createStack({ ...on, simulator, program: kept, spawned: true });
  const reached = freezeAt(simulator, { endpoint: "setAutoExtension", phase: "after" });
  await killUp(stack, () => reached);
  simulator.clearFaults();
  await stack.rewrite(program(order("usa")));
  expect(await stack.succeed("up")).toContain(
    "switched automatic extension on, and no state has that: 5 IPv4 proxies",
  );
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
