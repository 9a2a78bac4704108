import * as pulumi from "@pulumi/pulumi";
import type { ProxyOrderArgs } from "../proxy-order.ts";
import { ask } from "./ask.ts";
import type { QuoteResult } from "./quote-result.ts";

/** The order whose price is asked: the arguments of a `ProxyOrder`, all known. */
export type GetOrderQuoteArgs = pulumi.Unwrap<ProxyOrderArgs>;

/** What `getOrderQuote` gives. */
export type GetOrderQuoteResult = QuoteResult;

/**
 * What an order would cost. Takes what a `ProxyOrder` takes. Spends nothing; refuses arguments that don't fit.
 *
 * @example
 * const { price, currency } = await getOrderQuote({
 *   proxyType: "IPv4",
 *   country: "USA",
 *   quantity: 5,
 *   rentPeriodDays: 30,
 *   goal: "price comparison",
 * });
 */
export function getOrderQuote(args: GetOrderQuoteArgs): Promise<GetOrderQuoteResult> {
  return ask("getOrderQuote", args);
}

/**
 * As `getOrderQuote`, as an output.
 *
 * @example
 * export const price = getOrderQuoteOutput({
 *   proxyType: "ISP",
 *   country: "DEU",
 *   quantity: 2,
 *   rentPeriodDays: 30,
 *   goal: "price comparison",
 * }).price;
 */
export function getOrderQuoteOutput(args: ProxyOrderArgs): pulumi.Output<GetOrderQuoteResult> {
  return pulumi.output(args).apply((known) => getOrderQuote(known as GetOrderQuoteArgs));
}
