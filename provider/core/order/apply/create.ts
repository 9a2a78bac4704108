import type { SpendingAccount } from "../../account.ts";
import { isPriced, type PricedQuote } from "../../spending/quote.ts";
import { isSpending } from "../../values/effect.ts";
import { ProxyRentalError, rethrowExplained } from "../../values/errors.ts";
import { adoptOrder, isAdopting } from "../adopt/adopt.ts";
import { type PaidOrder, toReceipt } from "../model/receipt.ts";
import { type CheckedOrder, type OrderState, openOrder } from "../model/state.ts";
import { findTakenOver } from "../recover/recover.ts";
import { deliverPurchase } from "./delivery.ts";
import { purchaseOrder } from "./purchase.ts";

/**
 * Makes what the plan showed, and waits for the proxies: an order that is bought, or one that an earlier
 * run has paid and is taken over, or one that the program names. Once its number is known, every failure
 * carries it (`DeliveryPendingError`).
 */
export async function createOrder(
  account: SpendingAccount,
  checked: CheckedOrder,
): Promise<OrderState> {
  if (checked.quote.effect === "adopt" && isAdopting(checked)) {
    return adoptOrder(account, checked).catch(rethrowExplained);
  }
  const paid = await obtainOrder(account, checked, checked.quantity).catch(rethrowExplained);
  return deliverPurchase(account, paid, openOrder(checked, toReceipt(paid)));
}

/** Gets the order that the plan showed: one that is bought now, or one that an earlier run has paid. */
export async function obtainOrder(
  account: SpendingAccount,
  checked: CheckedOrder,
  quantity: number,
): Promise<PaidOrder> {
  if (checked.quote.effect !== "recover") {
    return purchaseOrder(account, { ...checked, quantity }, assertPlanned(checked, quantity));
  }
  const paid = await findTakenOver(account, checked);
  if (paid.purchase.request.quantity !== quantity) throw notPlanned(checked, quantity);
  return paid;
}

/**
 * Nothing is bought that the plan did not show: without a price in the checked inputs, or with one for
 * another quantity (a policy may have changed it since), there is no order.
 */
function assertPlanned(checked: CheckedOrder, quantity: number): PricedQuote {
  const { quote } = checked;
  if (isSpending(quote) && isPriced(quote) && quote.quantity === quantity) return quote;
  throw notPlanned(checked, quantity);
}

function notPlanned({ quote }: CheckedOrder, quantity: number): ProxyRentalError {
  return new ProxyRentalError(
    "NOT_PLANNED",
    `the plan shows no purchase of ${quantity} proxies (effect ${quote.effect}), so nothing was bought. Run \`pulumi up --refresh\` to plan anew.`,
  );
}
