import { Big } from "big.js";
import type { Account } from "../account/account.ts";
import { describeItem, groupByOrder, type Order, type RentedProxy } from "../account/order.ts";
import type { PromoVerdict } from "../account/promo-book.ts";
import type { ProxyType } from "../catalogue/catalogue.ts";
import type { Settings } from "../settings.ts";
import { Rejection } from "./rejection.ts";

/** The proxies of one order that a request extends, and what that costs. */
export interface PricedExtension {
  order: Order;
  proxies: RentedProxy[];
  price: Big;
}

/** A string is accepted for IPv6 only, and only if the settings allow it. */
export function readIpAddressIds(
  proxyType: ProxyType,
  ids: string | string[],
  ipv6IdsAs: Settings["ipv6IdsAs"],
): string[] {
  const accepted = proxyType === "IPv6" ? ipv6IdsAs : "list";
  const form = typeof ids === "string" ? "string" : "list";
  if (accepted !== "either" && accepted !== form) throw new Rejection("ipAddressIds");
  return typeof ids === "string" ? ids.split(",").map((id) => id.trim()) : ids;
}

/** All must be listed, be of the given type, and be named once. */
export function findProxies(
  account: Account,
  proxyType: ProxyType,
  ids: readonly string[],
): RentedProxy[] {
  if (new Set(ids).size !== ids.length) throw new Rejection("ipAddressIds");
  return ids.map((id) => {
    const proxy = account.findListed(id);
    if (proxy?.order.proxyType !== proxyType) throw new Rejection("ipAddressIds");
    return proxy;
  });
}

export function checkRentPeriod(settings: Settings, proxyType: ProxyType, days: number): void {
  if (!settings.catalogue.rentPeriodDays[proxyType].includes(days)) {
    throw new Rejection("rentPeriodDays");
  }
}

/** Prices order by order, because each order is charged on its own. The sum is exact to the cent. */
export function priceExtension(
  account: Account,
  proxies: readonly RentedProxy[],
  days: number,
  verdict: PromoVerdict,
): PricedExtension[] {
  return [...groupByOrder(proxies)].map(([order, members]) => {
    if (order.proxyType === "IPv6") requireWholeOrder(order, members);
    const price = account.prices.price(describeItem(order, members.length, days), verdict.discount);
    return { order, proxies: members, price };
  });
}

export function sumPrices(extensions: readonly PricedExtension[]): Big {
  return extensions.reduce((sum, extension) => sum.plus(extension.price), new Big(0));
}

function requireWholeOrder(order: Order, proxies: readonly RentedProxy[]): void {
  const living = order.proxies.filter((proxy) => proxy.state !== "expired");
  if (living.length !== proxies.length) throw new Rejection("wholeOrder");
}
