import * as pulumi from "@pulumi/pulumi";
import type { ProxyOrderArgs } from "../proxy-order.ts";
import { ask } from "./ask.ts";
import type { QuoteResult } from "./quote-result.ts";

/** The order whose price is asked: the arguments of a `ProxyOrder`, all known. */
export type GetOrderQuoteArgs = pulumi.Unwrap<ProxyOrderArgs>;

/** What `getOrderQuote` gives. */
export type GetOrderQuoteResult = QuoteResult;

/** What an order would cost (source: endpoint 7). Spends nothing; throws for arguments that don't fit. */
export function getOrderQuote(args: GetOrderQuoteArgs): Promise<GetOrderQuoteResult> {
  return ask("getOrderQuote", args);
}

/** As `getOrderQuote`, as an output; takes what a `ProxyOrder` takes. */
export function getOrderQuoteOutput(args: ProxyOrderArgs): pulumi.Output<GetOrderQuoteResult> {
  return pulumi.output(args).apply((known) => getOrderQuote(known as GetOrderQuoteArgs));
}
