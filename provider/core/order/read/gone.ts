import type { Receipt } from "../model/receipt.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";

/** The listing's ids of the orders that a person declares gone. */
export function findGoneIds(
  { orderNumber, orderIds, purchases }: Pick<OrderState, "orderNumber" | "orderIds" | "purchases">,
  goneOrders: ReadonlySet<string>,
): ReadonlySet<string> {
  const bought = purchases.flatMap((purchase) => purchase.orderIds);
  const gone = purchases.filter((purchase) => isGone(purchase, goneOrders));
  const takenOver = orderIds.filter((orderId) => !bought.includes(orderId));
  return new Set([
    ...gone.flatMap((purchase) => purchase.orderIds),
    ...(goneOrders.has(orderNumber) ? takenOver : []),
    ...orderIds.filter((orderId) => goneOrders.has(orderId)),
  ]);
}

/** Whether a person declares a proxy gone, with its order or by its own id. */
export function isDeclaredGone(
  { orderId, ipAddressId }: Pick<ReleasedProxy, "orderId" | "ipAddressId">,
  goneIds: ReadonlySet<string>,
  goneOrders: ReadonlySet<string>,
): boolean {
  return goneIds.has(orderId) || goneOrders.has(ipAddressId);
}

function isGone({ orderNumber, orderIds }: Receipt, goneOrders: ReadonlySet<string>): boolean {
  return [orderNumber, ...orderIds].some((name) => goneOrders.has(name));
}

/** The purchase that is still to be delivered: the newest, because nothing more is bought meanwhile. */
export function findAwaited(
  { status, purchases }: OrderState,
  goneOrders: ReadonlySet<string>,
): Receipt | undefined {
  const newest = purchases.at(-1);
  if (status !== "pendingDelivery" || newest === undefined) return undefined;
  return isGone(newest, goneOrders) ? undefined : newest;
}

/** How many proxies of a pending order will never arrive, because a person declares it gone. */
export function countCancelled(
  { status, purchases, proxies }: OrderState,
  goneOrders: ReadonlySet<string>,
): number {
  const newest = purchases.at(-1);
  if (status !== "pendingDelivery" || newest === undefined) return 0;
  if (!isGone(newest, goneOrders)) return 0;
  const arrived = proxies.filter(({ orderId }) => newest.orderIds.includes(orderId)).length;
  return newest.quantity - arrived;
}
