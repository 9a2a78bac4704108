import type { ProxyRecord, ProxyType } from "../../../client/index.ts";
import type { TypeListing } from "../../account/type-listing.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { DAY_MS } from "../../values/dates.ts";
import { living } from "./adopt.ts";

/** An order that a program can take over, as far as the listing shows it. */
export interface LivingOrder {
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

/** The orders of a listing that have not ended. */
export function findLivingOrders({ proxyType, records, now }: TypeListing): LivingOrder[] {
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

/** A name for its resource, by which a person recognises an order: "usa-4683731". */
export function suggestName({
  country,
  orderId,
}: Pick<LivingOrder, "country" | "orderId">): string {
  const place = /^[A-Z]{3}$/.test(country) ? country.toLowerCase() : "order";
  return `${place}-${orderId.replaceAll(/[^\w.-]+/g, "-")}`;
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
