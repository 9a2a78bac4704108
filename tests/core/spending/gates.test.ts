import { describe, expect, test } from "vitest";
import type { Calculation } from "../../../provider/client/index.ts";
import { findGateFailures } from "../../../provider/core/spending/gates.ts";
import { isPriced } from "../../../provider/core/spending/quote.ts";

const fine: Calculation = {
  price: 7,
  currency: "USD",
  discount: 0,
  promoCodeStatus: null,
  balance: 100,
  warnings: [],
};

const gates = (
  args: { maxPrice?: number; promoCode?: string },
  calculation: Partial<Calculation>,
) =>
  findGateFailures(args, { ...fine, ...calculation }).map(({ code, property }) => [code, property]);

describe("a price that may be paid", () => {
  test.each<[string, { maxPrice?: number; promoCode?: string }, Partial<Calculation>]>([
    ["has no code or cap", {}, {}],
    ["equals the cap", { maxPrice: 7 }, {}],
    [
      "has a promo code that is valid",
      { promoCode: "A" },
      { promoCodeStatus: "VALID", discount: 10 },
    ],
    [
      "is 0 with a valid code of 100 percent",
      { promoCode: "A" },
      { price: 0, promoCodeStatus: "VALID", discount: 100 },
    ],
    ["has a status, though no code was sent", {}, { promoCodeStatus: "NO_VALID" }],
  ])("%s", (_what, args, calculation) => {
    expect(gates(args, calculation)).toEqual([]);
  });
});

describe("a price that may not be paid", () => {
  const warn = (code: number) => ({ warnings: [{ code, message: "hm" }] });

  test.each<[string, { maxPrice?: number; promoCode?: string }, Partial<Calculation>, string[][]]>([
    ["warned of too little money", {}, warn(16), [["INSUFFICIENT_FUNDS", "quote"]]],
    ["warned of an unknown code", {}, warn(77), [["ORDER_WARNING", "quote"]]],
    ["warned of code 0", {}, warn(0), [["ORDER_WARNING", "quote"]]],
    [
      "with a code that is not valid",
      { promoCode: "A" },
      { promoCodeStatus: "NO_VALID" },
      [["PROMO_CODE_NOT_VALID", "promoCode"]],
    ],
    ["with a code and no status", { promoCode: "A" }, {}, [["PROMO_CODE_NOT_VALID", "promoCode"]]],
    [
      "with a code and an unknown status",
      { promoCode: "A" },
      { promoCodeStatus: "HALF" },
      [["PROMO_CODE_NOT_VALID", "promoCode"]],
    ],
    ["missing", {}, { price: null }, [["PRICE_UNUSABLE", "quote"]]],
    ["not a number", {}, { price: Number.NaN }, [["PRICE_UNUSABLE", "quote"]]],
    ["infinite", {}, { price: Number.POSITIVE_INFINITY }, [["PRICE_UNUSABLE", "quote"]]],
    ["negative", {}, { price: -0.01 }, [["PRICE_UNUSABLE", "quote"]]],
    ["0 without a code", {}, { price: 0 }, [["PRICE_UNUSABLE", "quote"]]],
    [
      "0 with a discount of 50 percent",
      { promoCode: "A" },
      { price: 0, promoCodeStatus: "VALID", discount: 50 },
      [["PRICE_UNUSABLE", "quote"]],
    ],
    [
      "0 with a discount of 100 percent and no code",
      {},
      { price: 0, discount: 100 },
      [["PRICE_UNUSABLE", "quote"]],
    ],
    ["a cent above the cap", { maxPrice: 6.99 }, {}, [["PRICE_ABOVE_CAP", "maxPrice"]]],
    ["above a cap of 0", { maxPrice: 0 }, {}, [["PRICE_ABOVE_CAP", "maxPrice"]]],
    ["missing, with a cap", { maxPrice: 10 }, { price: null }, [["PRICE_UNUSABLE", "quote"]]],
    [
      "with all of these at once",
      { maxPrice: 1, promoCode: "A" },
      {
        warnings: [
          { code: 16, message: "a" },
          { code: 5, message: "b" },
        ],
      },
      [
        ["INSUFFICIENT_FUNDS", "quote"],
        ["ORDER_WARNING", "quote"],
        ["PROMO_CODE_NOT_VALID", "promoCode"],
        ["PRICE_ABOVE_CAP", "maxPrice"],
      ],
    ],
  ])("%s", (_what, args, calculation, expected) => {
    expect(gates(args, calculation)).toEqual(expected);
  });

  test("the service's own words are in the refusal", () => {
    const [failure] = findGateFailures({}, { ...fine, warnings: [{ code: 77, message: "Tiny" }] });
    expect(failure?.reason).toContain('code 77, "Tiny"');
  });
});

test.each([
  [{ effect: "buy", price: 1, quantity: 1, currency: "USD" }, true],
  [{ effect: "buy", price: 0, quantity: 1, currency: "USD" }, true],
  [{ effect: "buy", quantity: 1, currency: "USD" }, false],
  [{ effect: "buy", price: 1, currency: "USD" }, false],
  [{ effect: "buy", price: 1, quantity: 1 }, false],
] as const)("%j names a price: %s", (quote, priced) => {
  expect(isPriced(quote)).toBe(priced);
});
