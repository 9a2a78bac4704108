import { describe, expect, test } from "vitest";
import { judgeOrders, type OrderVerdict } from "../../../provider/core/evidence/judge-orders.ts";
import type { ListedOrder } from "../../../provider/core/evidence/listed-orders.ts";
import type { Window } from "../../../provider/core/evidence/weigh-balance.ts";
import { afterSending, listedOrder, orderIntent } from "../records/intents.ts";

const nobodys: ReadonlySet<string> = new Set();

/** The possible balances of an account with 100 USD, after a purchase for 7 USD. */
const balances = { untouched: 100, spent: 93, spentAgain: 86, unclear: 97, unreadable: undefined };

type Money = keyof typeof balances;

const listings = {
  none: [],
  whole: [listedOrder("8000")],
  partial: [listedOrder("8000", { count: 3 })],
  "two whole": [listedOrder("8000"), listedOrder("8001")],
  "whole and partial": [listedOrder("8000"), listedOrder("8001", { count: 3 })],
  unreadable: undefined,
} satisfies Record<string, ListedOrder[] | undefined>;

function weigh(listing: keyof typeof listings, money: Money, window: Window): OrderVerdict["kind"] {
  const seen = {
    listed: listings[listing],
    balance: balances[money],
    explainedSpend: 0,
    hadTraces: false,
  };
  return judgeOrders([orderIntent()], seen, nobodys, window).kind;
}

const A = "placed";
const N = "notPlaced";
const W = "wait";
const U = "unknown";

/** For each listing and balance: the decision while the window is open, when it is settled, and when it is over. */
const decisions: [keyof typeof listings, Money, [string, string, string]][] = [
  ["none", "untouched", [W, N, N]],
  ["none", "spent", [W, W, U]],
  ["none", "spentAgain", [W, U, U]],
  ["none", "unclear", [W, U, U]],
  ["none", "unreadable", [W, U, U]],
  ["whole", "untouched", [W, A, A]],
  ["whole", "spent", [W, A, A]],
  ["whole", "spentAgain", [W, W, U]],
  ["whole", "unclear", [W, A, A]],
  ["whole", "unreadable", [W, A, A]],
  ["partial", "untouched", [W, W, U]],
  ["partial", "spent", [W, W, U]],
  ["partial", "spentAgain", [W, W, U]],
  ["partial", "unclear", [W, W, U]],
  ["partial", "unreadable", [W, W, U]],
  ["two whole", "untouched", [U, U, U]],
  ["two whole", "spent", [U, U, U]],
  ["two whole", "spentAgain", [U, U, U]],
  ["two whole", "unclear", [U, U, U]],
  ["two whole", "unreadable", [U, U, U]],
  ["whole and partial", "untouched", [W, U, U]],
  ["whole and partial", "spent", [W, U, U]],
  ["whole and partial", "spentAgain", [W, U, U]],
  ["whole and partial", "unclear", [W, U, U]],
  ["whole and partial", "unreadable", [W, U, U]],
  ["unreadable", "untouched", [W, U, U]],
  ["unreadable", "spent", [W, U, U]],
  ["unreadable", "spentAgain", [W, U, U]],
  ["unreadable", "unclear", [W, U, U]],
  ["unreadable", "unreadable", [W, U, U]],
];

test.each(decisions)("%s listed, balance %s", (listing, money, expected) => {
  const windows: Window[] = ["open", "settled", "over"];
  expect(windows.map((window) => weigh(listing, money, window))).toEqual(expected);
});

function judge(
  listed: ListedOrder[],
  {
    balance = 93,
    explainedSpend = 0,
    hadTraces = false,
    claimed = nobodys,
    window = "settled" as Window,
  } = {},
): OrderVerdict {
  return judgeOrders(
    [orderIntent()],
    { listed, balance, explainedSpend, hadTraces },
    claimed,
    window,
  );
}

describe("the balance", () => {
  test("that fell only by the price of other purchases says: not placed", () => {
    expect(judge([], { balance: 80, explainedSpend: 20 })).toEqual({ kind: "notPlaced" });
  });

  test("that fell by both prices says: placed", () => {
    expect(
      judge([listedOrder("8000")], { balance: 73, explainedSpend: 20, window: "settled" }),
    ).toEqual({ kind: "placed", orderIds: ["8000"] });
  });

  test.each([
    ["fell by another amount", 99.99],
    ["rose by a deposit", 150],
    ["rose by a deposit that hides the price", 143],
    ["fell by half the price", 96.5],
  ])("proves nothing if it %s", (_what, balance) => {
    expect(judge([], { balance }).kind).toBe("unknown");
  });

  test("counts cents exactly", () => {
    const cents = orderIntent({ price: 0.1, balanceBefore: 0.3 });
    const seen = { listed: [], balance: 0.2, explainedSpend: 0, hadTraces: false };
    expect(judgeOrders([cents], seen, nobodys, "settled")).toMatchObject({ kind: "wait" });
    const two = { listed: [], balance: 0.3, explainedSpend: 0, hadTraces: false };
    expect(judgeOrders([cents], two, nobodys, "settled")).toEqual({ kind: "notPlaced" });
  });

  test("can't prove that a free order was not placed", () => {
    const free = orderIntent({ price: 0 });
    const seen = { listed: [], balance: 100, explainedSpend: 0, hadTraces: false };
    expect(judgeOrders([free], seen, nobodys, "over").kind).toBe("unknown");
  });
});

describe("traces that an earlier look has shown", () => {
  const untouched = { balance: 100, hadTraces: true };

  test("are not undone by a balance that is whole again: somebody may have paid in", () => {
    expect(judge([], untouched)).toMatchObject({ kind: "wait", hasTraces: true });
    expect(judge([], { ...untouched, window: "over" })).toEqual({
      kind: "unknown",
      candidates: [],
      reason: expect.stringContaining("an earlier look has seen its charge"),
      hasTraces: true,
    });
  });

  test.each<[string, ListedOrder[], number, boolean]>([
    ["its charge", [], 93, true],
    ["its charge, and more", [], 80, true],
    ["an order that may be it", listings.partial, 100, true],
    ["a charge that is smaller than its price: a part of it may be paid in", [], 97, true],
    ["a deposit that may hide its charge", [], 143, true],
    ["no change", [], 100, false],
  ])("begin with %s", (_what, listed, balance, hasTraces) => {
    expect(judge(listed, { balance, window: "open" })).toEqual({ kind: "wait", hasTraces });
  });
});

describe("a new order that is not quite what was bought", () => {
  test.each([
    ["began at the midnight of its day", { startedAt: new Date("2026-03-01T00:00:00Z") }],
    ["began when it was delivered", { startedAt: afterSending(3_600) }],
    ["has more proxies", { count: 6 }],
  ])("and %s is for a person to decide on", (_what, more) => {
    expect(judge([listedOrder("8000", more)], { balance: 100 })).toMatchObject({
      kind: "unknown",
      candidates: ["8000"],
    });
  });

  test("is passed over beside one that is", () => {
    const listed = [listedOrder("8000", { count: 6 }), listedOrder("8001")];
    expect(judge(listed)).toEqual({ kind: "placed", orderIds: ["8001"] });
  });
});

describe("a free order with one like it listed", () => {
  const free = orderIntent({ price: 0 });
  const judge = (balance: number) =>
    judgeOrders(
      [free],
      { listed: listings.whole, balance, explainedSpend: 0, hadTraces: false },
      nobodys,
      "over",
    );

  test("was placed if nobody else has paid anything", () => {
    expect(judge(free.balanceBefore)).toEqual({ kind: "placed", orderIds: ["8000"] });
  });

  test("is unknown if the balance fell: the listed one may be somebody else's", () => {
    expect(judge(free.balanceBefore - 7)).toMatchObject({ kind: "unknown", candidates: ["8000"] });
  });
});

describe("an unknown purchase", () => {
  test("names every order that it may be, and says why nobody can tell", () => {
    expect(judge(listings["two whole"])).toEqual({
      kind: "unknown",
      candidates: ["8000", "8001"],
      reason: expect.stringContaining("more new orders than purchases"),
      hasTraces: true,
    });
  });

  test("says that it was charged if the money is gone and no order is listed", () => {
    expect(judge([], { window: "over" })).toMatchObject({
      candidates: [],
      reason: expect.stringContaining("it was charged"),
    });
  });

  test.each([
    ["whole", "spentAgain", "more than once"],
    ["partial", "spentAgain", "fewer proxies"],
    ["partial", "unclear", "fewer proxies"],
    ["unreadable", "spent", "could not be read"],
  ] as const)(
    "says that it was charged, with a %s listing and the balance %s",
    (listing, money, reason) => {
      const seen = {
        listed: listings[listing],
        balance: balances[money],
        explainedSpend: 0,
        hadTraces: false,
      };
      const verdict = judgeOrders([orderIntent()], seen, nobodys, "over");
      expect(verdict).toMatchObject({ kind: "unknown", reason: expect.stringContaining(reason) });
    },
  );
});

describe("several purchases of one kind in runs that ended badly", () => {
  const first = orderIntent({ id: "a-1" });
  const second = orderIntent({
    id: "b-1",
    sentAt: afterSending(10).toISOString(),
    balanceBefore: 93,
  });
  const begun = (orderId: string, seconds: number) =>
    listedOrder(orderId, { startedAt: afterSending(seconds) });

  function judgeBoth(
    listed: ListedOrder[],
    balance: number,
    window: Window = "settled",
    intents: [typeof first, typeof first] = [first, second],
  ): OrderVerdict {
    return judgeOrders(
      intents,
      { listed, balance, explainedSpend: 0, hadTraces: false },
      nobodys,
      window,
    );
  }

  test.each([
    ["in turn", [first, second]],
    ["the later one first", [second, first]],
  ] as [string, [typeof first, typeof first]][])(
    "each get the order that began when they were sent, given %s",
    (_what, intents) => {
      const listed = [begun("8001", 11), begun("8000", 1)];
      expect(judgeBoth(listed, 86, "settled", intents)).toEqual({
        kind: "placed",
        orderIds: ["8000", "8001"],
      });
    },
  );

  test("were not placed if nothing is listed and the first one's balance is whole", () => {
    expect(judgeBoth([], 100)).toEqual({ kind: "notPlaced" });
  });

  test("wait if both were charged and nothing is listed", () => {
    expect(judgeBoth([], 86)).toMatchObject({ kind: "wait" });
  });

  test("are left to a person if only one order is there for two", () => {
    expect(judgeBoth([begun("8000", 1)], 93, "open")).toMatchObject({ kind: "wait" });
    expect(judgeBoth([begun("8000", 1)], 93)).toMatchObject({
      kind: "unknown",
      candidates: ["8000"],
    });
  });

  test("are left to a person if both orders began before the second was sent", () => {
    expect(judgeBoth([begun("8000", 1), begun("8001", 2)], 86).kind).toBe("unknown");
  });

  test("get orders that began in the same second by their numbers", () => {
    const twin = orderIntent({ id: "b-1" });
    const listed = [begun("10000", 1), begun("9999", 1)];
    expect(judgeBoth(listed, 86, "settled", [first, twin])).toEqual({
      kind: "placed",
      orderIds: ["9999", "10000"],
    });
  });
});

describe("an order that is listed for another period", () => {
  const paidUntil = (endsAt: string) => [listedOrder("8000", { endsAt: new Date(endsAt) })];
  const judgeAt = (asOf: Date, endsAt: string, balance = 66.05) =>
    (["open", "settled", "over"] as const).map((window) => {
      const seen = { listed: paidUntil(endsAt), balance, asOf, explainedSpend: 0 };
      return judgeOrders([orderIntent()], { ...seen, hadTraces: false }, nobodys, window);
    });
  const kinds = (verdicts: readonly OrderVerdict[]) => verdicts.map(({ kind }) => kind);
  const inDays = (days: number) => afterSending(days * 86_400).toISOString();

  test("is somebody else's: it is waited for one's own, and it is not named", () => {
    const verdicts = judgeAt(afterSending(60), inDays(90));
    expect(kinds(verdicts)).toEqual(["wait", "wait", "unknown"]);
    expect(verdicts.at(-1)).toMatchObject({
      candidates: [],
      reason: expect.stringContaining("is paid for another period"),
    });
    expect(kinds(judgeAt(afterSending(60), inDays(7)))).toEqual(["wait", "wait", "unknown"]);
  });

  test("is the one that was bought if nothing else was paid", () => {
    const placed = ["wait", "placed", "placed"];
    expect(kinds(judgeAt(afterSending(60), inDays(90), 93))).toEqual(placed);
  });

  test.each([29, 30, 31])("is not one that ends after %d days of 30", (days) => {
    expect(kinds(judgeAt(afterSending(60), inDays(days)))).toEqual(["wait", "placed", "placed"]);
  });

  test("may have been renewed once its first period is nearly over", () => {
    const nextMonth = afterSending(40 * 86_400);
    expect(kinds(judgeAt(nextMonth, inDays(60)))).toEqual(["wait", "placed", "placed"]);
    expect(kinds(judgeAt(nextMonth, inDays(7)))).toEqual(["wait", "wait", "unknown"]);
  });
});
