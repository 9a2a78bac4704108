import type { OrderNames } from "../../records/run-fact.ts";
import type { Receipt } from "./receipt.ts";
import type { OrderState } from "./state.ts";

/** The numbers of all orders that a state holds. */
export function numbersOf({ orderNumber, purchases }: OrderState): string[] {
  return [...new Set([orderNumber, ...purchases.map((purchase) => purchase.orderNumber)])];
}

/** Every name of the order of a purchase, its number first. */
export function namesOfReceipt({ orderNumber, orderIds }: Receipt): OrderNames {
  return [orderNumber, ...orderIds];
}

/** Every name of every order that a state holds. */
export function namesIn({ orderNumber, orderIds, purchases }: OrderState): string[] {
  return [...new Set([orderNumber, ...orderIds, ...purchases.flatMap(namesOfReceipt)])];
}
