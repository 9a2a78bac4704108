import type { ProxyRecord, ProxyType } from "../provider/client/index.ts";
import { groupOrders } from "../provider/core/evidence/listed-orders.ts";
import { living } from "../provider/core/order/adopt/adopt.ts";
import { DAY_MS } from "../provider/core/values/dates.ts";
import type { TypeListing } from "./account.ts";

/** An order that a program can take over, as far as the listing shows it. */
export interface AdoptableOrder {
  orderId: string;
  proxyType: ProxyType;
  country: string;
  /** How many of its proxies have not ended. An adoption counts these. */
  quantity: number;
  /** When it began; undefined while the service does not say. */
  since: Date | undefined;
  /** The moments at which its proxies end, earliest first. */
  ends: readonly Date[];
  /** From its start to the first of these ends, in days; undefined while the service does not say. */
  paidDays: number | undefined;
  /** Whether each of its proxies has a login. */
  showsLogin: boolean;
  renewals: readonly Renewal[];
}

/** Proxies of an order that are extended automatically by the same number of days. */
export interface Renewal {
  /** 0 if the service does not say. */
  everyDays: number;
  ipAddressIds: readonly string[];
}

/** Which orders are asked for. An empty set asks for all. */
export interface Wanted {
  countries: ReadonlySet<string>;
  orderIds: ReadonlySet<string>;
  /** Orders that a state has, or that are somebody else's. They are never asked for. */
  known: ReadonlySet<string>;
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
): { orders: AdoptableOrder[]; unavailable: Unavailable[] } {
  const all = listings.flatMap(readOrders);
  const listedIds = new Set(
    listings.flatMap(({ records }) => records.map((record) => record.orderId)),
  );
  const isMeant = ({ country }: AdoptableOrder) =>
    wanted.countries.size === 0 || wanted.countries.has(country);
  const orders = all.filter(
    (order) =>
      isMeant(order) &&
      !wanted.known.has(order.orderId) &&
      (wanted.orderIds.size === 0 || wanted.orderIds.has(order.orderId)),
  );
  const explain = (orderId: string): string => {
    if (wanted.known.has(orderId)) return "is in a given state, or declared somebody else's";
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

function readOrders({ proxyType, records, now }: TypeListing): AdoptableOrder[] {
  const held = living(records, now);
  return groupOrders(held).map(({ orderId, country, count, startedAt }) => {
    const proxies = held.filter((record) => record.orderId === orderId);
    const ends = findEnds(proxies);
    return {
      ...{ orderId, proxyType, country, ends },
      quantity: count,
      since: startedAt,
      paidDays: countDays(startedAt, ends[0]),
      showsLogin: proxies.every((proxy) => proxy.credential !== undefined),
      renewals: findRenewals(proxies),
    };
  });
}

function findEnds(proxies: readonly ProxyRecord[]): Date[] {
  const moments = proxies
    .map(({ dateEnd = "" }) => Date.parse(dateEnd))
    .filter((moment) => !Number.isNaN(moment));
  return [...new Set(moments)].sort((a, b) => a - b).map((moment) => new Date(moment));
}

function countDays(start: Date | undefined, end: Date | undefined): number | undefined {
  if (start === undefined || end === undefined) return undefined;
  return (end.getTime() - start.getTime()) / DAY_MS;
}

function findRenewals(proxies: readonly ProxyRecord[]): Renewal[] {
  const renewing = proxies.filter((proxy) => proxy.extendInfo.autoExtend);
  const byDays = Map.groupBy(renewing, (proxy) => proxy.extendInfo.extendDays);
  return [...byDays]
    .sort(([a], [b]) => a - b)
    .map(([everyDays, members]) => ({
      everyDays,
      ipAddressIds: members.map((member) => member.ipAddressId),
    }));
}
