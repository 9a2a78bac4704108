import type { ProxyRecord, ProxyType, RentedProxy } from "../../client/index.ts";
import { type Holdings, pickUpTo } from "./holdings.ts";
import { type OrderState, type ReleasedProxy, recordProxies } from "./state.ts";

/**
 * Which proxies are let go: those that end first, since the least is paid for them; of IPv6 proxies whole
 * orders. Undefined where no whole orders make up that many.
 */
export function findReleasable<Proxy extends Pick<RentedProxy, "orderId" | "dateEnd">>(
  proxyType: ProxyType,
  held: readonly Proxy[],
  count: number,
): Proxy[] | undefined {
  const soonest = held.toReversed().toSorted((a, b) => endOf(a) - endOf(b));
  const picked = proxyType === "IPv6" ? pickOrders(soonest, count) : soonest.slice(0, count);
  return picked.length === count ? picked : undefined;
}

/** Which released proxies come back: those that are paid longest; of IPv6 proxies whole orders. */
export function findTakenBack<Proxy extends Pick<RentedProxy, "orderId" | "dateEnd">>(
  proxyType: ProxyType,
  released: readonly Proxy[],
  count: number,
): Proxy[] {
  const longest = released.toSorted((a, b) => endOf(b) - endOf(a));
  return proxyType === "IPv6" ? pickOrders(longest, count) : longest.slice(0, count);
}

/** As many whole orders as fit. */
function pickOrders<Proxy extends Pick<RentedProxy, "orderId">>(
  proxies: readonly Proxy[],
  count: number,
): Proxy[] {
  const orders = [...Map.groupBy(proxies, ({ orderId }) => orderId).values()];
  return pickUpTo(orders, ({ length }) => length, count).flat();
}

/** What has no end yet is the youngest. Never infinite: differences are sorted by. */
function endOf({ dateEnd }: Pick<RentedProxy, "dateEnd">): number {
  return dateEnd === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(dateEnd);
}

/** The outputs that follow from what is held and what was let go. */
export function recordHoldings(
  state: Pick<OrderState, "protocol" | "holdings">,
  held: readonly ProxyRecord[],
  released: readonly ReleasedProxy[],
) {
  return {
    ...recordProxies(state, held),
    released: [...released],
    holdings: { ...state.holdings, released: groupReleases(released) },
  };
}

/** Together are those of one order that end at the same moment; soonest first. */
export function groupReleases(released: readonly ReleasedProxy[]): Holdings["released"] {
  const groups = Map.groupBy(released, ({ orderId, dateEnd }) => `${dateEnd} ${orderId}`);
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { length, 0: first }]) => ({ count: length, until: first?.dateEnd }));
}
