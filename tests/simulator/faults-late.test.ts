import { expect, test, vi } from "vitest";
import type { Fault } from "../../simulator/index.ts";
import { get, listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { sight, sightOrder, tally } from "./sighting.ts";
import { startForTest } from "./start.ts";

const late: Fault = { kind: "lateCommit", afterMs: 30_000 };
const lateOrder = { endpoint: "createOrder", calls: [1], phase: "before", fault: late } as const;

test("a late order is charged once, when the service's clock reaches its time", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now, deliveryDelayMs: 5000 });
  simulator.addFault(lateOrder);
  expect((await sightOrder(simulator)).code).toBe("ECONNRESET");
  clock.advance(29_999);
  expect((await get(simulator, "balance")).balance).toBe(1000);
  expect(simulator.orders()).toEqual([]);

  // The test looks an hour later. Due events have still happened at their own time.
  clock.advance(3_600_000);
  expect((await get(simulator, "balance")).balance).toBe(993);
  expect(simulator.ledger()).toMatchObject([
    { at: "2026-03-01T12:00:30.000+00:00", origin: "api", price: "7.00" },
  ]);
  const { data } = await listPage(simulator, "IPv4");
  expect(data.content.map((row) => row.dateStart)).toEqual(
    Array(5).fill("2026-03-01T12:00:30.000+00:00"),
  );
  clock.advanceDays(1);
  expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });
  expect(simulator.faultsHit()).toBe(1);
});

test("a late order above the balance is never placed, and the service goes on", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  simulator.addFault(lateOrder);
  await sightOrder(simulator);
  simulator.setBalance("6.99");
  clock.advance(30_000);
  expect((await get(simulator, "balance")).balance).toBe(6.99);
  expect(tally(simulator)).toEqual({ calls: 1, charges: [] });
});

test("a test's later call comes after a late order that was due before", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  simulator.addFault({ ...lateOrder, calls: [1, 2] });
  await sightOrder(simulator);
  clock.advance(30_000);
  simulator.setBalance("9.00");
  expect(simulator.balance()).toBe("9.00");
  await sightOrder(simulator);
  clock.advance(30_000);
  simulator.setPriceFactor("IPv4", "2");
  expect(tally(simulator)).toEqual({ calls: 2, charges: ["api 7.00", "api 7.00"] });
});

test("a late call with an error of its own is never carried out", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  simulator.addFault(lateOrder);
  const body = JSON.stringify({ ...orders.IPv4, goal: "" });
  expect((await sightOrder(simulator, { body })).code).toBe("ECONNRESET");
  clock.advanceDays(1);
  expect(tally(simulator)).toEqual({ calls: 1, charges: [] });
});

test("clearing the faults does not undo late calls", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  simulator.addFault(lateOrder);
  await sightOrder(simulator);
  simulator.clearFaults();
  clock.advance(30_000);
  expect(simulator.balance()).toBe("993.00");
});

test("the call of a late order can hang, or end in any other way", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  simulator.addFault(lateOrder);
  simulator.addFault({ ...lateOrder, phase: "after", fault: { kind: "hang" } });
  const leaving = new AbortController();
  const seeing = sightOrder(simulator, { signal: leaving.signal });
  await vi.waitFor(() => expect(simulator.faultsHit()).toBe(2));
  leaving.abort();
  await seeing;
  expect(simulator.ledger()).toEqual([]);
  clock.advance(30_000);
  expect(tally(simulator)).toEqual({ calls: 1, charges: ["api 7.00"] });

  simulator.clearFaults();
  simulator.addFault(lateOrder);
  simulator.addFault({ ...lateOrder, phase: "after", fault: { kind: "truncate" } });
  expect((await sightOrder(simulator)).text).toMatch(/^\{"success":false,/);
  clock.advance(30_000);
  expect(tally(simulator)).toEqual({ calls: 2, charges: ["api 7.00", "api 7.00"] });
});

test("a late extension moves the ends and charges at its time, and a late switch switches", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  await post(simulator, "order", orders.IPv4);
  const ipAddressIds = await listIds(simulator, "IPv4");
  for (const endpoint of ["extend", "setAutoExtension"] as const) {
    simulator.addFault({ endpoint, phase: "after", fault: late });
  }
  const body = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30, autoExtend: true };
  for (const name of ["extend", "extend/auto"]) {
    const { code } = await sight(`${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(code).toBe("ECONNRESET");
  }
  const [before] = simulator.proxies();
  expect([before?.dateEnd.slice(0, 10), before?.autoExtend]).toEqual(["2026-03-31", false]);
  expect(tally(simulator).charges).toEqual(["api 7.00"]);
  clock.advance(30_000);
  const [after] = simulator.proxies();
  expect([after?.dateEnd.slice(0, 10), after?.autoExtend]).toEqual(["2026-04-30", true]);
  expect(tally(simulator).charges).toEqual(["api 7.00", "api 7.00"]);
});
