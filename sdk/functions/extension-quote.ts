import * as pulumi from "@pulumi/pulumi";
import type { ProxyType } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";
import type { QuoteResult } from "./quote-result.ts";

/** The extension whose price is asked. */
export interface GetExtensionQuoteArgs {
  /** The type of all these proxies. */
  proxyType: ProxyType;
  /** Which proxies. Of IPv6, all of an order or none. */
  ipAddressIds: string[];
  /** By how many days: one of `getRentPeriods`. */
  rentPeriodDays: number;
  /** A promo code, from `getPromoCodes`. `promoCodeStatus` says whether it takes effect. @default none */
  promoCode?: string | undefined;
}

/** As `GetExtensionQuoteArgs`, for the output form. */
export interface GetExtensionQuoteOutputArgs {
  /** The type of all these proxies. */
  proxyType: pulumi.Input<ProxyType>;
  /** Which proxies. Of IPv6, all of an order or none. */
  ipAddressIds: pulumi.Input<pulumi.Input<string>[]>;
  /** By how many days: one of `getRentPeriods`. */
  rentPeriodDays: pulumi.Input<number>;
  /** A promo code, from `getPromoCodes`. `promoCodeStatus` says whether it takes effect. @default none */
  promoCode?: pulumi.Input<string> | undefined;
}

/** What `getExtensionQuote` gives. */
export type GetExtensionQuoteResult = QuoteResult;

/**
 * What it would cost to extend proxies once. Spends nothing; refuses arguments that don't fit, and a part of an IPv6
 * order.
 *
 * @example
 * const { proxies } = await getProxies({ proxyType: "IPv4", daysLeftBelow: 7 });
 * const ipAddressIds = proxies.map((proxy) => proxy.ipAddressId);
 * const { price } = await getExtensionQuote({ proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 });
 */
export function getExtensionQuote(args: GetExtensionQuoteArgs): Promise<GetExtensionQuoteResult> {
  return ask("getExtensionQuote", args);
}

/**
 * As `getExtensionQuote`, as an output.
 *
 * @example
 * const { ipAddressIds } = fleet;
 * const extension = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 } as const;
 * export const renewal = getExtensionQuoteOutput(extension).price;
 */
export function getExtensionQuoteOutput(
  args: GetExtensionQuoteOutputArgs,
): pulumi.Output<GetExtensionQuoteResult> {
  return pulumi.output(args).apply(getExtensionQuote);
}
