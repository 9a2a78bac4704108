import { isIPv6 } from "node:net";
import type { Credential, RentedProxy } from "../client/records.ts";

/** How a proxy is spoken to. */
export type ProxyScheme = "http" | "socks5";

/**
 * A proxy as the URL that HTTP clients take: `scheme://login:password@ip:port`, percent-encoded. Without a
 * credential (authType IP) there is no login in it. Undefined while the service has not named the port.
 */
export function toProxyUrl(
  proxy: RentedProxy,
  credential: Credential | undefined,
  scheme: ProxyScheme = "http",
): string | undefined {
  const port = scheme === "http" ? proxy.httpsPort : proxy.socks5Port;
  if (port === undefined) return undefined;
  const host = isIPv6(proxy.ipAddressIp) ? `[${proxy.ipAddressIp}]` : proxy.ipAddressIp;
  const login = credential
    ? `${encodeURIComponent(credential.login)}:${encodeURIComponent(credential.password)}@`
    : "";
  return `${scheme}://${login}${host}:${port}`;
}
