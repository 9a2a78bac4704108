import { leftOf } from "../../provider/core/spending/budget.ts";
import {
  type Estimate,
  estimateLeft,
  estimateSpent,
  type Spending,
} from "../../provider/core/spending/estimate.ts";
import type { Quote } from "../../provider/core/spending/quote.ts";
import type { PlannedResource } from "./preview-file.ts";
import { type Sum, spendingIn } from "./sums.ts";

/** The balance before this run and after it. */
export interface Balance {
  currency: string;
  before: number;
  after: number;
  afterIs: Estimate["is"];
}

/** The account's monthly budget, as a plan tells it. */
export interface PlannedBudget {
  /** Undefined if the plan names none. */
  currency: string | undefined;
  /** The most that the account may spend in a calendar month. */
  monthly: number;
  /** What was spent in this month before the run; undefined if the plan does not tell it. */
  spent: number | undefined;
  /** What this run spends. */
  thisRun: number;
  thisRunIs: Estimate["is"];
  /** What is left after that; undefined if the plan does not tell what was spent. */
  left: number | undefined;
  leftIs: Estimate["is"] | undefined;
  /** Whether it holds for every machine; `false` if its journal is of one. */
  isShared: boolean;
}

/** The balance that the run saw first. It is the same in each of its quotes. */
export function findBalance(
  resources: readonly PlannedResource[],
  sums: readonly Sum[],
  hasOpen: boolean,
): Balance | undefined {
  const shown = resources
    .filter(({ operation }) => operation !== "same")
    .flatMap(({ after }) => after?.quote ?? [])
    .find(({ balance, currency }) => balance !== undefined && currency !== undefined);
  if (shown?.balance === undefined || shown.currency === undefined) return undefined;
  return leaveBalance(shown.balance, shown.currency, sums, hasOpen);
}

/**
 * The balances after several plans. Plans of one currency are taken to share an account, so their balances are never
 * added. If they differ, something was paid between two previews: the lowest is the most careful one.
 */
export function joinBalances(
  balances: readonly Balance[],
  sums: readonly Sum[],
  hasOpen: boolean,
): Balance[] {
  return [...Map.groupBy(balances, ({ currency }) => currency)].map(([currency, own]) => {
    const before = Math.min(...own.map((balance) => balance.before));
    return leaveBalance(before, currency, sums, hasOpen);
  });
}

function leaveBalance(
  before: number,
  currency: string,
  sums: readonly Sum[],
  hasOpen: boolean,
): Balance {
  const after = estimateLeft(before, spendingIn(currency, sums, hasOpen));
  return { currency, before, after: after.amount, afterIs: after.is };
}

/** Each quote tells what was spent before the run. Another run may have bought something between two of them. */
export function findBudget(
  resources: readonly PlannedResource[],
  sums: readonly Sum[],
  hasOpen: boolean,
  currency: string | undefined,
): PlannedBudget | undefined {
  const told = resources
    .filter(({ operation }) => operation !== "same")
    .flatMap(({ after }) => after?.quote?.budget ?? []);
  // An account has one currency: several are of several accounts, and can't be added up.
  if (told.length === 0 || sums.length > 1) return undefined;
  const spending = spendingIn(sums[0]?.currency, sums, hasOpen);
  return useBudget(told, currency, spending);
}

/** The budgets after several plans: one for each currency, because plans of one currency share an account. */
export function joinBudgets(
  budgets: readonly PlannedBudget[],
  sums: readonly Sum[],
  hasOpen: boolean,
): PlannedBudget[] {
  return [...Map.groupBy(budgets, ({ currency }) => currency)].map(([currency, own]) =>
    useBudget(own, currency, spendingIn(currency, sums, hasOpen)),
  );
}

function useBudget(
  told: readonly NonNullable<Quote["budget"]>[],
  currency: string | undefined,
  spending: Spending,
): PlannedBudget {
  const monthly = Math.min(...told.map((budget) => budget.monthly));
  const amounts = told.flatMap(({ spent }) => spent ?? []);
  const spent = amounts.length === told.length ? Math.max(...amounts) : undefined;
  const thisRun = estimateSpent(spending);
  const left = spent === undefined ? undefined : leftOf({ monthly, spent }, spending);
  return {
    ...{ currency, monthly, spent },
    ...{ thisRun: thisRun.amount, thisRunIs: thisRun.is },
    ...{ left: left?.amount, leftIs: left?.is },
    isShared: told.every((budget) => budget.isShared !== false),
  };
}
