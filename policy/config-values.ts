import { z } from "zod";

/** An amount in account currency. */
export const limit = z.number().min(0);

/** A number of proxies. */
export const proxyCount = z.int().min(0);

/** As the service names the kinds of proxies. */
export const proxyType = z.enum(["IPv4", "IPv6", "MOBILE", "ISP"]);

/** ISO 3166-1 alpha-3, as the service names countries. */
export const countryCode = z
  .string()
  .regex(/^[A-Z]{3}$/, "must be an ISO 3166-1 alpha-3 code in capitals, for instance USA");

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** ISO 4217. */
export const currencyCode = z
  .string()
  .refine((code) => currencies.has(code), "must be an ISO 4217 currency code, for instance USD");
