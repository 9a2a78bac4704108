import type { ProxyRecord, ProxyType } from "../../provider/client/index.ts";
import type { TypeListing } from "../../provider/core/account/type-listing.ts";
import { living } from "../../provider/core/order/adopt/adopt.ts";
import { CliError } from "../failure.ts";
import { type KnownOrder, nameResources } from "../state-file.ts";

/** A proxy to ask. */
export interface ChosenProxy {
  record: ProxyRecord;
  proxyType: ProxyType;
  /** The resource that holds its order, by the given states. */
  resource: string | undefined;
}

/** Which proxies are asked for. An empty set asks for all. */
export interface Wanted {
  countries: ReadonlySet<string>;
  orderIds: ReadonlySet<string>;
  /** Only orders that these states have; undefined if no state was given. */
  stated: readonly KnownOrder[] | undefined;
  /** Orders of somebody else. They are asked for by their id only. */
  foreignOrders: ReadonlySet<string>;
}

/**
 * Chooses among the listed proxies that have not ended. Throws a `CliError` for an order that was named and has none, or
 * that another filter leaves out: nobody would see that it was never asked.
 */
export function chooseProxies(listings: readonly TypeListing[], wanted: Wanted): ChosenProxy[] {
  const nameResource = nameResources(wanted.stated ?? []);
  const held = listings.flatMap(({ proxyType, records, now }) =>
    living(records, now).map(
      (record): ChosenProxy => ({
        record,
        proxyType,
        resource: nameResource({ proxyType, orderId: record.orderId }),
      }),
    ),
  );
  const chosen = held.filter((proxy) => isWanted(proxy, wanted));
  const missing = [...wanted.orderIds].filter(
    (orderId) => !chosen.some(({ record }) => record.orderId === orderId),
  );
  if (missing.length === 0) return chosen;
  const reasons = missing.map(
    (orderId) => `order ${orderId} ${explainMissing(orderId, listings, held)}`,
  );
  throw new CliError(
    `${reasons.join("; ")}: give --order the ids of the listing, as \`npx pulumi-proxyrental check\` prints them`,
  );
}

function isWanted({ record, resource }: ChosenProxy, wanted: Wanted): boolean {
  const { countries, orderIds, stated, foreignOrders } = wanted;
  const { country, orderId } = record;
  if (orderIds.size > 0 ? !orderIds.has(orderId) : foreignOrders.has(orderId)) return false;
  if (stated !== undefined && resource === undefined) return false;
  return countries.size === 0 || countries.has(country);
}

function explainMissing(
  orderId: string,
  listings: readonly TypeListing[],
  held: readonly ChosenProxy[],
): string {
  if (held.some(({ record }) => record.orderId === orderId)) {
    return "is left out by --country or --state";
  }
  if (listings.some(({ records }) => records.some((record) => record.orderId === orderId))) {
    return "has ended";
  }
  const types = listings.map(({ proxyType }) => proxyType).join(", ");
  return `is not among the account's ${types} proxies`;
}
