import { z } from "zod";
import { addAmounts, shareAmount } from "./amount.ts";
import { formatPrice } from "./price-text.ts";
import { defineRunPolicy } from "./run-policy.ts";
import { parseSpend, type Spend, sumSpends } from "./run-spend.ts";

const config = z.strictObject({
  maxShare: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("Most of the account's monthly budget that may be spent after a run, in percent."),
});

/** The share of the monthly budget, in percent, at most 100. Without one every run passes. */
export type MonthlyBudgetConfig = z.input<typeof config>;

/**
 * Demands `proxyrental:monthlyBudget` of each account that a run spends from, and judges what would be spent of it: in
 * this month before the run, and by the run. The provider itself holds the whole of it, so with a share of 100 a plan
 * passes that does not tell what is spent (`proxyrental:showBalance` false). An unknown price counts as what it can't
 * exceed (`maxPrice`), and is refused without that.
 */
export const monthlyBudget = defineRunPolicy({
  name: "monthly-budget",
  description: "What is bought is held by a monthly budget.",
  config,
  read: parseSpend,
  judge: (spend, all, { maxShare }) =>
    findFault([spend], maxShare) ??
    (isFree(spend) ? undefined : findFault(findJudged(all), maxShare)),
});

function isFree({ price }: Spend): boolean {
  return typeof price !== "string" && price.amount === 0;
}

/** Those with a budget and a price. What is wrong with the others was said of them. */
function findJudged(all: readonly Spend[]): Spend[] {
  return all.filter(({ budget, price }) => budget !== undefined && typeof price !== "string");
}

function findFault(all: readonly Spend[], maxShare: number | undefined): string | undefined {
  const spends = all.filter((spend) => !isFree(spend));
  if (maxShare === undefined || spends.length === 0) return undefined;
  const without = spends.filter(({ budget }) => budget === undefined);
  if (without.length > 0) {
    const names = without.map(({ name }) => name).join(", ");
    return `what ${names} would spend is held by no monthly budget. Set proxyrental:monthlyBudget, or take maxShare out of the config of monthly-budget.`;
  }
  const budgets = spends.flatMap(({ budget }) => budget ?? []);
  const sum = sumSpends(spends);
  if ("problem" in sum) {
    return `${sum.problem}, so monthly-budget can't be held. Give each order a maxPrice, which then counts as the price.`;
  }
  const told = budgets.flatMap(({ spent }) => spent ?? []);
  if (told.length < budgets.length) {
    return maxShare === 100
      ? undefined
      : "the plan does not tell what is spent of the monthly budget. Let proxyrental:showBalance be true, or let maxShare be 100 in the config of monthly-budget.";
  }
  // Each is what was spent before the run. Another stack may have bought something between two of them.
  const spent = Math.max(...told);
  const monthly = Math.min(...budgets.map((budget) => budget.monthly));
  const allowed = shareAmount(monthly, maxShare, 100);
  if (addAmounts([spent, sum.amount]) <= allowed) return undefined;
  const { currency } = sum;
  const [gone, whole, own, most] = [spent, monthly, sum.amount, allowed].map((amount) =>
    formatPrice({ amount, currency }),
  );
  return `${gone} of the monthly budget of ${whole} are spent, and this run would spend ${sum.exact ? "" : "up to "}${own}: together more than the ${most} (${maxShare} %) that maxShare allows. Buy less, or raise proxyrental:monthlyBudget, or maxShare in the config of monthly-budget.`;
}
