import { expect, test } from "vitest";
import { findGateFailures } from "../../provider/core/spending/gates.ts";
import { wordRefusal } from "../../provider/host/resources/refusal.ts";

const calculation = {
  ...{ price: 7, currency: "USD", balance: 5, discount: 0, warnings: [] },
  promoCodeStatus: null,
};

test.each([
  [
    "too little money",
    findGateFailures(
      {},
      { ...calculation, warnings: [{ code: 16, message: "Insufficient funds" }] },
    ),
    'INSUFFICIENT_FUNDS: the price is 7.00 USD, and the balance 5.00 USD (the service says: code 16, "Insufficient funds"). Buy less (quantity, rentPeriodDays), or top the account up',
  ],
  [
    "a price above the cap",
    findGateFailures({ maxPrice: 6.99 }, calculation),
    "PRICE_ABOVE_CAP: the price is 7.00 USD, above the 6.99 USD that is allowed by maxPrice. Raise maxPrice, or buy less",
  ],
  [
    "a promo code",
    findGateFailures({ promoCode: "X" }, { ...calculation, promoCodeStatus: "NO_VALID" }),
    "PROMO_CODE_NOT_VALID: the promo code is not valid (NO_VALID); the order would be charged in full. Leave promoCode out, or give one that getPromoCodes lists",
  ],
])(
  "a refusal for %s has its code and figures, and the value of no argument",
  (_what, [failure], reason) => {
    expect(failure && wordRefusal(failure)).toEqual({ property: "", reason });
  },
);

test("an argument that is wrong by itself is named, with its value", () => {
  expect(wordRefusal({ property: "country", reason: "must be USA" })).toEqual({
    property: "country",
    reason: "INPUT_INVALID: must be USA",
  });
});
