import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { rethrowExplained } from "../../values/errors.ts";
import type { ExtensionArgs } from "../model/args.ts";
import { readOpenExtensions } from "../model/open-extensions.ts";
import { type Addresses, followProxies } from "../model/proxies.ts";

/** The proxies that a program names, as the account lists them now. */
export interface Declared {
  proxies: ProxyRecord[];
  /** Ids that are not listed, and at whose addresses nothing is listed. */
  missing: string[];
  /** Ip and port of each id that was found. */
  found: Record<string, string>;
  /** All proxies of the type. */
  records: readonly ProxyRecord[];
}

/**
 * Finds the proxies that a program names. If the service has changed an id, the proxy is found by its address.
 * Addresses come from what the engine has kept, and from extensions that no state knows yet.
 */
export async function findDeclared(
  account: Pick<Account, "listing" | "journal">,
  { proxyType, ipAddressIds }: Pick<ExtensionArgs, "proxyType" | "ipAddressIds">,
  addresses: Addresses = {},
): Promise<Declared> {
  const { records } = await account.listing.complete(proxyType).catch(rethrowExplained);
  const open = await readOpenExtensions(account);
  const before = open.flatMap((intent) => intent.purchase.proxiesBefore);
  const remembered = Object.fromEntries(before.map((one) => [one.ipAddressId, one.address]));
  return { ...followProxies(ipAddressIds, { ...remembered, ...addresses }, records), records };
}
