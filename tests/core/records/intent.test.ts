import { describe, expect, test } from "vitest";
import {
  changeIntent,
  intentSchema,
  isDone,
  isOrderIntent,
  isPlaced,
  namesOf,
  notAmong,
  saidNamesOf,
} from "../../../provider/core/records/intent.ts";
import { extensionIntent, orderIntent } from "./intents.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds));

describe("an intent", () => {
  test("begins as sending, and keeps the time of each phase", () => {
    const accepted = changeIntent(orderIntent(), { phase: "placed", orderNumber: "8000" }, at(1));
    const noted = changeIntent(accepted, { orderIds: ["8000"] }, at(2));
    const again = changeIntent(noted, { phase: "placed" }, at(3));
    const returned = changeIntent(again, { phase: "returned" }, at(4));
    expect(returned).toMatchObject({ revision: 5, orderNumber: "8000", orderIds: ["8000"] });
    expect(returned.history).toEqual([
      { phase: "sending", at: at(0).toISOString() },
      { phase: "placed", at: at(1).toISOString() },
      { phase: "returned", at: at(4).toISOString() },
    ]);
  });

  test("is not changed by reading", () => {
    const before = structuredClone(orderIntent());
    const intent = orderIntent();
    changeIntent(intent, { phase: "placed" }, at(1));
    expect(intent).toEqual(before);
  });

  test.each([
    ["sending", false, false],
    ["unknown", false, false],
    ["placed", true, false],
    ["returned", true, false],
    ["confirmed", true, true],
    ["closed", false, true],
  ] as const)("that is %s: accepted %s, done %s", (phase, accepted, done) => {
    expect([isPlaced({ phase }), isDone({ phase })]).toEqual([accepted, done]);
  });

  test("keeps every argument sent to the service, even if this release does not know it", () => {
    const intent = orderIntent();
    Object.assign(intent.purchase.request, { goal: "x", newField: [1] });
    const read = intentSchema.parse(JSON.parse(JSON.stringify(intent)));
    expect(read.purchase.request).toMatchObject({ goal: "x", newField: [1] });
    expect(isOrderIntent(read)).toBe(true);
    expect(isOrderIntent(extensionIntent([]))).toBe(false);
  });

  test("of a later release is not read as one of this release", () => {
    expect(intentSchema.safeParse({ ...orderIntent(), version: 3 }).success).toBe(false);
    expect(intentSchema.safeParse({ ...orderIntent(), phase: "refunded" }).success).toBe(false);
  });

  test("that is in two journals is told from one that has its id by chance", () => {
    const here = changeIntent(orderIntent(), { phase: "closed" }, at(9));
    const copied = changeIntent(orderIntent(), { phase: "placed" }, at(1));
    const byChance = orderIntent({ sentAt: at(30).toISOString() });
    expect(notAmong([here], [copied, byChance])).toEqual([byChance]);
    expect(notAmong([], [copied])).toEqual([copied]);
  });
});

test.each([
  ["an order of the same kind", { ordersBefore: ["7001"] }],
  ["any order", { isNumberTaken: true }],
])("a number under which %s was listed before names no purchase", (_what, known) => {
  const bought = orderIntent({ ...known, phase: "placed", orderNumber: "7001" });
  expect(namesOf(bought)).toEqual([]);
  expect(namesOf({ ...bought, orderIds: ["7001"] })).toEqual([]);
  expect(namesOf({ ...bought, orderIds: ["7002"] })).toEqual(["7002"]);
  expect(saidNamesOf({ ...bought, orderIds: ["7002"] })).toEqual(["7001", "7002"]);
});
