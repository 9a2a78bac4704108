import type { Account } from "../../account.ts";
import { rethrowExplained } from "../../values/errors.ts";
import { adoptOrder, isAdopting } from "../adopt/adopt.ts";
import { toPurchase } from "../model/receipt.ts";
import { type CheckedOrder, type OrderState, openOrder } from "../model/state.ts";
import { deliverPurchase } from "./delivery.ts";
import { obtainOrder } from "./obtain.ts";

/**
 * Makes what the plan showed, and waits for the proxies: an order that is bought, or one that an earlier
 * run has paid and is taken over, or one that the program names. Once its number is known, every failure
 * carries it (`DeliveryPendingError`).
 */
export async function createOrder(account: Account, checked: CheckedOrder): Promise<OrderState> {
  if (checked.quote.effect === "adopt" && isAdopting(checked)) {
    return adoptOrder(account, checked).catch(rethrowExplained);
  }
  const paid = await obtainOrder(account, checked, checked.quantity).catch(rethrowExplained);
  return deliverPurchase(account, paid, openOrder(checked, toPurchase(paid)));
}
