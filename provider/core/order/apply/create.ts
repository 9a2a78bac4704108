import type { SpendingAccount } from "../../account.ts";
import { isOfSameHolder } from "../../records/hand-over.ts";
import { type Intent, knownAs } from "../../records/intent.ts";
import { isPriced, type PricedQuote } from "../../spending/quote.ts";
import { isSpending } from "../../values/effect.ts";
import { ProxyRentalError, rethrowExplained } from "../../values/errors.ts";
import { nameOf } from "../../values/owner.ts";
import { adoptOrder, isAdopting } from "../adopt/adopt.ts";
import { describeHeld } from "../model/args.ts";
import { type PaidOrder, toReceipt } from "../model/receipt.ts";
import { type CheckedOrder, type OrderState, openOrder, paidUntil } from "../model/state.ts";
import { findRecovered } from "../recover/recover.ts";
import { deliverPurchase } from "./delivery.ts";
import { purchaseOrder } from "./purchase.ts";

/**
 * Carries the plan out, and waits for the proxies. The order is bought, or an earlier run has paid it, or the program
 * names it. Once its number is known, every failure carries it (`DeliveryPendingError`).
 */
export async function createOrder(
  account: SpendingAccount,
  checked: CheckedOrder,
): Promise<OrderState> {
  if (checked.quote.effect === "adopt" && isAdopting(checked)) {
    const adopted = await adoptOrder(account, checked).catch(rethrowExplained);
    const { owner, requestId: id, orderNumber } = adopted;
    const line = `took over order ${orderNumber}, ${describeHeld(adopted)}, paid ${paidUntil(adopted)}; nothing was bought`;
    await account.story.did(owner, { id, line });
    return adopted;
  }
  const paid = await obtainOrder(account, checked, checked.quantity).catch(rethrowExplained);
  return deliverPurchase(account, paid, openOrder(checked, toReceipt(paid)));
}

/** Gets the order that the plan showed: buys it now, or takes over one that an earlier run has paid. */
export async function obtainOrder(
  account: SpendingAccount,
  checked: CheckedOrder,
  quantity: number,
): Promise<PaidOrder> {
  if (checked.quote.effect !== "recover") {
    return purchaseOrder(account, { ...checked, quantity }, assertPlanned(checked, quantity));
  }
  const paid = await findRecovered(account, checked);
  if (paid.purchase.request.quantity !== quantity) throw notPlanned(checked, quantity);
  await account.hearOthers();
  const { owner } = checked;
  const rival = account.registry.rivalOf(owner, knownAs(paid));
  if (rival !== undefined) throw takenByRival(paid, rival);
  const { orderNumber } = paid;
  const given = await account.journal.give(paid, owner, {}, (now) => assertStillLeft(paid, now));
  return { ...given, orderNumber };
}

/** Another stack may have adopted it since it was found, or a person may have said that it is done with. */
function assertStillLeft(found: PaidOrder, now: Intent): void {
  if (isOfSameHolder(found, now) && now.phase !== "closed") return;
  const what = now.phase === "closed" ? "is closed by now" : `${nameOf(now.owner)} has by now`;
  throw new ProxyRentalError(
    "NOT_PLANNED",
    `the plan takes over order ${found.orderNumber}, which an earlier run has bought for this resource, and which ${what}. Nothing was bought. Run \`pulumi preview\` to plan anew.`,
  );
}

/** Two resources of one program take one order over: an earlier run has bought it for one, and the other one names it. */
function takenByRival({ orderNumber }: PaidOrder, rival: string): ProxyRentalError {
  return new ProxyRentalError(
    "NOT_PLANNED",
    `the plan takes over order ${orderNumber}, which an earlier run has bought for this resource, but ${nameOf(rival)} takes it over in the same run. Nothing was bought. Run \`pulumi preview\` to plan anew.`,
  );
}

/**
 * Throws unless the checked inputs hold a price for this quantity: nothing is bought that the plan did not show. A
 * policy may have changed the quantity since.
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
