import { formatMoney, subtractMoney } from "../values/money.ts";

/** What a run may spend, as far as its plans tell. */
export interface Spending {
  /** The sum of the known prices. */
  price: number;
  /** The same with the caps of the unknown prices. */
  atMost: number;
  /** Whether something may be bought at a price that nobody knows and nothing caps. */
  isOpen: boolean;
}

/** An amount, or what it can't exceed, or what it can't fall below. */
export interface Estimate {
  amount: number;
  is: "exact" | "atMost" | "atLeast";
}

/** What is spent. If a price has no cap, the caps of the others bound nothing. */
export function estimateSpent({ price, atMost, isOpen }: Spending): Estimate {
  if (isOpen) return { amount: price, is: "atLeast" };
  return { amount: atMost, is: price === atMost ? "exact" : "atMost" };
}

const opposite = { exact: "exact", atMost: "atLeast", atLeast: "atMost" } as const;

/** What is left of an amount after that. */
export function estimateLeft(from: number, spending: Spending): Estimate {
  const { amount, is } = estimateSpent(spending);
  return { amount: subtractMoney(from, amount), is: opposite[is] };
}

const words = { exact: "", atMost: "at most ", atLeast: "at least " };

/** An estimate for people: "at most 5.00 USD". */
export function describeEstimate({ amount, is }: Estimate, currency: string): string {
  return `${words[is]}${formatMoney(amount, currency)}`;
}
