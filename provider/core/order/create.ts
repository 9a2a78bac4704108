import type { Account } from "../account.ts";
import { ProxyRentalError, rethrowExplained } from "../errors.ts";
import { isPriced, type PricedQuote } from "../quote.ts";
import { adoptOrder, isAdopting } from "./adopt.ts";
import { awaitDelivery, DeliveryPendingError } from "./delivery.ts";
import { purchaseOrder } from "./purchase.ts";
import { findTakenOver } from "./recover.ts";
import {
  type CheckedOrder,
  type OrderState,
  openOrder,
  type PaidOrder,
  toPurchase,
} from "./state.ts";

/**
 * Makes what the plan showed, and waits for the proxies: an order that is bought, or one that an earlier
 * run has paid and is taken over, or one that the program names. Once its number is known, every failure carries it (`DeliveryPendingError`).
 */
export async function createOrder(account: Account, checked: CheckedOrder): Promise<OrderState> {
  if (checked.quote.effect === "adopt" && isAdopting(checked)) {
    return adoptOrder(account, checked).catch(rethrowExplained);
  }
  const intent = await orderOf(account, checked).catch(rethrowExplained);
  const tell = ({ orderIds }: OrderState) =>
    // From here on the engine knows the order; until a later run shows that it was saved, this stays open.
    account.journal.note(intent, { phase: "returned", orderIds });
  try {
    const state = await awaitDelivery(account, openOrder(checked, toPurchase(intent)));
    await tell(state);
    return state;
  } catch (error) {
    if (error instanceof DeliveryPendingError) await tell(error.state);
    throw error;
  }
}

async function orderOf(account: Account, checked: CheckedOrder): Promise<PaidOrder> {
  if (checked.quote.effect === "recover") return findTakenOver(account, checked);
  return purchaseOrder(account, checked, assertPlanned(checked));
}

/**
 * Nothing is bought that the plan did not show: without a price in the checked inputs, or with one for
 * another quantity (a policy may have changed it since), there is no order.
 */
function assertPlanned({ quote, quantity }: CheckedOrder): PricedQuote {
  const buys = quote.effect === "buy" || quote.effect === "replace";
  if (buys && isPriced(quote) && quote.quantity === quantity) return quote;
  throw new ProxyRentalError(
    "NOT_PLANNED",
    `the plan shows no purchase of ${quantity} proxies (effect ${quote.effect}), so nothing was bought. Run \`pulumi up --refresh\` to plan anew.`,
  );
}
