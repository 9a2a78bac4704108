import type { ResourceValidationPolicy } from "@pulumi/policy";
import { z } from "zod";
import { formatPrice } from "./price-text.ts";
import type { Purchase } from "./purchase.ts";
import { defineSpendPolicy } from "./spend-policy.ts";

const limit = z.number().min(0);

const config = z.strictObject({
  max: limit
    .default(100)
    .describe("Most that one purchase may cost, whatever it is, in account currency."),
  byProxyType: z
    .partialRecord(z.enum(["IPv4", "IPv6", "MOBILE", "ISP"]), limit)
    .default({})
    .describe("Lower limits for proxy types, in account currency."),
  byCountry: z
    .record(z.string().regex(/^[A-Z]{3}$/), limit)
    .default({})
    .describe(
      "Lower limits for countries, by ISO 3166-1 alpha-3 code, in account currency. An extension, whose country the plan does not say, is held to the lowest of them.",
    ),
});

/**
 * Limits in account currency, each at least 0. The lowest that fits an order holds: a limit for a type or a
 * country never raises `max`.
 */
export type MaxOrderPriceConfig = z.input<typeof config>;

/**
 * Holds the price of each purchase against a cap, before it is bought. An order that says what its unknown
 * price cannot exceed (`maxPrice`) counts with that. An unknown price without it is the business of
 * `priced-before-buying`; at up, when it is known, it is held here.
 */
export const maxOrderPrice: ResourceValidationPolicy = defineSpendPolicy({
  name: "max-order-price",
  description: "One purchase of proxies must not cost more than is allowed.",
  config,
  judge(purchase, limits) {
    const { price } = purchase;
    if (price === "free" || price === "open") return undefined;
    if (price === "unreadable") {
      return "its plan has no quote that could be held against a limit. Use the policies and the provider of one release of pulumi-proxyrental.";
    }
    const lowest = findLowestLimit(purchase, limits);
    if (price.amount <= lowest.amount) return undefined;
    const { currency } = price;
    const what = price.exact ? "this purchase costs" : "this purchase may cost up to";
    const cheaper = price.exact ? "Buy less" : "Lower its maxPrice";
    return `${what} ${formatPrice(price)}, above the ${formatPrice({ ...lowest, currency })} that ${lowest.key} allows. ${cheaper}, or raise ${lowest.key} in the config of max-order-price.`;
  },
});

interface Limit {
  /** Where it stands in the config. */
  key: string;
  amount: number;
}

function findLowestLimit(
  { proxyType, country }: Purchase,
  { max, byProxyType, byCountry }: z.output<typeof config>,
): Limit {
  return [
    { key: "max", amount: max },
    ...limitsFor("byProxyType", byProxyType, proxyType),
    ...limitsFor("byCountry", byCountry, country),
  ].reduce((lowest, next) => (next.amount < lowest.amount ? next : lowest));
}

/** While it is not known what an order is for, any of the limits may turn out to be meant. */
function limitsFor(
  key: string,
  limits: Record<string, number>,
  wanted: string | undefined,
): Limit[] {
  return Object.entries(limits)
    .filter(([name]) => wanted === undefined || name === wanted)
    .map(([name, amount]) => ({ key: `${key}.${name}`, amount }));
}
