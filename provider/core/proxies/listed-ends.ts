import type { ProxyRecord, RentedProxy } from "../../client/index.ts";
import { laterEnd } from "../values/dates.ts";
import { findProxy, type KnownProxy, toKnown } from "./address.ts";

/** A proxy as any state records it. */
type Recorded = Pick<RentedProxy, "ipAddressId" | "ipAddressIp" | "httpsPort" | "dateEnd"> &
  Pick<KnownProxy, "orderId">;

/**
 * Recorded proxies, each with the later one of its recorded and its listed end. It may have been extended since it was
 * recorded. No end moves backwards, so a listing with an earlier one is behind.
 */
export function withListedEnds<Proxy extends Recorded>(
  proxies: readonly Proxy[],
  records: readonly ProxyRecord[],
): Proxy[] {
  return proxies.map((proxy) => {
    const row = findProxy(records, toKnown(proxy));
    return { ...proxy, dateEnd: laterEnd(proxy.dateEnd, row?.dateEnd) };
  });
}
