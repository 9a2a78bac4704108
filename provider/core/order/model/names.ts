import type { OrderState } from "./state.ts";

/** The numbers of all orders that a state holds. */
export function numbersOf({ orderNumber, purchases }: OrderState): string[] {
  return [...new Set([orderNumber, ...purchases.map((purchase) => purchase.orderNumber)])];
}

/** The numbers of the orders that a resource has bought itself. */
export function boughtBy({ purchases }: OrderState): ReadonlySet<string> {
  return new Set(purchases.map(({ orderNumber }) => orderNumber));
}

/** Every name of every order that a state holds. */
export function namesIn({ orderNumber, orderIds, purchases }: OrderState): string[] {
  const bought = purchases.flatMap((purchase) => [purchase.orderNumber, ...purchase.orderIds]);
  return [...new Set([orderNumber, ...orderIds, ...bought])];
}
