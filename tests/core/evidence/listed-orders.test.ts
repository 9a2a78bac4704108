import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeOrders } from "../../../provider/core/evidence/judge-orders.ts";
import {
  groupOrders,
  type ListedOrder,
  matchOrders,
} from "../../../provider/core/evidence/listed-orders.ts";
import type { Window } from "../../../provider/core/evidence/weigh-balance.ts";
import { afterSending, listedOrder, orderIntent } from "../records/intents.ts";
import { record } from "../support/fake-service.ts";

const nobodys: ReadonlySet<string> = new Set();

describe("a listed order may be a purchase", () => {
  const fits: [string, Partial<ListedOrder>, "whole" | "partial" | "neither"][] = [
    ["that has as many proxies in the same country", {}, "whole"],
    ["with fewer proxies so far", { count: 4 }, "partial"],
    ["with more proxies", { count: 6 }, "neither"],
    ["in another country", { country: "DEU" }, "neither"],
    ["without a beginning", { startedAt: undefined }, "whole"],
    ["without an end", { endsAt: undefined }, "whole"],
    [
      "that began earlier by the difference of two servers' clocks",
      { startedAt: afterSending(-5) },
      "whole",
    ],
    ["that began before it was sent", { startedAt: afterSending(-6) }, "neither"],
    ["that began when the wait for its answer ended", { startedAt: afterSending(95) }, "whole"],
    ["that began after the wait for its answer ended", { startedAt: afterSending(96) }, "neither"],
  ];

  test.each(fits)("%s: %j", (_what, more, expected) => {
    const order = listedOrder("8000", more);
    const { whole, partial } = matchOrders(orderIntent(), [order], nobodys);
    expect({ whole, partial }).toEqual({
      whole: expected === "whole" ? [order] : [],
      partial: expected === "partial" ? [order] : [],
    });
  });

  test("but not if it was listed before", () => {
    const intent = orderIntent({ ordersBefore: ["8000"] });
    expect(matchOrders(intent, [listedOrder("8000")], nobodys).whole).toEqual([]);
  });

  test("but not if it certainly belongs to somebody else", () => {
    const claimed = new Set(["8000"]);
    expect(matchOrders(orderIntent(), [listedOrder("8000")], claimed).whole).toEqual([]);
  });
});

test("the records of a listing are grouped by order, from its first beginning to its last end if all ends are known", () => {
  const records = [
    record("8000", 1, { dateStart: undefined, dateEnd: "2026-03-31T00:00:00.000+00:00" }),
    record("8001", 2, { country: "DEU", dateStart: undefined, dateEnd: undefined }),
    record("8000", 3, { dateStart: "2026-03-01T02:00:00.000+02:00", dateEnd: undefined }),
    record("8000", 4, {
      dateStart: "2026-03-01T00:30:00.000+00:00",
      dateEnd: "2026-04-01T00:00:00.000+00:00",
    }),
  ];
  expect(groupOrders(records)).toEqual([
    {
      orderId: "8000",
      country: "USA",
      count: 3,
      startedAt: new Date("2026-03-01T00:00:00Z"),
      endsAt: undefined,
    },
    { orderId: "8001", country: "DEU", count: 1, startedAt: undefined, endsAt: undefined },
  ]);
  expect(groupOrders(records.slice(3).concat(records.slice(0, 1)))).toMatchObject([
    { count: 2, endsAt: new Date("2026-04-01T00:00:00Z") },
  ]);
});

const anyOrder = fc.record({
  orderId: fc.integer({ min: 8000, max: 8006 }).map(String),
  country: fc.constantFrom("USA", "USA", "USA", "DEU"),
  count: fc.constantFrom(5, 5, 5, 3, 6),
  startedAt: fc.option(fc.integer({ min: -30, max: 120 }).map(afterSending), { nil: undefined }),
  endsAt: fc.constant(undefined),
});

const anyIds = fc.uniqueArray(fc.integer({ min: 8000, max: 8006 }).map(String), { maxLength: 3 });

const anySending = fc.record({
  seconds: fc.integer({ min: 0, max: 40 }),
  ordersBefore: anyIds,
});

const anyIntents = fc
  .uniqueArray(anySending, { selector: ({ seconds }) => seconds, minLength: 1, maxLength: 3 })
  .map((sent) =>
    sent.map(({ seconds, ordersBefore }, index) =>
      orderIntent({ id: `x-${index}`, ordersBefore, sentAt: afterSending(seconds).toISOString() }),
    ),
  );

const anyWorld = fc.record({
  intents: anyIntents,
  listed: fc.option(
    fc.uniqueArray(anyOrder, { selector: (order) => order.orderId, maxLength: 4 }),
    {
      nil: undefined,
      freq: 10,
    },
  ),
  claimed: anyIds,
  balance: fc.option(fc.constantFrom(100, 93, 86, 79, 97, 120), { nil: undefined, freq: 10 }),
  explainedSpend: fc.constantFrom(0, 0, 7),
});

type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

function judge({ intents, listed, claimed, balance, explainedSpend }: World, window: Window) {
  const [first, ...rest] = intents;
  if (first === undefined) throw new Error("there is at least one");
  return judgeOrders(
    [first, ...rest],
    { listed, balance, explainedSpend, hadTraces: false },
    new Set(claimed),
    window,
  );
}

const windows: Window[] = ["open", "settled", "over"];
const someWindow = fc.constantFrom(...windows);
const often = { numRuns: 2_000 };

describe("whatever the account shows", () => {
  test("no purchase gets an order that was there before, is claimed, or is in another country", () => {
    fc.assert(
      fc.property(anyWorld, someWindow, (world, window) => {
        const verdict = judge(world, window);
        if (verdict.kind !== "placed") return;
        const inTurn = world.intents.toSorted(
          (a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt),
        );
        for (const [index, orderId] of verdict.orderIds.entries()) {
          const order = world.listed?.find((one) => one.orderId === orderId);
          expect(order).toMatchObject({ country: "USA" });
          expect(order?.count).toBeLessThanOrEqual(5);
          expect(world.claimed).not.toContain(orderId);
          expect(inTurn[index]?.purchase.ordersBefore).not.toContain(orderId);
        }
      }),
      often,
    );
  });

  test("each purchase gets its own order, and no order is left over", () => {
    fc.assert(
      fc.property(anyWorld, someWindow, (world, window) => {
        const verdict = judge(world, window);
        if (verdict.kind !== "placed") return;
        expect(new Set(verdict.orderIds).size).toBe(world.intents.length);
        expect(verdict.orderIds).toHaveLength(world.intents.length);
      }),
      often,
    );
  });

  test("no purchase counts as not placed while the balance is lower than explained, or unreadable", () => {
    fc.assert(
      fc.property(anyWorld, someWindow, (world, window) => {
        if (judge(world, window).kind !== "notPlaced") return;
        expect(world.balance).toBe(100 - world.explainedSpend);
        expect(world.listed).toBeDefined();
        expect(window).not.toBe("open");
      }),
      often,
    );
  });

  test("more time never turns a decision into another one", () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const verdicts = windows.map((window) => judge(world, window));
        const decided = verdicts.filter(({ kind }) => kind !== "wait");
        for (const verdict of decided) expect(verdict).toEqual(decided[0]);
        expect(verdicts.at(-1)?.kind).not.toBe("wait");
      }),
      often,
    );
  });

  test("the verdict does not depend on the order of rows or of intents", () => {
    fc.assert(
      fc.property(anyWorld, someWindow, (world, window) => {
        const turned = {
          ...world,
          intents: world.intents.toReversed(),
          listed: world.listed?.toReversed(),
        };
        expect(judge(turned, window).kind).toBe(judge(world, window).kind);
      }),
      often,
    );
  });
});
