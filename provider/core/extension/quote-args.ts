import type { z } from "zod";
import { type GivenInputs, type InputFailure, readInputs } from "../inputs.ts";
import { findRepeated } from "../proxy-args.ts";
import { extensionArgsSchema } from "./args.ts";

/** Every argument of an extension's quote. */
const extensionQuoteSchema = extensionArgsSchema.pick({
  proxyType: true,
  ipAddressIds: true,
  rentPeriodDays: true,
  promoCode: true,
});

/** What an extension is asked the price of, checked. */
export type ExtensionQuoteArgs = z.infer<typeof extensionQuoteSchema>;

/** Reads what the program gave: all of it, or every failure at once. */
export function readExtensionQuoteArgs(
  known: GivenInputs["known"],
): { args: ExtensionQuoteArgs } | { failures: InputFailure[] } {
  const given = { known, unknown: new Set<string>() };
  const { failures } = readInputs(extensionQuoteSchema.shape, given);
  const { data: args } = extensionQuoteSchema.safeParse(known);
  failures.push(...findRepeated(args?.ipAddressIds));
  return args && failures.length === 0 ? { args } : { failures };
}
