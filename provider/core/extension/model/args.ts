import { z } from "zod";
import {
  findRepeated,
  ipAddressIdsArg,
  maxPriceArg,
  promoCodeArg,
  proxyTypeArg,
  sameProxies,
} from "../../proxies/proxy-args.ts";
import { accepts, type GivenInputs, type InputFailure, parseInputs } from "../../values/inputs.ts";

/** Every argument of an extension: how it is read, what is accepted, and what it means. */
export const extensionArgsSchema = z.object({
  proxyType: proxyTypeArg.describe(
    "The type of all these proxies. Changing it replaces the resource, which by itself costs nothing.",
  ),
  ipAddressIds: ipAddressIdsArg.describe(
    "Which proxies, for instance `ProxyOrder.ipAddressIds`. Of IPv6, all proxies of an order or none. Ids that the service changes when it extends a proxy are followed by ip, port and order; the output has them as they are now. While they are not known (their order is bought in the same run), the plan counts `maxPrice`.",
  ),
  rentPeriodDays: accepts(
    z.int().min(1),
    "a whole number of days, at least 1: the length of one paid extension",
  ).describe(
    "Length of one extension, in days, from `getRentPeriods`. As many are paid as `paidThrough` needs.",
  ),
  paidThrough: accepts(
    z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
    "a date like 2026-12-31, which means the end of that day in UTC, or a moment like 2026-12-31T12:00:00Z",
  ).describe(
    "Until when each of the proxies must be paid at least: a date like `2026-12-31`, which means through the end of that day in UTC (an end from 23:59:59 on), or a moment like `2026-12-31T12:00:00Z`. A proxy that is paid that long already costs nothing, whoever has paid.",
  ),
  promoCode: promoCodeArg.describe(
    "A promo code, from `getPromoCodes`. One that is not valid is refused (`PROMO_CODE_NOT_VALID`): the service would charge the full price.",
  ),
  maxPrice: maxPriceArg.describe(
    "The most that all extensions of one plan may cost together, in account currency. Refused above it, at preview and again before each payment. Default: no cap but the balance and `proxyrental:maxSpend`.",
  ),
});

/** What a user may say of an extension, checked. */
export type ExtensionArgs = z.infer<typeof extensionArgsSchema>;

/** Parses what the program gave, and gives all failures at once. Unknown arguments are left out of `args`. */
export function parseExtensionArgs(given: GivenInputs): {
  args: Partial<ExtensionArgs>;
  failures: InputFailure[];
} {
  const { values, failures } = parseInputs(extensionArgsSchema.shape, given);
  const args: Partial<ExtensionArgs> = values;
  return { args, failures: [...failures, ...findRepeated(args.ipAddressIds)] };
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
 * The moment that `paidThrough` means. For a plain date an end in the last second of its day is enough, so that what
 * ends at 23:59:59 needs no further period.
 */
export function throughMs(paidThrough: string): number {
  return Date.parse(paidThrough.includes("T") ? paidThrough : `${paidThrough}T23:59:59Z`);
}
