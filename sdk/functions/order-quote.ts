import * as pulumi from "@pulumi/pulumi";
import type { ServiceProblem } from "../../provider/client/records.ts";
import { ProgramError } from "../program-error.ts";
import type { ProxyOrderArgs } from "../proxy-order.ts";
import { ask } from "./ask.ts";

/** What an order is asked the price of: the arguments of a `ProxyOrder`, all known. */
export type GetOrderQuoteArgs = pulumi.Unwrap<ProxyOrderArgs>;

/** What `getOrderQuote` gives. */
export interface GetOrderQuoteResult {
  /** Total in `currency`; undefined when the service gave none. */
  price?: number;
  currency: string;
  /** Percentage that the promo code took off. */
  discount: number;
  /** `VALID`, `NO_VALID`, or undefined without a promo code. */
  promoCodeStatus?: string;
  /** The account's balance. */
  balance: number;
  /** If there are any, the order would not go through as it stands. */
  warnings: ServiceProblem[];
}

/** What an order would cost (source: endpoint 7). Spends nothing; throws for arguments that don't fit. */
export async function getOrderQuote(args: GetOrderQuoteArgs): Promise<GetOrderQuoteResult> {
  const { isComplete, readOrderArgs, toOrderRequest } = await import(
    "../../provider/core/order/args.ts"
  );
  const given = { known: { ...args }, unknown: new Set<string>() };
  const { args: checked, failures } = readOrderArgs(given);
  if (failures.length > 0 || !isComplete(checked, given)) {
    const problems = failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
    throw new ProgramError("INPUT_INVALID", `INPUT_INVALID: getOrderQuote: ${problems}`);
  }
  return ask(async ({ service }) => {
    const { price, promoCodeStatus, ...quote } = await service.calculateOrder(
      toOrderRequest(checked),
    );
    return {
      ...quote,
      ...(price === null ? {} : { price }),
      ...(promoCodeStatus === null ? {} : { promoCodeStatus }),
    };
  });
}

/** As `getOrderQuote`, as an output; takes what a `ProxyOrder` takes. */
export function getOrderQuoteOutput(args: ProxyOrderArgs): pulumi.Output<GetOrderQuoteResult> {
  return pulumi.output(args).apply((known) => getOrderQuote(known as GetOrderQuoteArgs));
}
