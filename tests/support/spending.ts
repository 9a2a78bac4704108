import type { Simulator } from "../../simulator/index.ts";

/** The spending calls that an account received, and its charges. */
export interface Spending {
  /** POSTs of an order. Refused ones are counted, too. */
  orderCalls: number;
  /** POSTs of an extension. Refused ones are counted, too. */
  extendCalls: number;
  /** Every charge to the cent, oldest first. */
  charges: string[];
}

/** The result of every action that promises to spend nothing. */
export const nothingSpent: Spending = { orderCalls: 0, extendCalls: 0, charges: [] };

/** Both halves of the promise: the number of spending calls, and the charges. */
export function spendingOf(simulator: Simulator): Spending {
  const { createOrder, extend } = simulator.requestCounts();
  const charges = simulator.ledger().map((entry) => entry.price);
  return { orderCalls: createOrder, extendCalls: extend, charges };
}

/** The result of one order call for each of these charges, and of no other call. */
export function ordered(...charges: string[]): Spending {
  return { orderCalls: charges.length, extendCalls: 0, charges };
}
