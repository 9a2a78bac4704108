import type { ProxyRecord } from "../../../client/index.ts";
import { ofOrders } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import { addressOf } from "../../proxies/address.ts";
import { endOf, hasEnded, isBackwards } from "../../values/dates.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";
import { countCancelled, findAwaited, findGoneIds, isDeclaredGone } from "./gone.ts";
import { withPaidEnd } from "./paid-end.ts";

/** What a listing shows of the proxies of a resource, held against what is recorded. */
export interface ListingComparison {
  /** Listed and living: what the resource holds. */
  held: ProxyRecord[];
  /** Listed and living: what it has let go of. */
  released: ProxyRecord[];
  /** How many of those that were held have ended for certain, or are declared gone. */
  ended: number;
  /** Whether a paid order has not been delivered yet, and will be for all that is known. */
  isAwaited: boolean;
  /** How many should be listed and are not; of an awaited order nobody can say. */
  missing: number;
  /** The recorded ones that are not listed; what the service has exchanged is among them. */
  unlisted: ReleasedProxy[];
  /** Those that have ended, by the listing, although their auto-extension is on. */
  renewing: ProxyRecord[];
  /** Recorded ones that have ended by the listing, and were recorded as paid for longer: a doubt. */
  cutShort: ReleasedProxy[];
  /** Those that are declared gone, and are listed and living. */
  undead: ProxyRecord[];
}

/** Counts what a complete listing shows of a resource. */
export function compareWithListing(
  state: OrderState,
  snapshot: Pick<Snapshot, "records" | "asOf">,
  goneOrders: ReadonlySet<string>,
): ListingComparison {
  const { asOf } = snapshot;
  const goneIds = findGoneIds(state, goneOrders);
  const all = ofOrders(snapshot.records, state.orderIds);
  const isGone = (proxy: Pick<ReleasedProxy, "orderId" | "ipAddressId">) =>
    isDeclaredGone(proxy, goneIds, goneOrders);
  const listed = all.filter((record) => !isGone(record));
  const living = listed.filter((record) => !hasEnded(record, asOf));
  const past = new Set(listed.filter((record) => hasEnded(record, asOf)));
  const rowOf = findRows(snapshot.records);
  const isOver = (proxy: ReleasedProxy) => {
    if (isGone(proxy)) return true;
    const row = rowOf(proxy);
    // Not listed any more, under whatever order, and its end has passed, and nothing was to extend it.
    if (row === undefined) {
      return hasEnded(withPaidEnd(state, proxy), asOf) && !proxy.extendInfo.autoExtend;
    }
    return past.has(row) && !isCutShort(proxy, row);
  };
  const isCutShort = (proxy: ReleasedProxy, row: ProxyRecord) =>
    row.ipAddressId === proxy.ipAddressId && isBackwards(row, proxy);

  const remaining = state.released.filter((proxy) => !isOver(proxy));
  const remainingHeld = state.proxies.filter((proxy) => !isOver(proxy));
  const awaited = findAwaited(state, goneOrders);
  const ended = state.proxies.length - remainingHeld.length + countCancelled(state, goneOrders);
  const recorded = [...remainingHeld, ...remaining];
  const isLiving = new Set<ProxyRecord | undefined>(living);
  const isDelivered = ({ orderId }: ReleasedProxy) => !awaited?.orderIds.includes(orderId);
  const expected = awaited
    ? recorded.filter(isDelivered).length
    : state.holdings.held - ended + remaining.length;
  return {
    ...share(state, living, remaining),
    ended,
    isAwaited: awaited !== undefined,
    missing: Math.max(0, expected - living.filter(isDelivered).length),
    unlisted: recorded.filter((proxy) => !isLiving.has(rowOf(proxy))),
    renewing: [...past].filter((record) => record.extendInfo.autoExtend),
    cutShort: recorded.filter((proxy) => {
      const row = rowOf(proxy);
      return row !== undefined && past.has(row) && isCutShort(proxy, row);
    }),
    undead: all.filter((record) => isGone(record) && !hasEnded(record, asOf)),
  };
}

/**
 * Tells what is held from what was let go. What the service has exchanged takes the place of what is missing
 * of the same order; of what is held first. An order of which nothing was recorded any more, and which is
 * there after all, counts as let go: it is paid, so it is not bought again.
 */
function share(
  { proxies, released: letGo, holdings }: OrderState,
  living: readonly ProxyRecord[],
  remaining: readonly ReleasedProxy[],
): { held: ProxyRecord[]; released: ProxyRecord[] } {
  const isReleased = among(remaining);
  const isRecorded = among(proxies);
  const heldIds = new Set(proxies.map(({ ipAddressId }) => ipAddressId));
  // Several may share an address where their ports are not told: then only the ids tell them apart.
  const found = living.filter((record) => isReleased(record) && !heldIds.has(record.ipAddressId));
  const isFound = among(found);
  const lost = Map.groupBy(
    remaining.filter((proxy) => !isFound(proxy)),
    ({ orderId }) => orderId,
  );
  const strange = Map.groupBy(
    living.filter((record) => !isReleased(record) && !isRecorded(record)),
    ({ orderId }) => orderId,
  );
  const recordedOrders = new Set([...proxies, ...letGo].map(({ orderId }) => orderId));
  const surplus = Math.max(0, living.length - found.length - holdings.held);
  const others = [...strange]
    .flatMap(([orderId, records]) =>
      recordedOrders.has(orderId) ? records.slice(0, lost.get(orderId)?.length ?? 0) : records,
    )
    .slice(0, surplus);
  const released = new Set([...found, ...others]);
  return { held: living.filter((record) => !released.has(record)), released: [...released] };
}

/** Whether a proxy is one of these: by its id, or by its address where the service has changed that. */
function among(proxies: readonly ReleasedProxy[]): (proxy: ReleasedProxy) => boolean {
  const ids = new Set(proxies.map(({ ipAddressId }) => ipAddressId));
  const addresses = new Set(proxies.map(addressOf));
  return (proxy) => ids.has(proxy.ipAddressId) || addresses.has(addressOf(proxy));
}

/**
 * Finds the row of a proxy: by its id, or by its address where the service has changed that. A row of the
 * same address that ends earlier is what was left behind under an older id.
 */
function findRows(
  records: readonly ProxyRecord[],
): (proxy: ReleasedProxy) => ProxyRecord | undefined {
  const byId = new Map(records.map((record) => [record.ipAddressId, record]));
  const lastOf = new Map<string, ProxyRecord>();
  for (const record of records) {
    const address = addressOf(record);
    const other = lastOf.get(address);
    if (other === undefined || endOf(other) < endOf(record)) lastOf.set(address, record);
  }
  return (proxy) => {
    const row = byId.get(proxy.ipAddressId) ?? lastOf.get(addressOf(proxy));
    if (row === undefined || row.ipAddressId === proxy.ipAddressId) return row;
    return proxy.dateEnd !== undefined && endOf(row) < endOf(proxy) ? undefined : row;
  };
}
