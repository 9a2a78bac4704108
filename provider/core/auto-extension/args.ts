import { z } from "zod";
import { findRepeated, ipAddressIdsArg, proxyTypeArg } from "../proxies/proxy-args.ts";
import { accepts, type GivenInputs, type InputFailure, parseInputs } from "../values/inputs.ts";

/** Every argument of an auto-extension: how it is read, what is accepted, and what it means. */
export const autoExtensionArgsSchema = z.object({
  proxyType: proxyTypeArg.describe("The type of all these proxies."),
  ipAddressIds: ipAddressIdsArg.describe(
    "Which proxies, for instance `ProxyOrder.ipAddressIds`. Ids taken out are switched off, added ones on.",
  ),
  rentPeriodDays: accepts(
    z.int().min(1),
    "a whole number of days, at least 1: the length of each automatic extension",
  ).describe(
    "Length of each automatic extension, in days, from `getRentPeriods`. After a refresh, what the service says.",
  ),
  autoExtend: accepts(z.boolean().default(true), "true (the default) or false").describe(
    "Whether the proxies are extended. After a refresh, what the service says.",
  ),
});

/** What a user may say of an auto-extension, checked. */
export type AutoExtensionArgs = z.infer<typeof autoExtensionArgsSchema>;

/** Parses what the program gave, and gives all failures at once. Unknown arguments are left out of `args`. */
export function parseAutoExtensionArgs(given: GivenInputs): {
  args: Partial<AutoExtensionArgs>;
  failures: InputFailure[];
} {
  const { values, failures } = parseInputs(autoExtensionArgsSchema.shape, given);
  const args: Partial<AutoExtensionArgs> = values;
  return { args, failures: [...failures, ...findRepeated(args.ipAddressIds)] };
}
