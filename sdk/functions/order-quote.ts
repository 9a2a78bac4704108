import * as pulumi from "@pulumi/pulumi";
import type { ProxyType } from "../../provider/client/records.ts";
import type { AuthType, ProxyOrderArgs } from "../proxy-order.ts";
import { ask } from "./ask.ts";
import type { QuoteResult } from "./quote-result.ts";

/** The order whose price is asked: the arguments of a `ProxyOrder`, all known. */
export type GetOrderQuoteArgs<
  Type extends ProxyType = ProxyType,
  Auth extends AuthType = AuthType,
> = pulumi.Unwrap<ProxyOrderArgs<Type, Auth>> & { proxyType: Type; authType?: Auth };

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
export function getOrderQuote<Type extends ProxyType, Auth extends AuthType = AuthType>(
  args: GetOrderQuoteArgs<Type, Auth>,
): Promise<GetOrderQuoteResult> {
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
export function getOrderQuoteOutput<Type extends ProxyType, Auth extends AuthType = AuthType>(
  args: ProxyOrderArgs<Type, Auth>,
): pulumi.Output<GetOrderQuoteResult> {
  return pulumi.output(args).apply((known) => ask("getOrderQuote", known));
}
