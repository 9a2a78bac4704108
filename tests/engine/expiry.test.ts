import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, order, program } = writerFor("plugin");

const one = program(order("usa"));

const unavailable = { kind: "status", status: 500 } as const;

const refreshAlways = ["options:", "  refresh: always"];

it("finds at refresh that an order has ended, and shows the next purchase with its price", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now });
  const stack = await createStack({ ...on, simulator, program: one, machineClock: () => now });
  await stack.succeed("up");

  now = new Date("2026-03-31T11:59:59Z");
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2 });
  now = new Date("2026-03-31T12:00:01Z");
  const plan = await stack.plan("--refresh");
  expect(plan.op("usa")).toBe("create");
  expect(plan.inputs("usa").quote).toMatchObject({ effect: "buy", price: 7, quantity: 5 });
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  await stack.succeed("refresh");
  expect((await stack.state()).find("usa")).toBeUndefined();
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.00"));
  expect((await stack.state()).find("usa")?.outputs.orderNumber).toBe(
    simulator.orders()[1]?.orderNumber,
  );
});

it("keeps the state if the listing can't be read, and says how to go on without it", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: one,
    env: { PROXYRENTAL_TIMEOUT_SECONDS: "2" },
  });
  await stack.succeed("up");
  const before = await stack.state();
  simulator.addFault({ endpoint: "listProxies", phase: "before", fault: unavailable });

  for (const command of ["refresh", "up --refresh", "destroy --refresh"]) {
    const text = await stack.fail(command);
    expect(text).toContain("SERVICE_HTTP_STATUS");
    expect(text).toContain("--refresh=false");
    expect((await stack.state()).find("usa")).toEqual(before.find("usa"));
  }
  expect(await stack.succeed("up", "--refresh=false")).toContain("2 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("does not count an order missing before its end as gone, unless a person says so", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: one, projectLines: refreshAlways });
  await stack.succeed("up");
  const before = await stack.state();
  const [bought] = simulator.orders();
  simulator.removeProxies(bought?.ipAddressIds ?? []);

  for (const command of ["refresh", "preview", "up"]) {
    const text = await stack.fail(command);
    expect(text).toContain(
      `ORDER_MISSING: 5 of the 5 proxies of order ${bought?.orderNumber} are missing`,
    );
    expect(text).toContain(`list ${bought?.orderNumber} in PROXYRENTAL_GONE_ORDERS`);
    expect(text).toContain("run with --refresh=false");
  }
  expect((await stack.state()).find("usa")).toEqual(before.find("usa"));
  // This has no effect yet: when the engine refreshes, it gives the provider the configuration of the last up.
  await stack.succeed("config set", "proxyrental:goneOrders", String(bought?.orderNumber));
  expect(await stack.fail("preview")).toContain("run `pulumi up --refresh=false` once");
  expect(await stack.succeed("up", "--refresh=false")).toContain("2 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  const plan = await stack.plan();
  expect(plan.op("usa")).toBe("create");
  expect(plan.inputs("usa").quote).toMatchObject({ effect: "buy", price: 7 });
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.00"));
  expect(await stack.succeed("up")).toContain("2 unchanged");
});

it("counts an order as gone if the environment declares it, and destroys it without asking", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: one });
  await stack.succeed("up");
  const [bought] = simulator.orders();
  simulator.removeProxies(bought?.ipAddressIds ?? []);
  stack.setEnv({ PROXYRENTAL_GONE_ORDERS: `1, ${bought?.orderNumber}` });
  expect((await stack.plan("--refresh")).op("usa")).toBe("create");
  await stack.succeed("destroy");
  expect((await stack.state()).resources).toEqual([]);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("drops nothing if pages of the listing are cut short or fail", async () => {
  const simulator = await startForTest({ pageCap: 2 });
  const stack = await createStack({
    ...on,
    simulator,
    program: one,
    env: { PROXYRENTAL_TIMEOUT_SECONDS: "2" },
  });
  await stack.succeed("up");
  const before = await stack.state();
  // The first page comes, but the others do not.
  const calls = Array.from({ length: 50 }, (_, index) => index + 2);
  simulator.addFault({ endpoint: "listProxies", calls, phase: "before", fault: unavailable });
  await stack.fail("refresh");
  expect((await stack.state()).find("usa")).toEqual(before.find("usa"));
  // A page that is cut short is asked for again.
  simulator.clearFaults();
  const cut = { kind: "truncate" } as const;
  simulator.addFault({ endpoint: "listProxies", calls: [2], phase: "after", fault: cut });
  await stack.succeed("refresh", "--expect-no-changes");
  expect((await stack.state()).find("usa")?.outputs.ipAddressIds).toEqual(
    before.find("usa")?.outputs.ipAddressIds,
  );
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
