import { z } from "zod";
import type { Calculation } from "../../client/index.ts";
import type { OrderArgs } from "../order/model/args.ts";
import { type ErrorCode, ProxyRentalError } from "../values/errors.ts";
import type { InputFailure } from "../values/inputs.ts";
import { formatMoney } from "../values/money.ts";

/**
 * What a plan will do with the money:
 * - `buy`: a first order;
 * - `topUp`: a further order, for a resource that is to hold more;
 * - `replace`: another order instead of one that is paid;
 * - `extend`: proxies that are rented are paid for longer;
 * - `recover`: an order that an earlier run has paid is taken over, for nothing;
 * - `adopt`: an order that the program names is taken over, for nothing;
 * - `none`: nothing is bought;
 * - `unknown`: an argument is not known yet, so neither is the price.
 */
export type Effect =
  | "buy"
  | "topUp"
  | "replace"
  | "extend"
  | "recover"
  | "adopt"
  | "none"
  | "unknown";

/** What a resource holds before this plan and what that cost, for policies that add up what is owned. */
const ownedSchema = z
  .object({
    price: z.number().describe("Their part of what was paid, in `currency`."),
    quantity: z.number().describe("How many proxies are held."),
    rentPeriodDays: z.number().describe("For how many days that price is."),
    currency: z.string().describe("ISO currency code."),
  })
  .meta({
    id: "OwnedProxies",
    description: "What is held before a plan, and what was paid for it.",
  });

export const effectSchema = z.enum([
  "buy",
  "topUp",
  "replace",
  "extend",
  "recover",
  "adopt",
  "none",
  "unknown",
]);

/** The price in the plan: stands in the checked inputs, so that preview, policies and plan files see it. */
export const quoteSchema = z.object({
  effect: effectSchema.describe("What the plan will do with the money."),
  quantity: z.number().optional().describe("How many proxies are bought, or paid for longer."),
  price: z.number().optional().describe("Total in `currency`."),
  currency: z.string().optional().describe("ISO currency code."),
  discount: z.number().optional().describe("Percentage that the promo code took off."),
  promoCodeStatus: z
    .string()
    .optional()
    .describe("What the service says of the promo code, for instance `VALID`."),
  // As the process first saw it.
  balance: z
    .number()
    .optional()
    .describe("The account's balance before anything of the run was bought, in `currency`."),
  priceAtMost: z
    .number()
    .optional()
    .describe("What an unknown price can't exceed, in account currency: `maxPrice`."),
  owned: ownedSchema
    .optional()
    .describe("What is held before this plan, and its part of what was paid for it."),
});

/** The quote of an order. */
export const orderQuoteSchema = quoteSchema
  .extend({
    effect: effectSchema
      .exclude(["extend"])
      .describe(
        "`buy`, `topUp` (a further order, to hold more) and `replace` spend `price`; `recover` takes over an order that an earlier run has paid, `adopt` one that the program names, and `none` leaves all as it is: these spend nothing; `unknown` is not known before `up`.",
      ),
    quantity: quoteSchema.shape.quantity.describe("How many proxies are bought."),
  })
  .meta({ id: "OrderQuote", description: "The price in the plan. All amounts are in `currency`." });

/** The quote of an extension. */
export const extensionQuoteSchema = quoteSchema
  .omit({ owned: true })
  .extend({
    effect: effectSchema
      .extract(["extend", "none", "unknown"])
      .describe(
        "`extend` spends `price`; `none` spends nothing; `unknown` is not known before `up`.",
      ),
    quantity: quoteSchema.shape.quantity.describe(
      "How many proxies are extended, each once or more often.",
    ),
    price: quoteSchema.shape.price.describe("All extensions together, in `currency`."),
  })
  .meta({
    id: "ExtensionQuote",
    description: "The price in the plan. All amounts are in `currency`.",
  });

/** See `quoteSchema`. */
export type Quote = z.infer<typeof quoteSchema> & { effect: Effect };

/** See `orderQuoteSchema`. */
export type OrderQuote = z.infer<typeof orderQuoteSchema>;

/** See `extensionQuoteSchema`. */
export type ExtensionQuote = z.infer<typeof extensionQuoteSchema>;

const spendingEffects: ReadonlySet<unknown> = new Set<Effect>([
  "buy",
  "topUp",
  "replace",
  "extend",
]);

/** Whether a quote stands for something that is paid. */
export function isSpending({ effect }: { effect?: unknown }): boolean {
  return spendingEffects.has(effect);
}

/** A quote of something that will be bought. */
export type PricedQuote = Quote & { quantity: number; price: number; currency: string };

/** Whether a quote names a price that may be paid. */
export function isPriced(quote: Quote): quote is PricedQuote {
  return quote.price !== undefined && quote.currency !== undefined && quote.quantity !== undefined;
}

/** Why a purchase may not go ahead: to a person at preview, and as an error right before the order. */
export interface GateFailure extends InputFailure {
  code: ErrorCode;
}

/** The service's code for too little money (source: "Errors"). */
const INSUFFICIENT_FUNDS_CODE = 16;

/**
 * Everything in a calculation that forbids the purchase. Fails closed: what is not plainly a price that
 * the user agreed to is refused.
 */
export function findGateFailures(
  args: Pick<OrderArgs, "maxPrice" | "promoCode">,
  calculation: Calculation,
): GateFailure[] {
  const { price, currency, warnings } = calculation;
  const failures = warnings.map(
    ({ code, message }): GateFailure => ({
      code: code === INSUFFICIENT_FUNDS_CODE ? "INSUFFICIENT_FUNDS" : "ORDER_WARNING",
      property: "quote",
      reason: `the service warns that this order would not go through: code ${code}, "${message}"`,
    }),
  );
  if (args.promoCode !== undefined && calculation.promoCodeStatus !== "VALID") {
    failures.push({
      code: "PROMO_CODE_NOT_VALID",
      property: "promoCode",
      // The service would take the order all the same, at the full price (source: endpoint 8, rule 1).
      reason: `is not valid (${calculation.promoCodeStatus ?? "no status"}); the order would be charged in full. Leave it out or give one that getPromoCodes lists`,
    });
  }
  if (price === null || !Number.isFinite(price) || price < 0 || isSuspiciouslyFree(calculation)) {
    failures.push({
      code: "PRICE_UNUSABLE",
      property: "quote",
      reason: `the service gave no usable price: ${price} ${currency}`,
    });
  } else if (args.maxPrice !== undefined && price > args.maxPrice) {
    failures.push({
      code: "PRICE_ABOVE_CAP",
      property: "maxPrice",
      reason: `the price is ${formatMoney(price, currency)}, above the ${formatMoney(args.maxPrice, currency)} that is allowed`,
    });
  }
  return failures;
}

function isSuspiciouslyFree({ price, promoCodeStatus, discount }: Calculation): boolean {
  return price === 0 && !(promoCodeStatus === "VALID" && discount === 100);
}

/** What a person was shown binds: a higher price, more proxies or another currency is not bought. */
export function assertNotDearer(
  shown: Pick<PricedQuote, "price" | "currency">,
  price: number | null,
  currency: string,
): asserts price is number {
  if (price !== null && currency === shown.currency && price <= shown.price) return;
  throw new ProxyRentalError(
    "PRICE_ROSE",
    `the plan showed ${formatMoney(shown.price, shown.currency)}, the service now asks ${price === null ? "no price" : formatMoney(price, currency)}. Nothing was bought at that price. Run \`pulumi preview\` to see the new price.`,
  );
}
