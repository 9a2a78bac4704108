import type { Store } from "./account.ts";
import type { Order } from "./order.ts";
import type { PricedItem } from "./pricing.ts";

/** Somebody else buys with the same account; undefined, and nothing done, when the balance does not cover it. */
export function placeForeignOrder(store: Store, wanted: PricedItem): Order | undefined {
  store.settle();
  const { proxyType, country, quantity, rentPeriodDays } = wanted;
  const item = { proxyType, country, quantity, rentPeriodDays };
  const price = store.prices.price(item, 0);
  if (!store.ledger.covers(price)) return undefined;
  return store.placeOrder(item, price, "foreign", { goal: "somebody else's", authType: "LOGIN" });
}
