import type { TypeListing } from "../../provider/core/account/type-listing.ts";
import {
  findLivingOrders,
  type LivingOrder,
} from "../../provider/core/order/adopt/living-orders.ts";
import type { ListedOrder } from "../listed-order.ts";

/** Which orders are asked for. An empty set asks for all. */
export interface Wanted {
  countries: ReadonlySet<string>;
  orderIds: ReadonlySet<string>;
  /** Whether a state has an order, or it is somebody else's. Such an order is never asked for. */
  isAccounted: (order: ListedOrder) => boolean;
}

/** An order that was asked for by its id, and can't be adopted. */
export interface Unavailable {
  orderId: string;
  why: string;
}

/** Finds the orders that are asked for, among those that have not ended. */
export function findAdoptable(
  listings: readonly TypeListing[],
  wanted: Wanted,
): { orders: LivingOrder[]; unavailable: Unavailable[] } {
  const all = listings.flatMap(findLivingOrders);
  const listedIds = new Set(
    listings.flatMap(({ records }) => records.map((record) => record.orderId)),
  );
  const isMeant = ({ country }: LivingOrder) =>
    wanted.countries.size === 0 || wanted.countries.has(country);
  const orders = all.filter(
    (order) =>
      isMeant(order) &&
      !wanted.isAccounted(order) &&
      (wanted.orderIds.size === 0 || wanted.orderIds.has(order.orderId)),
  );
  const explain = (orderId: string): string => {
    if (listings.some(({ proxyType }) => wanted.isAccounted({ proxyType, orderId }))) {
      return "is in a given state, or declared somebody else's";
    }
    if (all.some((order) => order.orderId === orderId)) return "is in none of the given countries";
    if (listedIds.has(orderId)) return "has ended";
    const types = listings.map(({ proxyType }) => proxyType).join(", ");
    return `is not among the account's ${types} proxies`;
  };
  const unavailable = [...wanted.orderIds]
    .filter((orderId) => !orders.some((order) => order.orderId === orderId))
    .map((orderId) => ({ orderId, why: explain(orderId) }));
  return { orders, unavailable };
}
