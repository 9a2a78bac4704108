import type { ProxyRecord, RentedProxy } from "../../client/index.ts";
import { laterEnd } from "../values/dates.ts";
import { addressOf, findProxy } from "./address.ts";

/** A proxy as any state records it. */
type Recorded = Pick<RentedProxy, "ipAddressId" | "ipAddressIp" | "httpsPort" | "dateEnd">;

/**
 * Recorded proxies, each with the later one of its recorded and its listed end. It may have been extended since it was
 * recorded. No end moves backwards, so a listing with an earlier one is behind.
 */
export function withListedEnds<Proxy extends Recorded>(
  proxies: readonly Proxy[],
  records: readonly ProxyRecord[],
): Proxy[] {
  return proxies.map((proxy) => {
    // Without a port, several proxies may share an address. Nothing is at the address "".
    const address = proxy.httpsPort === undefined ? "" : addressOf(proxy);
    const row = findProxy(records, { ipAddressId: proxy.ipAddressId, address });
    return { ...proxy, dateEnd: laterEnd(proxy.dateEnd, row?.dateEnd) };
  });
}
