import type { ExtensionRequest, ProxyRecord } from "../../client/index.ts";
import { ProxyRentalError } from "../errors.ts";

/** The listed records of the proxies that are to be extended. Throws where one is not listed. */
export function pickProxies(
  { proxyType, ipAddressIds }: ExtensionRequest,
  records: readonly ProxyRecord[],
): ProxyRecord[] {
  const byId = new Map(records.map((record) => [record.ipAddressId, record]));
  return ipAddressIds.map((id) => {
    const record = byId.get(id);
    if (record) return record;
    throw new ProxyRentalError(
      "EDIT_REFUSED",
      `proxy ${id} is not among the account's ${proxyType} proxies, so it can't be extended. Nothing was bought. Run with --refresh to see which proxies there are.`,
    );
  });
}

/** Refuses part of an IPv6 order, which the service extends only as a whole (source: endpoint 9). */
export function assertWholeOrders(
  request: ExtensionRequest,
  records: readonly ProxyRecord[],
): void {
  const picked = pickProxies(request, records);
  if (request.proxyType !== "IPv6") return;
  const orderIds = new Set(picked.map((record) => record.orderId));
  const missing = records.filter(
    (record) => orderIds.has(record.orderId) && !request.ipAddressIds.includes(record.ipAddressId),
  );
  if (missing.length === 0) return;
  const ids = missing.map((record) => record.ipAddressId).join(", ");
  throw new ProxyRentalError(
    "EDIT_REFUSED",
    `all IPv6 proxies of an order are extended at once or not at all; of order ${[...orderIds].join(", ")} these are missing: ${ids}. Nothing was bought. Add them, or take the others out.`,
  );
}
