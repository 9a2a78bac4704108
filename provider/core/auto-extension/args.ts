import { z } from "zod";
import { accepts, type GivenInputs, type InputFailure, readInputs } from "../inputs.ts";
import { findRepeated, ipAddressIdsArg, proxyTypeArg } from "../proxy-args.ts";

/** Every argument of an auto-extension: how it is read, and what is accepted. */
export const autoExtensionArgsSchema = z.object({
  proxyType: proxyTypeArg,
  ipAddressIds: ipAddressIdsArg,
  rentPeriodDays: accepts(
    z.int().min(1),
    "a whole number of days, at least 1: the length of each automatic extension",
  ),
  autoExtend: accepts(z.boolean().default(true), "true (the default) or false"),
});

/** What a user may say of an auto-extension, checked. */
export type AutoExtensionArgs = z.infer<typeof autoExtensionArgsSchema>;

/** Reads what the program gave; every failure at once. Unknown arguments are left out of `args`. */
export function readAutoExtensionArgs(given: GivenInputs): {
  args: Partial<AutoExtensionArgs>;
  failures: InputFailure[];
} {
  const { values, failures } = readInputs(autoExtensionArgsSchema.shape, given);
  const args: Partial<AutoExtensionArgs> = values;
  return { args, failures: [...failures, ...findRepeated(args.ipAddressIds)] };
}
