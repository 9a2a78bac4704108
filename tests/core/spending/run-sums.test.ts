import Big from "big.js";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { createRunSums } from "../../../provider/core/spending/run-sums.ts";
import { addMoney } from "../../../provider/core/values/money.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const owner = fc.constantFrom("a", "b", "c", "d");
const price = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100);
const fleet = fc.constantFrom(undefined, "fleet", "another");
const planned = fc.record({ owner, price, isCap: fc.boolean(), fleet });

const step = fc.oneof(
  fc.record({ kind: fc.constant("plan"), plan: planned, isWithdrawn: fc.boolean() }),
  fc.record({ kind: fc.constant("hearPlan"), plan: planned }),
  fc.record({ kind: fc.constant("hearSpend"), owner, price, requestId: owner }),
);

test("what plans come to is their sum, in whatever order they and the payments of others are told", () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const sums = createRunSums();
      const plans = new Map<string, { price: number; isCap: boolean; fleet: string | undefined }>();
      const paidFor = new Set<string>();
      for (const one of steps) {
        switch (one.kind) {
          case "plan": {
            const plan = sums.plan(one.plan.owner, one.plan);
            if (one.isWithdrawn) plan.withdraw();
            else plans.set(one.plan.owner, one.plan);
            break;
          }
          case "hearPlan":
            sums.hear({ kind: "plans", ...one.plan });
            plans.set(one.plan.owner, one.plan);
            break;
          case "hearSpend":
            sums.hear({ ...one, kind: "spends" });
            if (one.price > 0) paidFor.add(one.owner);
            else paidFor.delete(one.owner);
        }
      }
      const total = (isCounted: (owner: string, fleet: string | undefined) => boolean) => {
        const counted = [...plans].flatMap(([name, plan]) =>
          isCounted(name, plan.fleet) ? [plan] : [],
        );
        return {
          price: addMoney(...counted.map((plan) => plan.price)),
          isAtMost: counted.some((plan) => plan.isCap && plan.price > 0),
        };
      };
      expect(sums.planned()).toEqual(total(() => true));
      for (const name of ["fleet", "another", "none"]) {
        expect(sums.planned(name)).toEqual(total((_, of) => of === name));
      }
      expect(sums.plannedUnpaid()).toEqual(total((name) => !paidFor.has(name)));
    }),
  );
});

test("what was spent is the newest word on each purchase, in all and for a fleet", () => {
  const sums = createRunSums();
  sums.spend("1", { owner: "a", price: 5, isInFlight: true, fleet: "fleet" });
  sums.spend("2", { owner: "b", price: 7, isInFlight: true });
  sums.spend("1", { owner: "a", price: 4.2, fleet: "fleet" });
  expect(sums.spent()).toBe(11.2);
  expect(sums.spent("fleet")).toBe(4.2);
  expect(sums.isAnyInFlight()).toBe(true);
  sums.spend("2", { owner: "b", price: 0 });
  expect(sums.spent()).toBe(4.2);
  expect(sums.isAnyInFlight()).toBe(false);
});

test("a plan or a purchase does not add up all others again", () => {
  const sums = createRunSums();
  const add = vi.spyOn(Big.prototype, "plus");
  const additionsOf = (work: () => void) => {
    add.mockClear();
    work();
    return add.mock.calls.length;
  };
  const one = (index: number) => () => {
    sums.plan(`order-${index}`, { price: 1.1, fleet: "fleet" });
    sums.spend(`${index}`, { owner: `order-${index}`, price: 1.1, fleet: "fleet" });
    sums.planned("fleet");
    sums.plannedUnpaid();
    sums.spent("fleet");
  };
  const first = additionsOf(one(0));
  for (let index = 1; index < 500; index++) one(index)();
  expect(additionsOf(one(500))).toBe(first);
});
