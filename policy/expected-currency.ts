import { z } from "zod";
import { currencyCode } from "./config-values.ts";
import { defineSpendPolicy, unreadableQuote } from "./spend-policy.ts";

const config = z.strictObject({
  currency: currencyCode
    .optional()
    .describe("The currency in which all limits are meant, as an ISO 4217 code."),
});

/** The currency of the account, an ISO 4217 code. Without it every currency passes. */
export type ExpectedCurrencyConfig = z.input<typeof config>;

/**
 * Refuses a purchase in another currency than the one that limits are written for. Where a price is not known yet, its
 * `maxPrice` is judged. A cap whose currency is not told passes, and the price is judged at up, before money moves.
 */
export const expectedCurrency = defineSpendPolicy({
  name: "expected-currency",
  description: "Purchases are paid in the currency that limits are written for.",
  config,
  judge({ price, spends }, { currency }) {
    if (currency === undefined || !spends || price === "free") return undefined;
    if (price === "unreadable") return unreadableQuote;
    if (price === "open") {
      return "the currency of its price is not known yet. Give it a maxPrice, or arguments that are known at preview.";
    }
    if (price.currency === currency || (!price.exact && price.currency === undefined)) {
      return undefined;
    }
    const asked = /^[A-Z]{3}$/.test(price.currency ?? "") ? price.currency : "an unnamed currency";
    return `it is paid in ${asked}, not in the ${currency} that currency names. Use an account in ${currency}, or change currency in the config of expected-currency, and every limit with it.`;
  },
});
