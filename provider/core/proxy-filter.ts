import { z } from "zod";
import type { RentedProxy } from "../client/index.ts";
import { acceptedBy, accepts, type GivenInputs, type InputFailure, readInputs } from "./inputs.ts";
import { countryArg, proxyTypeArg } from "./proxy-args.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const days = z.number().optional();

/** Every way to narrow the listing down: how it is read, and what is accepted. */
const proxyFilterSchema = z.object({
  proxyType: proxyTypeArg,
  orderNumber: accepts(
    z.string().trim().min(1).optional(),
    "the id under which the account's listing has an order, as a text",
  ),
  country: accepts(countryArg.optional(), acceptedBy(countryArg)),
  daysLeftBelow: accepts(days, "a number of days"),
  daysLeftAtLeast: accepts(days, "a number of days"),
});

/** Which proxies are looked for, checked. */
export type ProxyFilter = z.infer<typeof proxyFilterSchema>;

/** Reads what the program gave; every failure at once. */
export function readProxyFilter(known: GivenInputs["known"]): {
  filter: Partial<ProxyFilter>;
  failures: InputFailure[];
} {
  const { values, failures } = readInputs(proxyFilterSchema.shape, { known, unknown: new Set() });
  const filter: Partial<ProxyFilter> = values;
  const { daysLeftAtLeast, daysLeftBelow } = filter;
  if (
    daysLeftAtLeast !== undefined &&
    daysLeftBelow !== undefined &&
    daysLeftAtLeast >= daysLeftBelow
  ) {
    failures.push({
      property: "daysLeftAtLeast",
      reason: `must be less than daysLeftBelow (${daysLeftBelow}), not ${daysLeftAtLeast}: no proxy can have both`,
    });
  }
  return { filter, failures };
}

/**
 * The proxies that are looked for. Days left are counted in fractions, and are below 0 once the end has
 * passed; a proxy whose end the service has not said is neither below nor above any of them.
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
