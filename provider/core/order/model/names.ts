import type { OrderState } from "./state.ts";

/** The numbers of all orders that a state holds. */
export function numbersOf({ orderNumber, purchases }: OrderState): string[] {
  return [...new Set([orderNumber, ...purchases.map((purchase) => purchase.orderNumber)])];
}

/** Every name of every order that a state holds. */
export function namesIn({ orderNumber, orderIds, purchases }: OrderState): string[] {
  const bought = purchases.flatMap((purchase) => [purchase.orderNumber, ...purchase.orderIds]);
  return [...new Set([orderNumber, ...orderIds, ...bought])];
}
