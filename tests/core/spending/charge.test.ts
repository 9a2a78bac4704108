import { describe, expect, test } from "vitest";
import { spentSince } from "../../../provider/core/evidence/watch.ts";
import { findFall, judgeCharge } from "../../../provider/core/spending/charge.ts";
import { afterSending, orderIntent } from "../records/intents.ts";

describe("the balance says what was charged", () => {
  test.each<[string, [number, number | undefined, number], ReturnType<typeof judgeCharge>]>([
    ["it fell by the price", [1000, 993, 7], { kind: "asConfirmed" }],
    ["it fell by the price, in floating point", [0.3, 0.2, 0.1], { kind: "asConfirmed" }],
    ["price and balance are rounded differently", [100, 95.83, 4.165], { kind: "asConfirmed" }],
    ["nothing was due, and nothing was paid", [1000, 1000, 0], { kind: "asConfirmed" }],
    ["it is unknown", [1000, undefined, 7], { kind: "notTold" }],
    ["it fell by more", [1000, 986, 7], { kind: "differs", charged: 14 }],
    ["it fell although nothing was due", [1000, 998.6, 0], { kind: "differs", charged: 1.4 }],
    ["it fell by one cent more", [1000, 992.99, 7], { kind: "differs", charged: 7.01 }],
    ["it fell by less", [1000, 994, 7], { kind: "differs", charged: 6 }],
    ["it did not fall", [1000, 1000, 7], { kind: "differs", charged: 0 }],
    ["somebody paid in", [1000, 1093, 7], { kind: "hidden" }],
  ])("%s", (_what, [before, after, price], expected) => {
    expect(judgeCharge(before, after, price)).toEqual(expected);
  });
});

describe("a refusal that tells a balance", () => {
  test.each<[string, [number, number | undefined, number], number | undefined]>([
    ["it fell by the price", [1000, 993, 7], 7],
    ["it fell by the price, which is rounded differently", [100, 95.83, 4.165], 4.165],
    ["it fell by more", [1000, 986, 7], 14],
    ["the order was free, and it fell", [1000, 993, 0], 7],
    ["the order was free, and it did not fall", [1000, 1000, 0], undefined],
    ["it did not fall", [1000, 1000, 7], undefined],
    ["it fell by less", [1000, 994, 7], undefined],
    ["it rose", [1000, 1093, 7], undefined],
    ["it is unknown", [1000, undefined, 7], undefined],
  ])("is in doubt if at least the price is gone: %s", (_what, [before, after, price], fall) => {
    expect(findFall(before, after, price)).toBe(fall);
  });
});

test("other purchases count with their charged price, not the confirmed one", () => {
  const later = { phase: "placed", sentAt: "2026-03-01T13:00:00.000Z" } as const;
  const others = [orderIntent(later), orderIntent({ ...later, charged: 14 })];
  expect(spentSince(others, orderIntent())).toBe(21);
});

test("another account's purchases do not explain this one's balance", () => {
  const sentAt = afterSending(5).toISOString();
  const own = orderIntent({ account: "one" });
  const others = ["one", "other"].map((account) =>
    orderIntent({ account, sentAt, phase: "placed", orderNumber: "1" }),
  );
  expect(spentSince(others, own)).toBe(7);
});
