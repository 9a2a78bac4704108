import { makeRequestId } from "../../records/request-id.ts";
import type { CheckedExtension } from "./state.ts";

/**
 * Names what an extension is for, however much of it is paid: which proxies, by how many days each time, and until when. The
 * service may change ids when it extends a proxy, so the proxies count by their addresses, where these are told.
 */
export function nameTerms({
  owner = "",
  proxyType,
  rentPeriodDays,
  paidThrough,
  promoCode,
  addresses = {},
}: Partial<CheckedExtension>): string {
  const proxies = Object.entries(addresses)
    .map(([ipAddressId, address]) => address || ipAddressId)
    .toSorted();
  const terms = { proxyType, rentPeriodDays, paidThrough, promoCode, proxies };
  return makeRequestId(owner, "", terms);
}
