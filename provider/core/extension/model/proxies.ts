import type { ExtensionRequest, ProxyRecord } from "../../../client/index.ts";
import { addressOf, describeInPlace, findProxy, type KnownProxy } from "../../proxies/address.ts";
import { ProxyRentalError } from "../../values/errors.ts";

/** Where proxies were, by the ids under which they were known. The service may change ids. */
export interface Places {
  /** Ip and port of each. */
  addresses: Readonly<Record<string, string>>;
  /** The order of each, as the listing names it. Release 0.1.0 has not recorded it. */
  orders?: Readonly<Record<string, string>> | undefined;
}

/** Proxies by the ids under which they were known. */
export interface FollowedProxies {
  proxies: ProxyRecord[];
  /** Ids that are not listed, and that lead to no other id. */
  missing: string[];
  /** For people: what is at the addresses of those; "" if there is nothing. */
  inPlace: string;
  /** Where each id was found. */
  places: { addresses: Record<string, string>; orders: Record<string, string> };
}

/** Finds proxies by their ids, or by their addresses and orders if the ids are no longer listed. */
export function followProxies(
  ipAddressIds: readonly string[],
  { addresses, orders = {} }: Places,
  records: readonly ProxyRecord[],
): FollowedProxies {
  const proxies = new Set<ProxyRecord>();
  const missing: KnownProxy[] = [];
  const places: FollowedProxies["places"] = { addresses: {}, orders: {} };
  for (const ipAddressId of ipAddressIds) {
    const address = addresses[ipAddressId] ?? "";
    const known = { ipAddressId, address, orderId: orders[ipAddressId] };
    const record = findProxy(records, known);
    if (record) {
      proxies.add(record);
      places.addresses[ipAddressId] = addressOf(record);
      places.orders[ipAddressId] = record.orderId;
    } else missing.push(known);
  }
  return {
    proxies: [...proxies],
    missing: missing.map(({ ipAddressId }) => ipAddressId),
    inPlace: describeInPlace(records, missing),
    places,
  };
}

/** Refuses a part of an IPv6 order: the service extends it only as a whole (source: endpoint 9). */
export function assertWholeOrders(
  proxyType: ExtensionRequest["proxyType"],
  proxies: readonly ProxyRecord[],
  records: readonly ProxyRecord[],
): void {
  if (proxyType !== "IPv6") return;
  const orderIds = new Set(proxies.map((record) => record.orderId));
  const missing = records.filter(
    (record) =>
      orderIds.has(record.orderId) &&
      !proxies.some(({ ipAddressId }) => ipAddressId === record.ipAddressId),
  );
  if (missing.length === 0) return;
  const ids = missing.map((record) => record.ipAddressId).join(", ");
  throw new ProxyRentalError(
    "EDIT_REFUSED",
    `all IPv6 proxies of an order are extended at once or not at all; of order ${[...orderIds].join(", ")} these are missing: ${ids}. Nothing was bought. Add them, or take the others out.`,
  );
}

/** Refuses ids that are not listed, and a part of an IPv6 order. */
export function assertExtendable(
  { proxyType, ipAddressIds }: Pick<ExtensionRequest, "proxyType" | "ipAddressIds">,
  records: readonly ProxyRecord[],
): void {
  const { proxies, missing } = followProxies(ipAddressIds, { addresses: {} }, records);
  if (missing.length > 0) {
    throw new ProxyRentalError(
      "EDIT_REFUSED",
      `not among the account's ${proxyType} proxies, so they can't be extended: ${missing.join(", ")}. Nothing was bought. Take them out; they may have ended.`,
    );
  }
  assertWholeOrders(proxyType, proxies, records);
}
