import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";
import { accepts, type GivenInputs, type InputFailure, readInputs } from "../inputs.ts";

/** Every argument of an auto-extension: how it is read, and what is accepted. */
export const autoExtensionArgsSchema = z.object({
  proxyType: accepts(z.enum(proxyTypes), `one of ${proxyTypes.join(", ")}`),
  ipAddressIds: accepts(
    z.array(z.string().min(1)).min(1),
    "a list of at least one ipAddressId, as ProxyOrder.ipAddressIds or getProxies give them",
  ),
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
  const { ipAddressIds = [] } = args;
  const repeated = ipAddressIds.find((id, index) => ipAddressIds.indexOf(id) !== index);
  if (repeated !== undefined) {
    failures.push({ property: "ipAddressIds", reason: `names ${repeated} twice; once is enough` });
  }
  return { args, failures };
}

/** Whether arguments that `readAutoExtensionArgs` found no fault with are all known. */
export function isComplete(
  args: Partial<AutoExtensionArgs>,
  given: GivenInputs,
): args is AutoExtensionArgs {
  return given.unknown.size === 0;
}

/** Whether two lists name the same proxies, in whatever order. */
export function sameProxies(a: readonly string[], b: readonly string[]): boolean {
  const named = new Set([...a, ...b]).size;
  return named === new Set(a).size && named === new Set(b).size;
}
