import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";
import { sameProxies } from "../auto-extension/args.ts";
import {
  accepts,
  acceptsHidden,
  type GivenInputs,
  type InputFailure,
  readInputs,
} from "../inputs.ts";

/** Every argument of an extension: how it is read, and what is accepted. */
export const extensionArgsSchema = z.object({
  proxyType: accepts(z.enum(proxyTypes), `one of ${proxyTypes.join(", ")}`),
  ipAddressIds: accepts(
    z.array(z.string().min(1)).min(1),
    "a list of at least one ipAddressId, as ProxyOrder.ipAddressIds or getProxies give them",
  ),
  rentPeriodDays: accepts(
    z.int().min(1),
    "a whole number of days, at least 1: the length of one paid extension",
  ),
  paidThrough: accepts(
    z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
    "a date like 2026-12-31, which means the end of that day in UTC, or a moment like 2026-12-31T12:00:00Z",
  ),
  promoCode: acceptsHidden(z.string().trim().min(1).optional(), "a promo code"),
  maxPrice: accepts(z.number().min(0).optional(), "an amount in account currency, at least 0"),
});

/** What a user may say of an extension, checked. */
export type ExtensionArgs = z.infer<typeof extensionArgsSchema>;

/** Reads what the program gave; every failure at once. Unknown arguments are left out of `args`. */
export function readExtensionArgs(given: GivenInputs): {
  args: Partial<ExtensionArgs>;
  failures: InputFailure[];
} {
  const { values, failures } = readInputs(extensionArgsSchema.shape, given);
  const args: Partial<ExtensionArgs> = values;
  return { args, failures: [...failures, ...findRepeated(args.ipAddressIds)] };
}

/** The service takes no id twice. */
export function findRepeated(ipAddressIds: readonly string[] = []): InputFailure[] {
  const repeated = ipAddressIds.find((id, index) => ipAddressIds.indexOf(id) !== index);
  if (repeated === undefined) return [];
  return [{ property: "ipAddressIds", reason: `names ${repeated} twice; once is enough` }];
}

/** Whether arguments that `readExtensionArgs` found no fault with are all known. */
export function isComplete(
  args: Partial<ExtensionArgs>,
  given: GivenInputs,
): args is ExtensionArgs {
  return given.unknown.size === 0;
}

/** Whether two programs ask for the same; the order of the ids does not matter. */
export function isSame(a: ExtensionArgs, b: ExtensionArgs): boolean {
  return (
    a.proxyType === b.proxyType &&
    a.rentPeriodDays === b.rentPeriodDays &&
    a.paidThrough === b.paidThrough &&
    a.promoCode === b.promoCode &&
    a.maxPrice === b.maxPrice &&
    sameProxies(a.ipAddressIds, b.ipAddressIds)
  );
}

/**
 * The moment that `paidThrough` stands for. A plain date is met by an end in the last second of its day:
 * what ends at 23:59:59 needs no further period for one second.
 */
export function throughMs(paidThrough: string): number {
  return Date.parse(paidThrough.includes("T") ? paidThrough : `${paidThrough}T23:59:59Z`);
}

/** Proxies in a few words: "5 IPv4 proxies". */
export function describeProxies(count: number, proxyType: string): string {
  return `${count} ${proxyType} ${count === 1 ? "proxy" : "proxies"}`;
}
