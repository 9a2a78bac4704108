import fc from "fast-check";
import { expect, test } from "vitest";
import { addMoney } from "../../../provider/core/values/money.ts";
import { createMoneyTally } from "../../../provider/core/values/money-tally.ts";

const change = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  cents: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
});

test("the sum is exactly that of the newest amount of each key", () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const tally = createMoneyTally();
      const amounts = new Map<string, number>();
      for (const { key, cents } of changes) {
        if (cents === null) {
          tally.delete(key);
          amounts.delete(key);
        } else {
          tally.set(key, cents / 100);
          amounts.set(key, cents / 100);
        }
        expect(tally.sum()).toBe(addMoney(...amounts.values()));
      }
    }),
  );
});
