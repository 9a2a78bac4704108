import type { ProxyRecord, ProxyType } from "../../provider/client/index.ts";
import type { TypeListing } from "../../provider/core/account/type-listing.ts";
import { hasEnded } from "../../provider/core/values/dates.ts";
import { keyOf, type ListedOrder } from "../listed-order.ts";

/** What becomes of a proxy when its time is over. */
export type Renewal =
  | { kind: "none" }
  /** It is extended automatically by so many days. */
  | { kind: "everyDays"; days: number }
  /** It is extended automatically, and the service does not tell by how many days. */
  | { kind: "untold" };

/** Proxies of one order that end at the same time and are extended alike. */
export interface HeldProxies extends ListedOrder {
  country: string;
  ipAddressIds: string[];
  /** Milliseconds since 1970, by the service's clock. */
  endsAtMs: number;
  renewal: Renewal;
}

/** Proxies of which the service tells no end, as right after a purchase. */
export interface EndlessProxies extends ListedOrder {
  count: number;
}

/** All that an account holds and has not ended. */
export interface Holdings {
  /** The service's time. */
  now: Date;
  held: HeldProxies[];
  endless: EndlessProxies[];
}

/** Sorts out what the account holds. */
export function findHoldings(listings: readonly TypeListing[]): Holdings {
  const living = listings.flatMap(({ proxyType, records, now }) =>
    records.filter((record) => !hasEnded(record, now)).map((record) => ({ proxyType, record })),
  );
  const ending = living.flatMap(({ proxyType, record }) => {
    const { dateEnd } = record;
    return dateEnd === undefined ? [] : [toHeld(proxyType, record, Date.parse(dateEnd))];
  });
  const endless = living.flatMap(({ proxyType, record: { dateEnd, orderId } }) =>
    dateEnd === undefined ? { proxyType, orderId } : [],
  );
  return {
    now: new Date(Math.max(...listings.map(({ now }) => now.getTime()))),
    held: joinAlike(ending),
    endless: [...Map.groupBy(endless, keyOf).values()].flatMap((proxies) =>
      proxies.slice(0, 1).map((order) => ({ ...order, count: proxies.length })),
    ),
  };
}

/** Joins proxies of one order that end at the same time and are extended alike: the service prices them together. */
export function joinAlike(held: readonly HeldProxies[]): HeldProxies[] {
  const alike = Map.groupBy(held, ({ proxyType, orderId, endsAtMs, renewal }) =>
    JSON.stringify([proxyType, orderId, endsAtMs, renewal]),
  );
  return [...alike.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, ipAddressIds: [first, ...others].flatMap((one) => one.ipAddressIds) }],
  );
}

function toHeld(proxyType: ProxyType, record: ProxyRecord, endsAtMs: number): HeldProxies {
  const { orderId, country, ipAddressId, extendInfo } = record;
  return {
    ...{ orderId, proxyType, country, ipAddressIds: [ipAddressId], endsAtMs },
    renewal: readRenewal(extendInfo),
  };
}

function readRenewal({ autoExtend, extendDays }: ProxyRecord["extendInfo"]): Renewal {
  if (!autoExtend) return { kind: "none" };
  return extendDays >= 1 ? { kind: "everyDays", days: extendDays } : { kind: "untold" };
}
