import { z } from "zod";
import { proxyTypes } from "../../client/index.ts";
import { accepts, acceptsHidden, type InputFailure } from "../values/inputs.ts";

/** Arguments that several resources and functions have: how each is read, and what is accepted. */
export const proxyTypeArg = accepts(
  z.enum(proxyTypes).meta({
    typeName: "ProxyType",
    typeDescription: "The kinds of proxies that the service rents.",
  }),
  `one of ${proxyTypes.join(", ")}`,
).describe("The type of the proxies.");

/** See `proxyTypeArg`. */
export const countryArg = accepts(
  z.string().regex(/^[A-Z]{3}$/),
  "an ISO 3166-1 alpha-3 code in capitals, for instance USA",
).describe("ISO 3166-1 alpha-3 code, from `getCountries`.");

/** See `proxyTypeArg`. */
export const ipAddressIdsArg = accepts(
  z.array(z.string().min(1)).min(1),
  "a list of at least one ipAddressId, as ProxyOrder.ipAddressIds or getProxies give them",
).describe("Which proxies, by their ids, for instance `ProxyOrder.ipAddressIds`.");

/** See `proxyTypeArg`. */
export const promoCodeArg = acceptsHidden(
  z.string().trim().min(1).optional(),
  "a promo code",
).describe("From `getPromoCodes`.");

/** See `proxyTypeArg`. */
export const maxPriceArg = accepts(
  z.number().min(0).optional(),
  "an amount in account currency, at least 0",
).describe("The most that may be spent, in account currency.");

/** The service accepts no id twice. */
export function findRepeated(ipAddressIds: readonly string[] = []): InputFailure[] {
  const repeated = ipAddressIds.find((id, index) => ipAddressIds.indexOf(id) !== index);
  if (repeated === undefined) return [];
  return [{ property: "ipAddressIds", reason: `names ${repeated} twice; once is enough` }];
}

/** Whether two lists name the same proxies, in any order. */
export function sameProxies(a: readonly string[], b: readonly string[]): boolean {
  const named = new Set([...a, ...b]).size;
  return named === new Set(a).size && named === new Set(b).size;
}

/** Describes proxies: "5 IPv4 proxies". */
export function describeProxies(count: number, proxyType: string): string {
  return `${count} ${proxyType} ${count === 1 ? "proxy" : "proxies"}`;
}
