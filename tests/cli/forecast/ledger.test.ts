import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Forecast } from "../../../cli/forecast/account-forecast.ts";
import { type PricedItem, type Simulator, startSimulator } from "../../../simulator/index.ts";
import { runCli } from "../command.ts";
import { startMachine } from "../machine.ts";

vi.setConfig({ testTimeout: 120_000 });

const HOUR_MS = 3_600_000;
const BEGIN = new Date("2026-03-01T12:00:00Z");

/** The time at which a simulator's clock stands still until it is advanced. */
const still = { now: () => BEGIN };

async function forecastYear(simulator: Simulator, ...flags: string[]): Promise<Forecast> {
  const env = {
    PROXYRENTAL_BASE_URL: simulator.baseUrl,
    PROXYRENTAL_API_KEY: simulator.apiKey,
  };
  const { stdout, stderr } = await runCli(["forecast", "--days", "365", "--json", ...flags], {
    env,
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** Each charge as somebody foresees it: when the proxies would have ended, for which order, and how much. */
function foreseenCharges({ events }: Forecast): string[] {
  return events.flatMap(({ at, orderId, quantity, what }) =>
    what.kind === "renews"
      ? [[at, orderId, quantity, what.rentPeriodDays, what.price.toFixed(2)].join(" ")]
      : [],
  );
}

/** The simulator pays an hour before the end. What ends after the year is paid in it, and not foreseen. */
function chargesSince(simulator: Simulator, before: number, until: string): string[] {
  return simulator
    .ledger()
    .slice(before)
    .map(({ at, ...entry }) => ({ at: new Date(Date.parse(at) + HOUR_MS).toISOString(), ...entry }))
    .filter(({ at }) => at <= until)
    .map(({ at, orderNumber, quantity, rentPeriodDays, price }) =>
      [at, orderNumber, quantity, rentPeriodDays, price].join(" "),
    );
}

function renew(simulator: Simulator, orderIndex: number, days: number, some = Infinity): void {
  const ids = simulator.orders()[orderIndex]?.ipAddressIds ?? [];
  simulator.setAutoExtension(ids.slice(0, some), true, days);
}

test("the forecast of a year is the ledger of that year, to the cent", async () => {
  const { simulator } = await startMachine({ ...still, balance: 5000 });
  simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "USA",
    quantity: 50,
    rentPeriodDays: 30,
  });
  simulator.advance({ hours: 7 });
  simulator.placeForeignOrder({
    proxyType: "ISP",
    country: "USA",
    quantity: 3,
    rentPeriodDays: 60,
  });
  simulator.placeForeignOrder({
    proxyType: "IPv6",
    country: "NLD",
    quantity: 10,
    rentPeriodDays: 90,
  });
  simulator.advance({ days: 3 });
  simulator.placeForeignOrder({
    proxyType: "MOBILE",
    country: "DEU",
    quantity: 2,
    rentPeriodDays: 30,
  });
  renew(simulator, 0, 30);
  renew(simulator, 1, 180, 2);
  renew(simulator, 2, 90);
  const before = simulator.ledger().length;
  const forecast = await forecastYear(simulator);
  expect(simulator.ledger()).toHaveLength(before);
  simulator.advance({ days: 365 });
  expect(foreseenCharges(forecast)).toEqual(chargesSince(simulator, before, forecast.until));
  expect(foreseenCharges(forecast)).toHaveLength(12 + 2 + 4);
  expect(forecast.balance.atEnd.toFixed(2)).toBe(simulator.balance());
  const ends = forecast.events.filter(({ what }) => what.kind === "ends");
  expect(ends.map(({ orderId, quantity }) => [orderId, quantity])).toEqual([
    [simulator.orders()[3]?.orderId, 2],
    [simulator.orders()[1]?.orderId, 1],
  ]);
});

test("what the balance does not cover ends, as it does in the ledger", async () => {
  const { simulator } = await startMachine({ ...still, balance: 100 });
  simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "USA",
    quantity: 5,
    rentPeriodDays: 30,
  });
  simulator.advance({ days: 1 });
  simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "DEU",
    quantity: 10,
    rentPeriodDays: 30,
  });
  renew(simulator, 0, 30);
  renew(simulator, 1, 30);
  const before = simulator.ledger().length;
  const forecast = await forecastYear(simulator);
  simulator.advance({ days: 365 });
  expect(foreseenCharges(forecast)).toEqual(chargesSince(simulator, before, forecast.until));
  expect(forecast.balance.atEnd.toFixed(2)).toBe(simulator.balance());
  const [first] = forecast.events.filter(({ what }) => what.kind === "notCovered");
  expect(first?.at).toBe(forecast.shortAt);
  // With so much more, everything is paid, and nothing is left.
  const again = await startMachine({ ...still, balance: 100 });
  again.simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "USA",
    quantity: 5,
    rentPeriodDays: 30,
  });
  again.simulator.advance({ days: 1 });
  again.simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "DEU",
    quantity: 10,
    rentPeriodDays: 30,
  });
  renew(again.simulator, 0, 30);
  renew(again.simulator, 1, 30);
  again.simulator.setBalance((Number(again.simulator.balance()) + forecast.missing).toFixed(2));
  const paid = await forecastYear(again.simulator);
  expect([paid.shortAt, paid.missing, paid.balance.atEnd]).toEqual([undefined, 0, 0]);
});

const someItem = fc.record({
  proxyType: fc.constantFrom("IPv4", "ISP"),
  country: fc.constantFrom("USA", "DEU"),
  quantity: fc.integer({ min: 1, max: 60 }),
  rentPeriodDays: fc.constantFrom(30, 60, 90, 180),
}) satisfies fc.Arbitrary<PricedItem>;

/** An order, what is renewed of it, and how long until the next one. */
const someOrder = fc.record({
  item: someItem,
  renewals: fc.array(
    fc.record({ proxies: fc.integer({ min: 1, max: 60 }), days: fc.constantFrom(30, 60, 90, 180) }),
    { maxLength: 3 },
  ),
  minutes: fc.integer({ min: 1, max: 20_000 }),
});

const MONTH_MINUTES = 30 * 24 * 60;

/**
 * Whether no two proxies can end in the same minute: all periods are of whole months. Which of two is charged first, and so
 * whether the balance covers the other one, the document does not say.
 */
function endApart(orders: readonly { minutes: number }[]): boolean {
  let begunAt = 0;
  const begins = orders.map(({ minutes }) => {
    begunAt += minutes;
    return (begunAt - minutes) % MONTH_MINUTES;
  });
  return new Set(begins).size === begins.length;
}

test("any account: the charges of the ledger are those of the forecast", async () => {
  const settings = fc.record({
    orders: fc.array(someOrder, { minLength: 1, maxLength: 6 }),
    balance: fc.integer({ min: 0, max: 3000 }),
    idsChangeOnExtension: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(settings, async ({ orders, balance, idsChangeOnExtension }) => {
      fc.pre(endApart(orders));
      const simulator = await startSimulator({ ...still, balance: 100_000, idsChangeOnExtension });
      try {
        for (const [index, { item, renewals, minutes }] of orders.entries()) {
          simulator.placeForeignOrder(item);
          for (const { proxies, days } of renewals) renew(simulator, index, days, proxies);
          simulator.advance({ minutes });
        }
        simulator.setBalance(balance);
        const before = simulator.ledger().length;
        const forecast = await forecastYear(simulator);
        simulator.advance({ days: 365 });
        expect(foreseenCharges(forecast)).toEqual(chargesSince(simulator, before, forecast.until));
      } finally {
        await simulator.stop();
      }
    }),
    { numRuns: 40 },
  );
});
