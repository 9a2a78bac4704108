import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addMoney,
  beforeDiscount,
  formatMoney,
  growthPercent,
  subtractMoney,
} from "../../../provider/core/values/money.ts";

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });

test("sums are exact to the cent, with any number of parts", () => {
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 200 }), (amounts) => {
      const sum = amounts.reduce((total, amount) => total + amount, 0);
      expect(addMoney(...amounts.map((amount) => amount / 100))).toBe(sum / 100);
    }),
  );
});

test("differences are exact to the cent", () => {
  fc.assert(
    fc.property(cents, cents, (from, amount) => {
      // Adding 0 turns a negative zero into a plain zero.
      expect(subtractMoney(from / 100, amount / 100) + 0).toBe((from - amount) / 100 + 0);
    }),
  );
});

test("adding and subtracting the same leaves nothing", () => {
  fc.assert(
    fc.property(fc.array(cents), (amounts) => {
      const prices = amounts.map((amount) => amount / 100);
      const left = prices.reduce(subtractMoney, addMoney(...prices));
      expect(left + 0).toBe(0);
    }),
  );
});

test.each([
  [0, "0.00 USD"],
  [7, "7.00 USD"],
  [7.1, "7.10 USD"],
  [0.1 + 0.2, "0.30000000000000004 USD"],
  [1.005, "1.005 USD"],
  [1234567.89, "1234567.89 USD"],
  [-3.5, "-3.50 USD"],
  [1e21, "1000000000000000000000.00 USD"],
  [0.0000001, "0.0000001 USD"],
])("%d is written %s: at least two decimals, and none lost", (amount, text) => {
  expect(formatMoney(amount, "USD")).toBe(text);
});

test("the sum of nothing is 0", () => {
  expect(addMoney()).toBe(0);
});

test.each([
  [7, 7.7, 10],
  [10, 5, -50],
  [0.3, 0.33, 10],
  [5, 5, 0],
  [0, 5, undefined],
  [0, 0, undefined],
])("from %s to %s is a growth of %s per cent", (before, after, percent) => {
  expect(growthPercent(before, after)).toBe(percent);
});

test.each([
  [6.3, 10, 7],
  [7, 0, 7],
  [0, 100, 0],
  [1, 3, 1.0309],
])("%s is what remains, after %s per cent, of %s", (amount, percent, whole) => {
  expect(beforeDiscount(amount, percent)).toBe(whole);
});
