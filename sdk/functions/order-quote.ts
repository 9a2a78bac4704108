import * as pulumi from "@pulumi/pulumi";
import { isComplete } from "../../provider/core/inputs.ts";
import type { OrderArgs } from "../../provider/core/order/args.ts";
import type { ProxyOrderArgs } from "../proxy-order.ts";
import { ask, refuseInputs } from "./ask.ts";
import { type QuoteResult, toQuoteResult } from "./quote-result.ts";

/** What an order is asked the price of: the arguments of a `ProxyOrder`, all known. */
export type GetOrderQuoteArgs = pulumi.Unwrap<ProxyOrderArgs>;

/** What `getOrderQuote` gives. */
export type GetOrderQuoteResult = QuoteResult;

/** What an order would cost (source: endpoint 7). Spends nothing; throws for arguments that don't fit. */
export async function getOrderQuote(args: GetOrderQuoteArgs): Promise<GetOrderQuoteResult> {
  const { readOrderArgs, toOrderRequest } = await import("../../provider/core/order/args.ts");
  const given = { known: { ...args }, unknown: new Set<string>() };
  const { args: checked, failures } = readOrderArgs(given);
  if (failures.length > 0 || !isComplete<OrderArgs>(checked, given)) {
    throw refuseInputs("getOrderQuote", failures);
  }
  return ask(async ({ service }) =>
    toQuoteResult(await service.calculateOrder(toOrderRequest(checked))),
  );
}

/** As `getOrderQuote`, as an output; takes what a `ProxyOrder` takes. */
export function getOrderQuoteOutput(args: ProxyOrderArgs): pulumi.Output<GetOrderQuoteResult> {
  return pulumi.output(args).apply((known) => getOrderQuote(known as GetOrderQuoteArgs));
}
