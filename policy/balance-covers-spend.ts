import { z } from "zod";
import { addAmounts } from "./amount.ts";
import { limit } from "./config-values.ts";
import { formatPrice } from "./price-text.ts";
import { defineRunPolicy } from "./run-policy.ts";
import { parseSpend, type Spend, sumSpends } from "./run-spend.ts";

const config = z.strictObject({
  minBalanceAfter: limit
    .optional()
    .describe("What must be left on the account after the run, in account currency."),
});

/** What must be left after a run, in account currency, at least 0. Without it, it is enough to have no debt. */
export type BalanceCoversSpendConfig = z.input<typeof config>;

/**
 * Compares what one run would spend with the account's balance before it, so that enough is left for what renews
 * itself. With `minBalanceAfter`, a plan is refused if it does not tell the balance (`proxyrental:showBalance`
 * false), or if its price is not known. Without it such a plan passes, because the provider compares each run with
 * the live balance anyway. What is free is not refused by itself. If too little is left beside it, the stack is.
 */
export const balanceCoversSpend = defineRunPolicy({
  name: "balance-covers-spend",
  description: "All purchases of one run must leave enough balance on the account.",
  config,
  read: parseSpend,
  judge: (spend, all, { minBalanceAfter }) =>
    typeof spend.price !== "string" && spend.price.amount === 0
      ? undefined
      : findShortage(all, minBalanceAfter),
  judgeAll(all, { minBalanceAfter }) {
    const message = findShortage([...all.values()], minBalanceAfter);
    return message === undefined ? [] : [{ message }];
  },
});

function findShortage(
  all: readonly Spend[],
  minBalanceAfter: number | undefined,
): string | undefined {
  const strict = minBalanceAfter !== undefined;
  if (all.length === 0) return undefined;
  const sum = sumSpends(all);
  if ("problem" in sum) {
    return strict
      ? `${sum.problem}, so it can't be said what would be left on the account. Give each order a maxPrice, which then counts as the price.`
      : undefined;
  }
  const balances = all.flatMap(({ balance }) => balance ?? []);
  if (balances.length === 0) {
    return strict
      ? "the plan does not tell the account's balance, so it can't be said what would be left. Let proxyrental:showBalance be true, or take minBalanceAfter out of the config of balance-covers-spend."
      : undefined;
  }
  // Each is the balance before the run. Another stack may have spent between two of them.
  const balance = Math.min(...balances);
  const after = addAmounts([balance, -sum.amount]);
  if (after >= (minBalanceAfter ?? 0)) return undefined;
  const { currency } = sum;
  const [spent, left, wanted] = [sum.amount, after, minBalanceAfter ?? 0].map((amount) =>
    formatPrice({ amount, currency }),
  );
  return `this run would spend ${sum.exact ? "" : "up to "}${spent} and leave ${left} on the account, less than the ${wanted} that minBalanceAfter asks for. Buy less, pay in, or lower minBalanceAfter in the config of balance-covers-spend.`;
}
