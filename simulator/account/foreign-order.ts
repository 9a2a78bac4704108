import type { Account } from "./account.ts";
import type { Order } from "./order.ts";
import type { PricedItem } from "./pricing.ts";

/**
 * Somebody else buys with the same account. Does nothing and gives undefined if the balance or the room does not
 * allow it.
 */
export function placeForeignOrder(account: Account, wanted: PricedItem): Order | undefined {
  account.settle();
  const { proxyType, country, quantity, rentPeriodDays } = wanted;
  const item = { proxyType, country, quantity, rentPeriodDays };
  const price = account.prices.price(item, 0);
  if (!account.ledger.covers(price) || !account.hasRoomFor(quantity)) return undefined;
  return account.placeOrder(item, price, "foreign", { goal: "somebody else's", authType: "LOGIN" });
}
