import { z } from "zod";
import { type Effect, effectSchema } from "../values/effect.ts";
import type { Budget } from "./budget.ts";

/** The cost basis of what a resource holds before this plan, for policies that add it up. */
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

/** What a plan says of a monthly budget, for policies that demand one. */
const budgetSchema = z
  .object({
    monthly: z
      .number()
      .describe("The most that the account may spend in a calendar month (UTC), in its currency."),
    spent: z
      .number()
      .optional()
      .describe(
        "What was spent in this month before anything of the run was bought; absent where `showBalance` is `false`.",
      ),
    isShared: z
      .boolean()
      .optional()
      .describe(
        "Whether it holds for every machine that shares the journal. `false` where the journal is a folder of one machine, and counts what that one buys.",
      ),
  })
  .meta({
    id: "MonthlyBudget",
    description: "`proxyrental:monthlyBudget`, and what is gone of it.",
  });

/** The price in the plan. It is part of the checked inputs, so that preview, policies and plan files see it. */
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
  // The balance that the process saw first.
  balance: z
    .number()
    .optional()
    .describe("The account's balance before anything of the run was bought, in `currency`."),
  priceAtMost: z
    .number()
    .optional()
    .describe("What an unknown price can't exceed, in account currency: `maxPrice`."),
  budget: budgetSchema
    .optional()
    .describe("The account's monthly budget; absent where none is set, or nothing may be bought."),
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

/**
 * What a quote says of the account. The settings can keep back the balance and what was spent of a budget: both change
 * with every purchase.
 * @param balance the one that the process saw first.
 */
export async function quoteAccount(
  { budget, settings }: { budget: Pick<Budget, "beforeRun">; settings: { showBalance: boolean } },
  balance: number,
): Promise<Pick<Quote, "balance" | "budget">> {
  const { showBalance } = settings;
  const use = await budget.beforeRun();
  return {
    balance: showBalance ? balance : undefined,
    budget: use && {
      monthly: use.monthly,
      ...(showBalance && { spent: use.spent }),
      isShared: use.isShared,
    },
  };
}

/** A quote of something that will be bought. */
export type PricedQuote = Quote & { quantity: number; price: number; currency: string };

/** Whether a quote names a price that may be paid. */
export function isPriced(quote: Quote): quote is PricedQuote {
  return quote.price !== undefined && quote.currency !== undefined && quote.quantity !== undefined;
}
