import { z } from "zod";
import { proxyTypes } from "../../../client/index.ts";
import { readListings } from "../../account/type-listing.ts";
import type { Account } from "../../account.ts";
import { countryArg, proxyTypeArg } from "../../proxies/proxy-args.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { acceptedBy, accepts, parseInputs } from "../../values/inputs.ts";
import { findLivingOrders, suggestName } from "./living-orders.ts";

/** Every way to narrow a list of orders: how it is read, and what is accepted. */
export const orderFilterSchema = z.object({
  // A text, and no choice as elsewhere: of texts the CLI makes flags.
  proxyType: accepts(
    z.string().pipe(z.enum(proxyTypes)).optional(),
    acceptedBy(proxyTypeArg),
  ).describe(`The type of the proxies: ${proxyTypes.join(", ")}. Default: any type.`),
  country: accepts(countryArg.optional(), acceptedBy(countryArg)).describe(
    "ISO 3166-1 alpha-3 code. Default: any country.",
  ),
});

/** An order by the id that an import takes, and a name for its resource. */
export interface ImportableOrder {
  id: string;
  name: string;
}

/**
 * The orders of the account that have not ended, whoever ordered them. Each type is listed in full, or this throws: an
 * order that is left out might be taken for one that is not there. Spends nothing.
 */
export async function listOrders(
  { listing, clock }: Pick<Account, "listing" | "clock">,
  query: Readonly<Record<string, unknown>>,
): Promise<ImportableOrder[]> {
  const { proxyType, country } = parseFilter(query);
  const types = proxyType === undefined ? proxyTypes : [proxyType];
  const listings = await readListings(listing, clock, types);
  return listings
    .flatMap(findLivingOrders)
    .filter((order) => country === undefined || order.country === country)
    .map((order) => ({ id: order.orderId, name: suggestName(order) }));
}

function parseFilter(known: Readonly<Record<string, unknown>>): z.output<typeof orderFilterSchema> {
  const given = { known, unknown: new Set<string>() };
  const { values, failures } = parseInputs(orderFilterSchema.shape, given);
  if (failures.length === 0) return values;
  const reasons = failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
  throw new ProxyRentalError("INPUT_INVALID", `${reasons}. Nothing was listed. Correct it.`);
}
