import type { ProxyRecord, RentedProxy } from "../../client/index.ts";
import { ofOrders, type Snapshot } from "../listing.ts";
import { type CheckedOrder, type OrderState, readCheckedOrder, recordProxies } from "./state.ts";

/** What a read finds. Only `gone` lets the engine plan another purchase, so it is never said on doubt. */
export type Reconciled =
  | { kind: "present"; state: OrderState; drift?: CheckedOrder }
  | { kind: "gone" }
  | { kind: "doubtful"; reason: string };

/** Holds what is recorded of an order against a complete listing. */
export function reconcile(
  state: OrderState,
  snapshot: Snapshot,
  goneOrders: ReadonlySet<string>,
): Reconciled {
  if (goneOrders.has(state.orderNumber)) return { kind: "gone" };
  const listed = ofOrders(snapshot.records, state.orderIds);
  if (state.status === "pendingDelivery") {
    if (listed.length === 0 && hasRunOut(state, snapshot.asOf)) return { kind: "gone" };
    // Only an update completes a delivery: a refresh that did would make the failed run look healthy.
    return { kind: "present", state: { ...state, ...recordProxies(state, listed) } };
  }

  const { asOf } = snapshot;
  const living = listed.filter((record) => !hasEnded(record, asOf));
  const recordedIds = new Set(state.proxies.map((proxy) => proxy.ipAddressId));
  const ended = listed.filter((r) => hasEnded(r, asOf) && recordedIds.has(r.ipAddressId));
  // Rows of proxies that ended long ago may still be listed, and stand for none that are held now.
  const unaccounted = state.holdings.held - living.length - ended.length;
  const explained = findEndedUnseen(state, snapshot).length;
  if (explained < unaccounted) return doubt(state, unaccounted - explained);
  const renewing = listed.filter(
    (record) => hasEnded(record, asOf) && record.extendInfo.autoExtend,
  );
  if (renewing.length > 0) {
    return {
      kind: "doubtful",
      reason: `${renewing.length} proxies of order ${state.orderNumber} have ended although their auto-extension is on; it may be under way`,
    };
  }
  if (living.length === 0) return { kind: "gone" };
  return present(state, living);
}

/**
 * Recorded proxies that are not listed and have ended for certain: their end has passed, nothing was to
 * extend them, and they are not listed under another order or id either.
 */
function findEndedUnseen(state: OrderState, { records, asOf }: Snapshot): RentedProxy[] {
  const ids = new Set(records.map((record) => record.ipAddressId));
  const addresses = new Set(records.map(addressOf));
  return state.proxies
    .filter((proxy) => !ids.has(proxy.ipAddressId) && !addresses.has(addressOf(proxy)))
    .filter((proxy) => hasEnded(proxy, asOf) && !proxy.extendInfo.autoExtend);
}

function addressOf({ ipAddressIp, httpsPort }: RentedProxy): string {
  return `${ipAddressIp} ${httpsPort}`;
}

function present(state: OrderState, living: ProxyRecord[]): Reconciled {
  const expired = Math.max(0, state.holdings.held - living.length);
  const fresh: OrderState = { ...state, ...recordProxies(state, living) };
  if (expired === 0) return { kind: "present", state: fresh };
  const shrunk: OrderState = {
    ...fresh,
    quantity: state.quantity - expired,
    holdings: { ...state.holdings, held: living.length },
  };
  return { kind: "present", state: shrunk, drift: readCheckedOrder(shrunk) };
}

function doubt(state: OrderState, count: number): Reconciled {
  return {
    kind: "doubtful",
    reason: `${count} of the ${state.holdings.held} proxies of order ${state.orderNumber} are missing from the listing before their recorded end (${state.expiresAt ?? "not known"})`,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether what was paid has ended although nobody ever saw it listed, and nothing extends what is not. */
function hasRunOut({ purchases }: OrderState, asOf: Date | undefined): boolean {
  const ends = purchases.map(({ at, rentPeriodDays }) => Date.parse(at) + rentPeriodDays * DAY_MS);
  // A day more: the purchase is dated by this machine's clock.
  return asOf !== undefined && ends.length > 0 && Math.max(...ends) + DAY_MS <= asOf.getTime();
}

/** By the service's own clock; without one, or without an end, nothing has ended. */
function hasEnded(proxy: { dateEnd?: string | undefined }, asOf: Date | undefined): boolean {
  if (asOf === undefined || proxy.dateEnd === undefined) return false;
  return Date.parse(proxy.dateEnd) <= asOf.getTime();
}
