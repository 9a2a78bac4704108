import { findMisfits, orderArgsSchema, toOrderRequest } from "../order/model/args.ts";
import { defineFunction } from "./account-function.ts";
import { quoteResultSchema, toQuoteResult } from "./quote-result.ts";

/** See its description. */
export const getOrderQuote = defineFunction({
  description:
    "What an order would cost. Takes what a `ProxyOrder` takes. Spends nothing; refuses arguments that don't fit.",
  inputs: orderArgsSchema,
  outputs: quoteResultSchema,
  findMisfits,
  answer: async ({ service }, args) =>
    toQuoteResult(await service.calculateOrder(toOrderRequest(args))),
});
