import type { Spending } from "../../provider/core/spending/estimate.ts";
import { addMoney } from "../../provider/core/values/money.ts";

/** What is paid now: a price; if it is not known yet, what it can't exceed; or neither. */
export type Price =
  | { kind: "exact"; amount: number; currency: string }
  | { kind: "atMost"; amount: number; currency: string | undefined }
  | { kind: "nothing" }
  | { kind: "unknown" };

/** The sum in one currency. */
export interface Sum {
  /** Undefined for caps, if the plan names no currency, or several. */
  currency: string | undefined;
  /** The sum of the known prices. */
  price: number;
  /** The same with the caps of the unknown prices. */
  atMost: number;
}

/** Adds up prices, each currency for itself. */
export function addPrices(prices: readonly Price[]): Sum[] {
  const told = prices.filter((price) => price.kind === "exact" || price.kind === "atMost");
  return [...Map.groupBy(told, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    price: addMoney(...own.filter(({ kind }) => kind === "exact").map(({ amount }) => amount)),
    atMost: addMoney(...own.map(({ amount }) => amount)),
  }));
}

/** Adds up the sums of several plans, each currency for itself. */
export function addSums(sums: readonly Sum[]): Sum[] {
  return [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    price: addMoney(...own.map(({ price }) => price)),
    atMost: addMoney(...own.map(({ atMost }) => atMost)),
  }));
}

/** What is spent in one currency. A cap of no currency may be one of this. */
export function spendingIn(
  currency: string | undefined,
  sums: readonly Sum[],
  hasOpen: boolean,
): Spending {
  const { price, atMost } = sums.find((sum) => sum.currency === currency) ?? {
    price: 0,
    atMost: 0,
  };
  const isOpen =
    hasOpen || (currency !== undefined && sums.some((sum) => sum.currency === undefined));
  return { price, atMost, isOpen };
}
