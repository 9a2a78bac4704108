import fc from "fast-check";
import { expect, test } from "vitest";
import { proxyTypes } from "../../simulator/catalogue/catalogue.ts";
import { type PricedItem, type Simulator, startSimulator } from "../../simulator/index.ts";
import { listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

const item: PricedItem = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 };

const dayMs = 86_400_000;

function idsOf(simulator: Simulator, orderIndex: number): string[] {
  return simulator.orders()[orderIndex]?.ipAddressIds ?? [];
}

/** The time, the reason and the amount of each charge. */
function charges(simulator: Simulator): string[] {
  return simulator.ledger().map(({ at, origin, price }) => `${at.slice(0, 19)} ${origin} ${price}`);
}

type Step =
  | { do: "order"; item: PricedItem }
  | { do: "toggle"; order: number; proxies: number; on: boolean; days: number }
  | { do: "pay"; balance: number }
  | { do: "price"; factor: number }
  | { do: "wait"; days: number };

const periods = fc.constantFrom(30, 60, 90, 180, 360);

const someItem = fc.record({
  proxyType: fc.constantFrom(...proxyTypes),
  country: fc.constantFrom("USA", "DEU"),
  quantity: fc.integer({ min: 1, max: 6 }),
  rentPeriodDays: periods,
});

const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ do: fc.constant("order"), item: someItem }),
  fc.record({
    do: fc.constant("toggle"),
    order: fc.nat(2),
    proxies: fc.integer({ min: 1, max: 6 }),
    on: fc.constantFrom(true, true, false),
    days: periods,
  }),
  fc.record({ do: fc.constant("pay"), balance: fc.integer({ min: 0, max: 500 }) }),
  fc.record({ do: fc.constant("price"), factor: fc.constantFrom(0.5, 1, 3) }),
  fc.record({ do: fc.constant("wait"), days: fc.integer({ min: 1, max: 365 }) }),
);

const options = fc.record({
  idsChangeOnExtension: fc.boolean(),
  deliveryDelayMs: fc.constantFrom(0, 3_600_000, 40 * dayMs),
});

/** Plays the steps. It waits in one jump or day by day, and returns all results. */
async function play(
  steps: readonly Step[],
  given: { idsChangeOnExtension: boolean; deliveryDelayMs: number },
  dayByDay: boolean,
) {
  const simulator = await startSimulator({ ...given, balance: 500, now: new StillClock().now });
  const placed: boolean[] = [];
  for (const one of steps) {
    if (one.do === "order") {
      try {
        simulator.placeForeignOrder(one.item);
        placed.push(true);
      } catch {
        placed.push(false);
      }
    } else if (one.do === "toggle") {
      const ids = idsOf(simulator, one.order).slice(0, one.proxies);
      simulator.setAutoExtension(ids, one.on, one.days);
    } else if (one.do === "pay") simulator.setBalance(one.balance);
    else if (one.do === "price") simulator.setPriceFactor("IPv4", one.factor);
    else if (dayByDay) {
      for (let day = 0; day < one.days; day += 1) {
        simulator.advance({ days: 1 });
        // Due events happen when somebody looks at the account.
        simulator.balance();
      }
    } else simulator.advance({ days: one.days });
  }
  const came = {
    placed,
    ledger: simulator.ledger(),
    balance: simulator.balance(),
    proxies: simulator.proxies(),
    now: simulator.now(),
  };
  await simulator.stop();
  return came;
}

test("a jump gives the same as day after day: ledger, balance, ids, flags and ends", async () => {
  let renewals = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 16 }),
      options,
      async (steps, given) => {
        const whole: Step[] = [{ do: "order", item }, ...steps, { do: "wait", days: 365 }];
        const jumped = await play(whole, given, false);
        expect(jumped).toEqual(await play(whole, given, true));
        renewals += jumped.ledger.filter(({ origin }) => origin === "automatic").length;
      },
    ),
    { numRuns: 150 },
  );
  expect(renewals).toBeGreaterThan(100);
});

test("each renewal is charged at its own moment, an hour before the end that it moves", async () => {
  await fc.assert(
    fc.asyncProperty(
      someItem,
      periods,
      fc.integer({ min: 1, max: 800 }),
      async (wanted, each, days) => {
        const simulator = await startSimulator({ balance: 1_000_000, now: new StillClock().now });
        simulator.placeForeignOrder(wanted);
        simulator.setAutoExtension(idsOf(simulator, 0), true, each);
        const beginMs = simulator.now().getTime();
        simulator.advance({ days });
        const moments: string[] = [];
        let endDay = wanted.rentPeriodDays;
        for (; endDay <= days; endDay += each) {
          moments.push(new Date(beginMs + endDay * dayMs - 3_600_000).toISOString());
        }
        const automatic = simulator.ledger().slice(1);
        expect(automatic.map(({ at }) => new Date(at).toISOString())).toEqual(moments);
        expect(new Set(automatic.map(({ price }) => price)).size).toBeLessThan(2);
        for (const { dateEnd, state } of simulator.proxies()) {
          expect([Date.parse(dateEnd), state]).toEqual([beginMs + endDay * dayMs, "listed"]);
        }
        await simulator.stop();
      },
    ),
    { numRuns: 60 },
  );
});

test("if the balance is too low for all, the first due ones are renewed, in one jump too", async () => {
  for (const steps of [1, 365]) {
    const simulator = await startForTest({ now: new StillClock().now, balance: "36.30" });
    // The orders are not placed in the sequence in which they end.
    simulator.placeForeignOrder({ ...item, rentPeriodDays: 60 });
    simulator.advance({ hours: 1 });
    simulator.placeForeignOrder(item);
    simulator.placeForeignOrder({ ...item, quantity: 1 });
    simulator.setAutoExtension(idsOf(simulator, 2), true, 30);
    simulator.setAutoExtension(idsOf(simulator, 0), true, 30);
    simulator.setAutoExtension(idsOf(simulator, 1), true, 30);
    for (let count = 0; count < steps; count += 1) {
      simulator.advance({ days: 365 / steps });
      simulator.balance();
    }
    expect(charges(simulator)).toEqual([
      "2026-03-01T12:00:00 foreign 13.65",
      "2026-03-01T13:00:00 foreign 7.00",
      "2026-03-01T13:00:00 foreign 1.40",
      // If two are due at the same moment, the one that was placed first comes first.
      "2026-03-31T12:00:00 automatic 7.00",
      "2026-03-31T12:00:00 automatic 1.40",
      // The balance does not cover the larger ones any more. The small one goes on until nothing is left.
      "2026-04-30T12:00:00 automatic 1.40",
      "2026-05-30T12:00:00 automatic 1.40",
      "2026-06-29T12:00:00 automatic 1.40",
      "2026-07-29T12:00:00 automatic 1.40",
    ]);
    expect(simulator.balance()).toBe("0.25");
  }
});

test("if an extension fails for lack of money, the proxies end, and the flag stays", async () => {
  const simulator = await startForTest({ now: new StillClock().now, balance: "7.00" });
  await post(simulator, "order", orders.IPv4);
  simulator.setAutoExtension(idsOf(simulator, 0), true, 30);
  simulator.advance({ days: 29, hours: 23 });
  // The extension was refused an hour before the end. The proxy is still listed with its flag.
  const { data } = await listPage(simulator, "IPv4");
  expect(data.content.map(({ extendInfo }) => extendInfo)).toEqual(
    Array(5).fill({ autoExtend: true, extendDays: 30 }),
  );
  simulator.advance({ hours: 1 });
  expect(await listIds(simulator, "IPv4")).toEqual([]);
  const ended = simulator.proxies().map(({ state, autoExtend }) => [state, autoExtend]);
  expect(ended).toEqual(Array(5).fill(["expired", true]));
  // The money comes too late: an ended proxy stays ended.
  simulator.setBalance("100.00");
  simulator.advance({ days: 365 });
  expect(await listIds(simulator, "IPv4")).toEqual([]);
  expect(charges(simulator)).toEqual(["2026-03-01T12:00:00 api 7.00"]);
});

test("money that comes before the next moment keeps them alive", async () => {
  const simulator = await startForTest({ now: new StillClock().now, balance: "7.00" });
  await post(simulator, "order", orders.IPv4);
  simulator.setAutoExtension(idsOf(simulator, 0), true, 30);
  simulator.advance({ days: 29, hours: 23, minutes: 30 });
  expect(simulator.ledger()).toHaveLength(1);
  simulator.setBalance("7.00");
  simulator.advance({ minutes: 30 });
  expect(await listIds(simulator, "IPv4")).toHaveLength(5);
  expect(charges(simulator)).toEqual([
    "2026-03-01T12:00:00 api 7.00",
    "2026-03-31T12:00:00 automatic 7.00",
  ]);
  simulator.advance({ days: 30 });
  expect(await listIds(simulator, "IPv4")).toEqual([]);
  expect(simulator.ledger()).toHaveLength(2);
});

test("a flag switched off in time spends nothing more, and one switched on in the last hour still counts", async () => {
  const simulator = await startForTest({ now: new StillClock().now });
  simulator.placeForeignOrder(item);
  simulator.placeForeignOrder({ ...item, quantity: 1 });
  simulator.setAutoExtension(idsOf(simulator, 0), true, 30);
  simulator.advance({ days: 59, hours: 22, minutes: 59 });
  simulator.setAutoExtension(idsOf(simulator, 0), false);
  simulator.advance({ days: 365 });
  simulator.placeForeignOrder(item);
  simulator.advance({ days: 29, hours: 23, minutes: 59 });
  simulator.setAutoExtension(idsOf(simulator, 2), true, 360);
  simulator.advance({ days: 365 });
  expect(charges(simulator).map((charge) => charge.split(" ").slice(1).join(" "))).toEqual([
    "foreign 7.00",
    "foreign 1.40",
    "automatic 7.00",
    "foreign 7.00",
    "automatic 73.50",
    "automatic 73.50",
  ]);
});

test("a year of thousands of proxies is fast, however often their flags were switched", async () => {
  const simulator = await startForTest({ now: new StillClock().now, balance: 10_000_000 });
  simulator.placeForeignOrder({ ...item, quantity: 6000 });
  const ids = idsOf(simulator, 0);
  simulator.setAutoExtension(ids, true, 60);
  for (const id of ids) simulator.setAutoExtension([id], true, 30);
  simulator.advance({ days: 365 });
  expect(simulator.ledger()).toHaveLength(13);
});
