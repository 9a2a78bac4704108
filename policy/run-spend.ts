import { addAmounts } from "./amount.ts";
import { type MonthlyBudget, type Price, parsePlannedSpend } from "./planned-spend.ts";
import { canBuy } from "./resource-kind.ts";

/** What one resource would spend in this run. */
export interface Spend {
  name: string;
  price: Price | "open" | "unreadable";
  balance: number | undefined;
  budget: MonthlyBudget | undefined;
}

/** Undefined for what costs nothing in this run, whatever was paid for it before. */
export function parseSpend({
  type,
  name,
  props,
}: {
  type: string;
  name: string;
  props: Record<string, unknown>;
}): Spend | undefined {
  if (!canBuy(type)) return undefined;
  const { price, spends, balance, budget } = parsePlannedSpend({ props });
  return price === "free" || !spends ? undefined : { name, price, balance, budget };
}

/** What several spend together, or why that can't be said. */
export function sumSpends(all: readonly Spend[]): Price | { problem: string } {
  const prices: Price[] = [];
  for (const { name, price } of all) {
    if (typeof price === "string") return { problem: `what ${name} costs is not known` };
    prices.push(price);
  }
  const currencies = [...new Set(prices.flatMap(({ currency }) => currency ?? []))];
  if (currencies.length > 1) {
    return { problem: `prices in ${currencies.join(" and ")} can't be added up` };
  }
  const amount = addAmounts(prices.map((price) => price.amount));
  return { amount, currency: currencies[0], exact: prices.every(({ exact }) => exact) };
}
