import { expect, test } from "vitest";
import type { ListedOrder } from "../../../../provider/core/evidence/listed-orders.ts";
import { isOver, planRecovery } from "../../../../provider/core/order/recover/plan-recovery.ts";
import { DAY_MS } from "../../../../provider/core/values/dates.ts";
import { afterSending, listedOrder, orderIntent } from "../../records/intents.ts";

const nothing = () => ({ dateEnd: undefined, mayRenew: false });

const afterDays = (days: number) => new Date(afterSending(0).getTime() + days * DAY_MS);

test.each([
  ["its listed end has passed", 30, 30.1, true],
  ["its listed end has not passed", 30, 29.9, false],
  ["a day is missing at its end, as with calendar days", 29, 29.5, true],
  ["it was extended", 60, 59, false],
  ["it is listed with an end before its paid period, and that period may go on", 0, 29.9, false],
  ["it is listed with such an end, and no such period can go on", 0, 32.1, true],
])("whether an order of 30 days is over: %s", (_what, listedDays, nowDays, expected) => {
  const listed = listedOrder("8000", { endsAt: afterDays(listedDays) });
  expect(isOver(orderIntent(), listed, { now: afterDays(nowDays), knownOf: nothing })).toBe(
    expected,
  );
});

test.each([
  [29.9, false],
  [32.1, true],
])(
  "an order that is not listed is over when it can't be paid any more: after %d days %s",
  (nowDays, expected) => {
    expect(isOver(orderIntent(), undefined, { now: afterDays(nowDays), knownOf: nothing })).toBe(
      expected,
    );
  },
);

const bought = orderIntent({ phase: "placed", orderNumber: "8000" });

function recover(
  intent: typeof bought,
  listed: ListedOrder[],
  nowDays: number,
  ...claimed: string[]
) {
  const seen = { listed, now: afterDays(nowDays), claimed: new Set(claimed), knownOf: nothing };
  return planRecovery(intent, bought.purchase.request, seen).kind;
}

const extended = (orderId: string) => listedOrder(orderId, { endsAt: afterDays(90) });

test("an order that is listed under another name is taken over, and is over when that one has ended", () => {
  expect(recover(bought, [listedOrder("abc-1")], 1)).toBe("takeOver");
  expect(recover(bought, [listedOrder("abc-1")], 40)).toBe("none");
});

test("234: an order is not over while one of two goes on that may be it", () => {
  expect(recover(bought, [extended("abc-1"), extended("abc-2")], 40)).toBe("stop");
  expect(recover(bought, [listedOrder("abc-1"), extended("abc-2")], 40)).toBe("stop");
});

test("an order that was seen in the listing is not taken for one that looks like it", () => {
  const seen = { ...bought, orderIds: ["abc-1"] };
  expect(recover(seen, [listedOrder("abc-2")], 1)).toBe("stop");
  expect(recover(seen, [extended("abc-2")], 40)).toBe("none");
});

test("241: an order under a name that nobody was told is not over while a part of it goes on", () => {
  const part = listedOrder("abc-1", { endsAt: afterDays(90), count: 3 });
  expect(recover(bought, [part], 40)).toBe("stop");
});

test.each([
  ["is known as another purchase", {}, ["abc-1"]],
  ["has an id of its number's series", { orderId: "8001" }, []],
  ["began later", { startedAt: afterDays(35) }, []],
])("no order is kept going by a smaller one that %s", (_what, more, claimed) => {
  const part = listedOrder("abc-1", { endsAt: afterDays(90), count: 3, ...more });
  expect(recover(bought, [part], 40, ...claimed)).toBe("none");
});
