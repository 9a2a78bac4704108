import { z } from "zod";
import type { RentedProxy } from "../../client/index.ts";
import { DAY_MS } from "../values/dates.ts";
import { acceptedBy, accepts, type InputFailure } from "../values/inputs.ts";
import { countryArg, proxyTypeArg } from "./proxy-args.ts";

const days = accepts(z.number().optional(), "a number of days");

/** Every way to narrow the listing: how it is read, and what is accepted. */
export const proxyFilterSchema = z.object({
  proxyType: proxyTypeArg.describe("The type of the proxies."),
  orderNumber: accepts(
    z.string().trim().min(1).optional(),
    "the id under which the account's listing has an order, as a text",
  ).describe(
    "The id under which the listing has an order; `orderIds` of a ProxyOrder names those of an order. Default: any order.",
  ),
  country: accepts(countryArg.optional(), acceptedBy(countryArg)).describe(
    "ISO 3166-1 alpha-3 code. Default: any country.",
  ),
  daysLeftBelow: days.describe(
    "Those with fewer days left than this, by the service's clock; also those that have ended. Default: whenever they end.",
  ),
  daysLeftAtLeast: days.describe(
    "Those with at least this many days left, by the service's clock. Default: whenever they end.",
  ),
});

/** Which proxies are looked for, checked. */
export type ProxyFilter = z.infer<typeof proxyFilterSchema>;

/** Limits between which no proxy can be. */
export function findEmptyRange({
  daysLeftAtLeast,
  daysLeftBelow,
}: Partial<ProxyFilter>): InputFailure[] {
  if (daysLeftAtLeast === undefined || daysLeftBelow === undefined) return [];
  if (daysLeftAtLeast < daysLeftBelow) return [];
  const reason = `must be less than daysLeftBelow (${daysLeftBelow}), not ${daysLeftAtLeast}: no proxy can have both`;
  return [{ property: "daysLeftAtLeast", reason }];
}

/**
 * The proxies that are looked for. Days left are fractions, and are below 0 once the end has passed. A proxy whose
 * end the service has not told is neither below nor above any limit.
 */
export function selectProxies<Proxy extends RentedProxy>(
  proxies: readonly Proxy[],
  filter: Omit<Partial<ProxyFilter>, "proxyType">,
  now: Date,
): Proxy[] {
  const { orderNumber, country } = filter;
  const { daysLeftBelow = Infinity, daysLeftAtLeast = -Infinity } = filter;
  const asksForDays = filter.daysLeftBelow !== undefined || filter.daysLeftAtLeast !== undefined;
  return proxies.filter((proxy) => {
    if (orderNumber !== undefined && proxy.orderId !== orderNumber) return false;
    if (country !== undefined && proxy.country !== country) return false;
    if (!asksForDays) return true;
    const daysLeft = (Date.parse(proxy.dateEnd ?? "") - now.getTime()) / DAY_MS;
    return daysLeft < daysLeftBelow && daysLeft >= daysLeftAtLeast;
  });
}
