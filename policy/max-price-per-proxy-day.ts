import { z } from "zod";
import { shareAmount } from "./amount.ts";
import { limit, proxyType } from "./config-values.ts";
import { findLowest, limitsFor } from "./lowest-limit.ts";
import { formatPrice } from "./price-text.ts";
import { defineSpendPolicy, unreadableQuote } from "./spend-policy.ts";

const config = z.strictObject({
  max: limit.optional().describe("Most that one proxy may cost a day, in account currency."),
  byProxyType: z
    .partialRecord(proxyType, limit)
    .default({})
    .describe("Lower limits for proxy types, in account currency."),
});

/**
 * Limits in account currency for one proxy and one day, each at least 0. The lowest that fits holds. Without one
 * every price passes.
 */
export type MaxPricePerProxyDayConfig = z.input<typeof config>;

/**
 * Judges what one proxy costs a day: the price, divided by the number of proxies and the days. An unknown price
 * counts as what it can't exceed. If the price, the number or the period is not known, a purchase is refused.
 */
export const maxPricePerProxyDay = defineSpendPolicy({
  name: "max-price-per-proxy-day",
  description: "One proxy must not cost more a day than is allowed.",
  config,
  judge({ price, spends, proxyDays, proxyType: type }, { max, byProxyType }) {
    const lowest = findLowest([
      ...(max === undefined ? [] : [{ key: "max", amount: max }]),
      ...limitsFor("byProxyType", byProxyType, type),
    ]);
    if (lowest === undefined || !spends || price === "free") return undefined;
    if (price === "unreadable") return unreadableQuote;
    if (price === "open" || proxyDays === undefined || proxyDays === 0) {
      return "it is not known yet what one of its proxies costs a day. Give it a maxPrice, which then counts as the price, and a quantity and rentPeriodDays that are known at preview.";
    }
    const { currency } = price;
    const unit = shareAmount(price.amount, 1, proxyDays);
    if (unit <= lowest.amount) return undefined;
    const up = price.exact ? "" : "up to ";
    return `one proxy costs ${up}${formatPrice({ amount: unit, currency })} a day, above the ${formatPrice({ ...lowest, currency })} that ${lowest.key} allows. Choose a cheaper country or a longer period, or raise ${lowest.key} in the config of max-price-per-proxy-day.`;
  },
});
