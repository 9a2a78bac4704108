import * as pulumi from "@pulumi/pulumi";
import type { ProxyType } from "../../provider/client/records.ts";
import { ask, refuseInputs } from "./ask.ts";
import { type QuoteResult, toQuoteResult } from "./quote-result.ts";

/** What an extension is asked the price of. */
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
export async function getExtensionQuote(
  args: GetExtensionQuoteArgs,
): Promise<GetExtensionQuoteResult> {
  const { readExtensionQuoteArgs } = await import("../../provider/core/extension/quote-args.ts");
  const { assertExtendable } = await import("../../provider/core/extension/proxies.ts");
  const read = readExtensionQuoteArgs({ ...args });
  if ("failures" in read) throw refuseInputs("getExtensionQuote", read.failures);
  return ask(async ({ service, listing }) => {
    const { proxyType } = read.args;
    // The service need not say which proxies are missing, so they are named before it is asked.
    if (proxyType === "IPv6") {
      assertExtendable(read.args, (await listing.recent(proxyType)).records);
    }
    return toQuoteResult(await service.calculateExtension(read.args));
  });
}

/** As `getExtensionQuote`, as an output. */
export function getExtensionQuoteOutput(
  args: GetExtensionQuoteOutputArgs,
): pulumi.Output<GetExtensionQuoteResult> {
  return pulumi.output(args).apply(getExtensionQuote);
}
