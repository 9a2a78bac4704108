import { isServiceError, type ServiceError } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { ProxyRentalError, rethrowExplained } from "../errors.ts";
import { formatMoney } from "../money.ts";
import { findGateFailures, isPriced, type PricedQuote } from "../quote.ts";
import { describeOrder, toOrderRequest } from "./args.ts";
import { awaitDelivery } from "./delivery.ts";
import {
  type CheckedOrder,
  type OrderState,
  openOrder,
  type Purchase,
  toPurchase,
} from "./state.ts";

/**
 * Buys what the plan showed: asks for the price again, passes every gate again, orders **exactly once**,
 * and waits for the proxies. Asked again with the same requestId in this process, it waits on the same
 * order. Once the order is accepted, every failure carries its number (`DeliveryPendingError`).
 */
export async function createOrder(account: Account, checked: CheckedOrder): Promise<OrderState> {
  const shown = assertPlanned(checked);
  const purchase = await account.spending
    .once(checked.requestId, {
      confirm: () => confirmPrice(account, checked, shown),
      send: (price) => sendOrder(account, checked, price),
    })
    .catch(rethrowExplained);
  return awaitDelivery(account, openOrder(checked, purchase));
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

async function confirmPrice(
  { service }: Account,
  checked: CheckedOrder,
  shown: PricedQuote,
): Promise<PricedQuote> {
  const calculation = await service.calculateOrder(toOrderRequest(checked));
  const [failure] = findGateFailures(checked, calculation);
  if (failure) {
    throw new ProxyRentalError(
      failure.code,
      `${failure.property} ${failure.reason}. Nothing was bought for this resource.`,
    );
  }
  const { price, currency, discount } = calculation;
  if (price === null || currency !== shown.currency || price > shown.price) {
    throw new ProxyRentalError(
      "PRICE_ROSE",
      `the plan showed ${formatMoney(shown.price, shown.currency)}, the service now asks ${price === null ? "no price" : formatMoney(price, currency)}. Nothing was bought for this resource. Run \`pulumi preview\` to see the new price.`,
    );
  }
  return { ...shown, price, discount };
}

async function sendOrder(
  { service, clock, listing, log }: Account,
  checked: CheckedOrder,
  price: PricedQuote,
): Promise<Purchase> {
  const sentAt = clock.now();
  const accepted = await service.createOrder(toOrderRequest(checked)).catch((error: unknown) => {
    if (!isServiceError(error) || error.outcome === "rejected") throw error;
    throw outcomeUnknown(checked, error, sentAt);
  });
  listing.invalidate();
  if (checked.promoCode !== undefined && accepted.promoCodeStatus !== "VALID") {
    log.warn(
      `order ${accepted.orderNumber}: the promo code was valid when the price was asked and is not any more; the order was charged without it`,
    );
  }
  return toPurchase(checked, price, accepted, clock.now());
}

function outcomeUnknown(checked: CheckedOrder, error: ServiceError, sentAt: Date) {
  const { quote } = checked;
  const price = isPriced(quote) ? formatMoney(quote.price, quote.currency) : "its price";
  return new ProxyRentalError(
    "ORDER_OUTCOME_UNKNOWN",
    `${error.message}. The order for ${describeOrder(checked)} may have been placed and charged; it was not sent again. Before you run again, look in the account for an order of ${describeOrder(checked)} that began about ${sentAt.toISOString()}, and whether the balance fell by ${price}. Nothing more is bought in this run.`,
  );
}
