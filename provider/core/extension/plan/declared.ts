import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { rethrowExplained } from "../../values/errors.ts";
import type { ExtensionArgs } from "../model/args.ts";
import { readOpenExtensions } from "../model/open-extensions.ts";
import { type FollowedProxies, followProxies, type Places } from "../model/proxies.ts";

/** The proxies that a program names, as the account lists them now. */
export interface Declared extends FollowedProxies {
  /** All proxies of the type. */
  records: readonly ProxyRecord[];
}

/**
 * Finds the proxies that a program names. If the service has changed an id, the proxy is found by its address and order.
 * These come from what the engine has kept, and from extensions that no state knows yet.
 */
export async function findDeclared(
  account: Pick<Account, "listing" | "journal">,
  { proxyType, ipAddressIds }: Pick<ExtensionArgs, "proxyType" | "ipAddressIds">,
  kept: Places = { addresses: {} },
): Promise<Declared> {
  const { records } = await account.listing.complete(proxyType).catch(rethrowExplained);
  const open = await readOpenExtensions(account);
  const before = open.flatMap((intent) => intent.purchase.proxiesBefore);
  const addresses = Object.fromEntries(before.map((one) => [one.ipAddressId, one.address]));
  const orders = Object.fromEntries(
    before.flatMap(({ ipAddressId, orderId }) => (orderId ? [[ipAddressId, orderId]] : [])),
  );
  const places = {
    addresses: { ...addresses, ...kept.addresses },
    orders: { ...orders, ...kept.orders },
  };
  return { ...followProxies(ipAddressIds, places, records), records };
}
