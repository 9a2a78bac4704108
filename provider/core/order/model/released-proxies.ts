import type { ProxyRecord, ProxyType, RentedProxy } from "../../../client/index.ts";
import { endOf } from "../../values/dates.ts";
import { type Holdings, pickUpTo } from "./holdings.ts";
import { type OrderState, type ReleasedProxy, recordProxies } from "./state.ts";

/**
 * Which proxies are let go: those that end first, because the least is paid for them; of IPv6 proxies whole orders.
 * Undefined if no whole orders make up that many.
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

/** The outputs that follow from what is held and what was let go. */
export function recordHoldings(
  state: Pick<OrderState, "proxyType" | "protocol" | "holdings">,
  held: readonly ProxyRecord[],
  released: readonly ReleasedProxy[],
) {
  return {
    ...recordProxies(state, held),
    released: [...released],
    holdings: { ...state.holdings, released: groupReleases(state.proxyType, released) },
  };
}

/**
 * Groups released proxies, soonest end first. Proxies of one order that end at the same moment are one group. An IPv6
 * order comes back whole, so it is one group until the first of it ends.
 */
export function groupReleases(
  proxyType: ProxyType,
  released: readonly ReleasedProxy[],
): Holdings["released"] {
  const soonest = released.toSorted(
    (a, b) => endOf(a) - endOf(b) || (a.orderId < b.orderId ? -1 : 1),
  );
  const groups = Map.groupBy(soonest, ({ orderId, dateEnd }) =>
    proxyType === "IPv6" ? orderId : `${orderId} ${dateEnd}`,
  );
  return [...groups.values()].map(({ length, 0: first }) => ({
    count: length,
    until: first?.dateEnd,
  }));
}
