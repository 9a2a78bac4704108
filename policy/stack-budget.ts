import { z } from "zod";
import { limit } from "./config-values.ts";
import { formatPrice } from "./price-text.ts";
import { defineRunPolicy } from "./run-policy.ts";
import { parseSpend, sumSpends } from "./run-spend.ts";

const config = z.strictObject({
  max: limit
    .optional()
    .describe("Most that all purchases of one run may cost together, in account currency."),
});

/** The budget of a run, in account currency, at least 0. Without one every run passes. */
export type StackBudgetConfig = z.input<typeof config>;

/**
 * Judges the sum of what one run would spend on orders and extensions: at each purchase before it is made, in any
 * order. What costs nothing in this run does not count. An unknown price counts as what it can't exceed (`maxPrice`).
 * Without that nobody can judge the sum, so it is refused. `proxyrental:maxSpend` is the same limit inside the
 * provider.
 */
export const stackBudget = defineRunPolicy({
  name: "stack-budget",
  description: "All purchases of one run must not cost more than is allowed.",
  config,
  read: parseSpend,
  judge(spend, all, { max }) {
    if (max === undefined) return undefined;
    if (typeof spend.price === "string") {
      return "its price is not known, so neither is what this run would spend. Give it a maxPrice, which then counts as the price, or arguments that are known at preview.";
    }
    const sum = sumSpends(all.filter(({ price }) => typeof price !== "string"));
    if ("problem" in sum) return `${sum.problem}, so stack-budget can't be held.`;
    if (sum.amount <= max || spend.price.amount === 0) return undefined;
    const { currency } = sum;
    return `with its ${formatPrice(spend.price)} this run would spend ${sum.exact ? "" : "up to "}${formatPrice(sum)}, above the ${formatPrice({ amount: max, currency })} that max allows. Buy less, or raise max in the config of stack-budget.`;
  },
});
