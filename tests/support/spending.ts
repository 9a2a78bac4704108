import type { Simulator } from "../../simulator/index.ts";

/** What an account was asked to spend, and what it was charged. */
export interface Spending {
  /** POSTs of an order, refused ones included. */
  orderCalls: number;
  /** POSTs of an extension, refused ones included. */
  extendCalls: number;
  /** Every charge to the cent, oldest first. */
  charges: string[];
}

/** What must be so after everything that promises to spend nothing. */
export const nothingSpent: Spending = { orderCalls: 0, extendCalls: 0, charges: [] };

/** Both halves of the promise at once: how often money was asked for, and how much went. */
export function spendingOf(simulator: Simulator): Spending {
  const { createOrder, extend } = simulator.requestCounts();
  const charges = simulator.ledger().map((entry) => entry.price);
  return { orderCalls: createOrder, extendCalls: extend, charges };
}

/** One order call for each of these charges, and nothing else. */
export function ordered(...charges: string[]): Spending {
  return { orderCalls: charges.length, extendCalls: 0, charges };
}
