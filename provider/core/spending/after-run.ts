import { formatMoney, subtractMoney } from "../values/money.ts";
import { type BudgetUse, describeBudget } from "./budget.ts";
import type { SpendLimit } from "./spend-limit.ts";

/** What is known of the account when a purchase is planned. */
interface Funds {
  balance: number;
  budget: BudgetUse | undefined;
  currency: string;
}

/** The end of a preview's line: what all that the run has planned so far leaves of the balance and of the budget. */
export function describeAfterRun(
  account: { spendLimit: Pick<SpendLimit, "planned">; settings: { showBalance: boolean } },
  { balance, budget, currency }: Funds,
): string {
  const planned = account.spendLimit.planned();
  const left = formatMoney(subtractMoney(balance, planned), currency);
  const ofBalance = account.settings.showBalance ? `; balance after all of this run: ${left}` : "";
  const ofBudget = budget === undefined ? "" : `; ${describeBudget(budget, planned, currency)}`;
  return `${ofBalance}${ofBudget}`;
}
