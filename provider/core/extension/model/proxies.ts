import type { ExtensionRequest, ProxyRecord } from "../../../client/index.ts";
import { addressOf, findProxy } from "../../proxies/address.ts";
import { ProxyRentalError } from "../../values/errors.ts";

/** Addresses (ip and port) by the ids under which proxies were known. The service may change ids. */
export type Addresses = Readonly<Record<string, string>>;

/**
 * Finds proxies by their ids, or by their addresses if the ids are no longer listed. `found` has the address of each
 * id.
 */
export function followProxies(
  ipAddressIds: readonly string[],
  addresses: Addresses,
  records: readonly ProxyRecord[],
): { proxies: ProxyRecord[]; missing: string[]; found: Record<string, string> } {
  const proxies = new Set<ProxyRecord>();
  const missing: string[] = [];
  const found: Record<string, string> = {};
  for (const ipAddressId of ipAddressIds) {
    // Nothing is at the address "".
    const record = findProxy(records, { ipAddressId, address: addresses[ipAddressId] ?? "" });
    if (record) {
      proxies.add(record);
      found[ipAddressId] = addressOf(record);
    } else missing.push(ipAddressId);
  }
  return { proxies: [...proxies], missing, found };
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
  const { proxies, missing } = followProxies(ipAddressIds, {}, records);
  if (missing.length > 0) {
    throw new ProxyRentalError(
      "EDIT_REFUSED",
      `not among the account's ${proxyType} proxies, so they can't be extended: ${missing.join(", ")}. Nothing was bought. Take them out; they may have ended.`,
    );
  }
  assertWholeOrders(proxyType, proxies, records);
}
