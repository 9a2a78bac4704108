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
  /** Days, from `getRentPeriods`. */
  rentPeriodDays: number;
  /** From `getPromoCodes`. */
  promoCode?: string | undefined;
}

/** As `GetExtensionQuoteArgs`, for the output form. */
export interface GetExtensionQuoteOutputArgs {
  proxyType: pulumi.Input<ProxyType>;
  ipAddressIds: pulumi.Input<pulumi.Input<string>[]>;
  rentPeriodDays: pulumi.Input<number>;
  promoCode?: pulumi.Input<string> | undefined;
}

/** What `getExtensionQuote` gives. */
export type GetExtensionQuoteResult = QuoteResult;

/**
 * What it would cost to extend proxies once (source: endpoint 9). Spends nothing; throws for arguments that
 * don't fit, and for a part of an IPv6 order.
 */
export function getExtensionQuote(args: GetExtensionQuoteArgs): Promise<GetExtensionQuoteResult> {
  return ask("getExtensionQuote", args);
}

/** As `getExtensionQuote`, as an output. */
export function getExtensionQuoteOutput(
  args: GetExtensionQuoteOutputArgs,
): pulumi.Output<GetExtensionQuoteResult> {
  return pulumi.output(args).apply(getExtensionQuote);
}
