import { expect, test } from "vitest";
import { createClient } from "../../provider/client/index.ts";
import { Clock } from "../../simulator/clock.ts";
import type { TimeSpan } from "../../simulator/index.ts";
import { get, listIds, listPage, orders, post, StillClock, send } from "./caller.ts";
import { startForTest } from "./start.ts";

const begin = "2026-03-01T12:00:00.000Z";

test.each<[TimeSpan, string]>([
  [{}, begin],
  [{ days: 1 }, "2026-03-02T12:00:00.000Z"],
  [{ days: 365, hours: 2, minutes: 3, seconds: 4.5 }, "2027-03-01T14:03:04.500Z"],
  [{ days: 0.5, hours: undefined }, "2026-03-02T00:00:00.000Z"],
])("advanced by %j it shows %s", (span, expected) => {
  const clock = new Clock(new StillClock().now);
  clock.advance(span);
  expect(clock.now().toISOString()).toBe(expected);
});

test.each<[object, string]>([
  [{ days: -1 }, "advance.days must be a number of at least 0, not -1"],
  [{ hours: Number.NaN }, "advance.hours must be a number of at least 0, not NaN"],
  [{ days: 1, minutes: Number.POSITIVE_INFINITY }, "advance.minutes must be a number"],
  [{ seconds: "5" }, "advance.seconds must be a number"],
  [{ weeks: 1 }, 'advance takes days, hours, minutes, seconds, not "weeks"'],
  [{ days: 3_000_000 }, 'advance {"days":3000000} leads beyond the year 9999'],
])("%j is refused, and the clock has not moved", async (span, message) => {
  const simulator = await startForTest({ now: new StillClock().now });
  const advance = () => simulator.advance(span as TimeSpan);
  expect(advance).toThrow(TypeError);
  expect(advance).toThrow(message);
  expect(simulator.now().toISOString()).toBe(begin);
});

test("it runs on with its source, and stays ahead by the sum of its advances", async () => {
  const base = new StillClock();
  const simulator = await startForTest({ now: base.now });
  expect(simulator.now().toISOString()).toBe(begin);
  simulator.advance({ days: 2 });
  base.advanceDays(3);
  simulator.advance({ hours: 1 });
  expect(simulator.now().toISOString()).toBe("2026-03-06T13:00:00.000Z");

  const ofTheMachine = await startForTest();
  ofTheMachine.advance({ days: 100 });
  const aheadMs = ofTheMachine.now().getTime() - Date.now();
  expect(aheadMs).toBeLessThanOrEqual(100 * 86_400_000);
  expect(aheadMs).toBeGreaterThan(100 * 86_400_000 - 60_000);
});

test("the Date header shows it on every answer, also on spoiled ones, and a client reads it", async () => {
  const simulator = await startForTest({ now: new StillClock().now });
  simulator.advance({ days: 31, hours: 1 });
  const told = "Wed, 01 Apr 2026 13:00:00 GMT";
  const path = "/client/api/v1/{apiKey}/balance";
  const dateOf = async (key?: string) =>
    (await send(simulator, { method: "GET", path }, key)).headers.get("Date");
  expect([await dateOf(), await dateOf("nobody's")]).toEqual([told, told]);
  for (const fault of [
    { kind: "garbage" },
    { kind: "status", status: 503 },
    { kind: "drip", everyMs: 0 },
  ] as const) {
    const rule = simulator.addFault({ endpoint: "getBalance", phase: "after", fault });
    expect(await dateOf()).toBe(told);
    rule.remove();
  }
  const { baseUrl, apiKey } = simulator;
  const client = createClient({ baseUrl, apiKey });
  const { answeredAt } = await client.listProxies({ proxyType: "IPv4", page: 0, size: 10 });
  await client.close();
  expect(answeredAt?.toUTCString()).toBe(told);
});

test("orders begin, are delivered and end by it", async () => {
  const simulator = await startForTest({ now: new StillClock().now, deliveryDelayMs: 3_600_000 });
  simulator.advance({ days: 10 });
  await post(simulator, "order", orders.IPv4);
  expect(await listIds(simulator, "IPv4")).toEqual([]);
  simulator.advance({ hours: 1 });
  const { data } = await listPage(simulator, "IPv4");
  expect(data.content.map(({ dateStart, dateEnd }) => [dateStart, dateEnd])).toEqual(
    Array(5).fill(["2026-03-11T12:00:00.000+00:00", "2026-04-10T12:00:00.000+00:00"]),
  );
  simulator.advance({ days: 29, hours: 22, minutes: 59, seconds: 59 });
  expect(await listIds(simulator, "IPv4")).toHaveLength(5);
  simulator.advance({ seconds: 1 });
  expect(await listIds(simulator, "IPv4")).toEqual([]);
  expect(simulator.proxies().map(({ state }) => state)).toEqual(Array(5).fill("expired"));
});

test("a promo code begins and ends by it", async () => {
  const simulator = await startForTest({ now: () => new Date("2020-11-30T23:59:59.000Z") });
  const request = { ...orders.IPv4, promoCode: "WINTER25" };
  const statusNow = async () => (await post(simulator, "order", request)).promoCodeStatus;
  expect(await statusNow()).toBe("NO_VALID");
  simulator.advance({ seconds: 1 });
  expect(await statusNow()).toBe("VALID");
  simulator.advance({ days: 89, hours: 23, minutes: 59, seconds: 59 });
  expect(simulator.now().toISOString()).toBe("2021-02-28T23:59:59.000Z");
  expect(await statusNow()).toBe("VALID");
  simulator.advance({ seconds: 1 });
  expect(await statusNow()).toBe("NO_VALID");
  expect(simulator.ledger().map(({ price }) => price)).toEqual(["7.00", "5.25", "5.25", "7.00"]);
  expect((await get(simulator, "promoCode")).promoCodes).toHaveLength(5);
});

test("a jump carries out each postponed step at its own moment", async () => {
  const simulator = await startForTest({ now: new StillClock().now });
  const fault = { kind: "lateCommit", afterMs: 60_000 } as const;
  simulator.addFault({ endpoint: "createOrder", phase: "before", calls: [1], fault });
  await expect(post(simulator, "order", orders.IPv4)).rejects.toThrow();
  simulator.advance({ days: 20 });
  expect(simulator.ledger().map(({ at }) => at)).toEqual(["2026-03-01T12:01:00.000+00:00"]);
});
