import type { ProxyRecord, RentedProxy } from "../../client/index.ts";
import { addressOf } from "../journal/evidence.ts";
import { ofOrders, type Snapshot } from "../listing.ts";
import type { OrderState, ReleasedProxy } from "./state.ts";

/** What a listing shows of the proxies of a resource, held against what is recorded. */
export interface Tally {
  /** Listed and living: what the resource holds. */
  held: ProxyRecord[];
  /** Listed and living: what it has let go of. */
  released: ProxyRecord[];
  /** How many of those that were held have ended for certain, or are declared gone. */
  ended: number;
  /** How many of these had not arrived, and will not: a person declares their order gone. */
  cancelled: number;
  /** How many should be listed and are not. */
  missing: number;
  /** How many have ended, by the listing, although their auto-extension is on. */
  renewing: number;
}

/** Counts what a complete listing shows of a resource. */
export function tally(
  state: OrderState,
  snapshot: Snapshot,
  goneOrders: ReadonlySet<string>,
): Tally {
  const { asOf } = snapshot;
  const goneIds = findGoneIds(state, goneOrders);
  const listed = ofOrders(snapshot.records, state.orderIds).filter(
    ({ orderId }) => !goneIds.has(orderId),
  );
  const living = listed.filter((record) => !hasEnded(record, asOf));
  const past = listed.filter((record) => hasEnded(record, asOf));
  const isListed = among(snapshot.records);
  const isPast = among(past);
  /** Not listed any more, under whatever order, and its end has passed, and nothing was to extend it. */
  const hasLeft = (proxy: ReleasedProxy) =>
    !isListed(proxy) && hasEnded(proxy, asOf) && !proxy.extendInfo.autoExtend;
  const isOver = (proxy: ReleasedProxy) =>
    goneIds.has(proxy.orderId) || isPast(proxy) || hasLeft(proxy);

  const remaining = state.released.filter((proxy) => !isOver(proxy));
  const { held, released } = share(state, living, remaining);
  const cancelled = countCancelled(state, goneOrders);
  const ended = state.proxies.filter(isOver).length + cancelled;
  return {
    held,
    released,
    ended,
    cancelled,
    missing: Math.max(0, state.holdings.held - ended + remaining.length - living.length),
    renewing: past.filter((record) => record.extendInfo.autoExtend).length,
  };
}

/** Tells what is held from what was let go; what the service has exchanged takes the place of what is missing. */
function share(
  { proxies, holdings }: OrderState,
  living: readonly ProxyRecord[],
  remaining: readonly ReleasedProxy[],
): { held: ProxyRecord[]; released: ProxyRecord[] } {
  const isReleased = among(remaining);
  const isRecorded = among(proxies);
  const found = living.filter(isReleased);
  const surplus = living.length - found.length - holdings.held;
  const exchanged = living
    .filter((record) => !isReleased(record) && !isRecorded(record))
    .slice(0, Math.max(0, Math.min(surplus, remaining.length - found.length)));
  const released = new Set([...found, ...exchanged]);
  return { held: living.filter((record) => !released.has(record)), released: [...released] };
}

/** Whether a proxy is one of these: by its id, or by its address where the service has changed that. */
export function among(proxies: readonly ReleasedProxy[]): (proxy: ReleasedProxy) => boolean {
  const ids = new Set(proxies.map(({ ipAddressId }) => ipAddressId));
  const addresses = new Set(proxies.map(addressOf));
  return (proxy) => ids.has(proxy.ipAddressId) || addresses.has(addressOf(proxy));
}

/** The listing's ids of the orders that a person declares gone. */
function findGoneIds(
  { orderNumber, orderIds, purchases }: OrderState,
  goneOrders: ReadonlySet<string>,
): ReadonlySet<string> {
  const bought = purchases.flatMap((purchase) => purchase.orderIds);
  const gone = purchases.filter((purchase) => goneOrders.has(purchase.orderNumber));
  const takenOver = orderIds.filter((orderId) => !bought.includes(orderId));
  return new Set([
    ...gone.flatMap((purchase) => purchase.orderIds),
    ...(goneOrders.has(orderNumber) ? takenOver : []),
    ...orderIds.filter((orderId) => goneOrders.has(orderId)),
  ]);
}

/**
 * Of the order that is waited for, if it is declared gone, what had not arrived: it will not come any more. Of
 * earlier orders this has been counted when they were waited for.
 */
function countCancelled(state: OrderState, goneOrders: ReadonlySet<string>): number {
  const awaited = state.purchases.at(-1);
  if (state.status !== "pendingDelivery" || awaited === undefined) return 0;
  const { orderNumber, orderIds, quantity } = awaited;
  if (![orderNumber, ...orderIds].some((name) => goneOrders.has(name))) return 0;
  return quantity - state.proxies.filter(({ orderId }) => orderIds.includes(orderId)).length;
}

/** By the service's own clock; without one, or without an end, nothing has ended. */
export function hasEnded(proxy: Pick<RentedProxy, "dateEnd">, asOf: Date | undefined): boolean {
  if (asOf === undefined || proxy.dateEnd === undefined) return false;
  return Date.parse(proxy.dateEnd) <= asOf.getTime();
}
