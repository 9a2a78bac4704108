import type { NamesOfType } from "../../records/intent.ts";
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

/** The names of a purchase's order in the listing; its number until it was found there. That may be another order's id then. */
export function listedNamesOf({ orderNumber, orderIds }: Receipt): readonly string[] {
  return orderIds.length > 0 ? orderIds : [orderNumber];
}

/** Every order that a state holds, by every name. */
export function ordersIn({ proxyType, orderNumber, orderIds, purchases }: OrderState): NamesOfType {
  const names = new Set([orderNumber, ...orderIds, ...purchases.flatMap(namesOfReceipt)]);
  return { proxyType, names: [...names] };
}
