import { describe, expect, test } from "vitest";
import type { PromoCode } from "../../../provider/client/index.ts";
import { beginRun as beginExtension, TWO_PERIODS } from "../support/extensions-under-test.ts";
import type { FakeService } from "../support/fake-service.ts";
import { beginRun, given, ownerOf, type Run } from "../support/orders-under-test.ts";

const listed = (code: string, countUses?: number | null): PromoCode => ({
  code,
  countUses,
  discount: 100,
});

/** A code that reduces the price to zero, with so many uses. */
function offer(service: FakeService, countUses: number): void {
  service.before.listPromoCodes = async () => [listed("FREE", countUses)];
  service.calculated = { promoCodeStatus: "VALID", discount: 100, price: 0 };
}

const free = { promoCode: "FREE", maxPrice: 0 };

async function checkAll(run: Run, names: readonly string[], args: object = free) {
  const failures = [];
  for (const name of names) {
    const check = await run.orders.check(ownerOf(name), undefined, given(args));
    failures.push(check.failures.map(({ property }) => property).join());
  }
  return failures;
}

describe("a plan for use number n of a code", () => {
  test.each<[string, PromoCode[], number, boolean]>([
    ["passes up to the listed number", [listed("FREE", 5)], 5, true],
    ["is refused above it", [listed("FREE", 5)], 6, false],
    ["is refused if no use is left", [listed("FREE", 0)], 1, false],
    ["is not judged if the code is not listed", [listed("OTHER", 0)], 9, true],
    ["is not judged if the list has no number", [listed("FREE")], 9, true],
    ["is not judged if the number is null", [listed("FREE", null)], 9, true],
  ])("%s", async (_what, promoCodes, planned, isFine) => {
    const run = beginRun();
    offer(run.service, 0);
    run.service.before.listPromoCodes = async () => promoCodes;
    const names = Array.from({ length: planned }, (_, index) => `n${index + 1}`);
    expect((await checkAll(run, names)).at(-1)).toBe(isFine ? "" : "promoCode");
  });
});

describe("seven orders with a code of five uses", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];

  test("are refused from the sixth on, at preview, and the error names both numbers", async () => {
    const run = beginRun({ settings: { maxSpend: 0 } });
    offer(run.service, 5);
    expect(await checkAll(run, names)).toEqual(["", "", "", "", "", "promoCode", "promoCode"]);
    const { failures } = await run.orders.check(ownerOf("g"), undefined, given(free));
    expect(failures).toMatchObject([{ code: "PROMO_CODE_NOT_VALID" }]);
    expect(failures[0]?.reason).toContain("has 5 uses left");
    expect(failures[0]?.reason).toContain("this run plans 6");
    expect(run.service.calls).toMatchObject({ createOrder: 0, listPromoCodes: 1 });
  });

  test("count once each, however often they are checked", async () => {
    const run = beginRun();
    offer(run.service, 5);
    const five = names.slice(0, 5);
    for (const _ of [1, 2, 3]) expect(await checkAll(run, five)).toEqual(["", "", "", "", ""]);
    expect(run.service.calls.listPromoCodes).toBe(1);
  });

  test("count the bought ones too", async () => {
    const run = beginRun();
    offer(run.service, 2);
    for (const name of ["a", "b"]) {
      run.service.unitPrice = 0;
      await run.buy(name, free);
    }
    expect(await checkAll(run, ["c"])).toEqual(["promoCode"]);
  });

  test("do not count an order without its code any more", async () => {
    const run = beginRun();
    offer(run.service, 1);
    expect(await checkAll(run, ["a"])).toEqual([""]);
    run.service.calculated = {};
    expect(await checkAll(run, ["a"], {})).toEqual([""]);
    offer(run.service, 1);
    expect(await checkAll(run, ["b"])).toEqual([""]);
  });
});

test("without a code the list is not read", async () => {
  const run = beginRun();
  await run.buy();
  expect(run.service.calls.listPromoCodes).toBe(0);
});

test("an extension uses a code once per call", async () => {
  const run = beginExtension();
  run.service.before.listPromoCodes = async () => [listed("TEN", 1)];
  run.service.calculated = { promoCodeStatus: "VALID", discount: 10 };
  expect(await run.reasonsOf({ promoCode: "TEN", paidThrough: TWO_PERIODS })).toEqual([
    expect.stringContaining(
      "promoCode: PROMO_CODE_NOT_VALID: the promo code has 1 use left by the service's list, and this run plans 2",
    ),
  ]);
  expect(await run.reasonsOf({ promoCode: "TEN" })).toEqual([]);
});
