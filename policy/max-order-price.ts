import { z } from "zod";
import { countryCode, limit, proxyType } from "./config-values.ts";
import { findLowest, limitsFor } from "./lowest-limit.ts";
import { formatPrice } from "./price-text.ts";
import { defineSpendPolicy, unreadableQuote } from "./spend-policy.ts";

const config = z.strictObject({
  max: limit
    .default(100)
    .describe("Most that one purchase may cost, whatever it is, in account currency."),
  byProxyType: z
    .partialRecord(proxyType, limit)
    .default({})
    .describe("Lower limits for proxy types, in account currency."),
  byCountry: z
    .record(countryCode, limit)
    .default({})
    .describe(
      "Lower limits for countries, by ISO 3166-1 alpha-3 code, in account currency. An extension, whose country the plan does not say, is held to the lowest of them.",
    ),
});

/**
 * Limits in account currency, each at least 0. The lowest that fits an order holds, so a limit for a type or a
 * country never raises `max`.
 */
export type MaxOrderPriceConfig = z.input<typeof config>;

/**
 * Compares the price of each purchase with a cap, before it is bought. An unknown price counts as what it can't
 * exceed (`maxPrice`). Without that, `priced-before-buying` judges it; at up, when the price is known, this does.
 */
export const maxOrderPrice = defineSpendPolicy({
  name: "max-order-price",
  description: "One purchase of proxies must not cost more than is allowed.",
  config,
  judge({ price, proxyType: type, country }, limits) {
    if (price === "free" || price === "open") return undefined;
    if (price === "unreadable") return unreadableQuote;
    const lowest = findLowest([
      { key: "max", amount: limits.max },
      ...limitsFor("byProxyType", limits.byProxyType, type),
      ...limitsFor("byCountry", limits.byCountry, country),
    ]);
    if (lowest === undefined || price.amount <= lowest.amount) return undefined;
    const { currency } = price;
    const what = price.exact ? "this purchase costs" : "this purchase may cost up to";
    const cheaper = price.exact ? "Buy less" : "Lower its maxPrice";
    return `${what} ${formatPrice(price)}, above the ${formatPrice({ ...lowest, currency })} that ${lowest.key} allows. ${cheaper}, or raise ${lowest.key} in the config of max-order-price.`;
  },
});
