import { isIPv6 } from "node:net";
import type { Credential, RentedProxy } from "../../client/records.ts";

/** The protocol of a proxy. */
export type ProxyScheme = "http" | "socks5";

/**
 * A proxy as the URL that HTTP clients take: `scheme://login:password@ip:port`, percent-encoded. Without a credential
 * (authType IP) it holds no login. Undefined while the service has not named the port.
 *
 * @example
 * const firstUrl = pulumi
 *   .all([fleet.proxies, fleet.credentials])
 *   .apply(([[first], logins]) => first && toProxyUrl(first, logins[first.ipAddressId], "socks5"));
 */
export function toProxyUrl(
  proxy: RentedProxy,
  credential: Credential | undefined,
  scheme: ProxyScheme = "http",
): string | undefined {
  const address = toProxyAddress(proxy, scheme);
  return address === undefined ? undefined : `${scheme}://${toUserInfo(credential)}${address}`;
}

/** `ip:port`, with an IPv6 address in brackets; undefined while the service has not named the port. */
export function toProxyAddress(proxy: RentedProxy, scheme: ProxyScheme): string | undefined {
  const port = scheme === "http" ? proxy.httpsPort : proxy.socks5Port;
  if (port === undefined) return undefined;
  const host = isIPv6(proxy.ipAddressIp) ? `[${proxy.ipAddressIp}]` : proxy.ipAddressIp;
  return `${host}:${port}`;
}

/** The part of a URL before the address: `login:password@`, percent-encoded, or nothing. */
export function toUserInfo(credential: Credential | undefined): string {
  if (credential === undefined) return "";
  return `${encodeURIComponent(credential.login)}:${encodeURIComponent(credential.password)}@`;
}
