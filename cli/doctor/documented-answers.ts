import { z } from "zod";
import type { FreeEndpoint } from "./raw-calls.ts";

/*
 * The answers of the service's document, to the letter. The client's schemas read more than that, on purpose, and so they
 * can't tell where the service differs from its document.
 */

const problem = z.strictObject({ code: z.number(), message: z.string() });

const envelope = { success: z.boolean(), error: problem.nullable() };

const calculation = z.strictObject({
  ...envelope,
  proxyType: z.string().nullable(),
  balance: z.number(),
  price: z.number().nullable(),
  currency: z.string(),
  discount: z.number().nullable(),
  promoCodeStatus: z.string().nullable(),
  warnings: z.array(problem).nullable(),
});

const promoCode = z.strictObject({
  code: z.string(),
  countUses: z.number(),
  startDate: z.string(),
  endDate: z.string(),
  endless: z.boolean(),
  discount: z.number(),
  descriptionsByLocale: z.record(z.string(), z.string()),
});

const proxy = z.strictObject({
  ipAddressId: z.string(),
  ipAddressIp: z.string(),
  orderId: z.string(),
  country: z.string(),
  dateStart: z.string(),
  dateEnd: z.string(),
  httpsPort: z.string(),
  socks5Port: z.string(),
  comment: z.string(),
  authInfo: z.strictObject({ login: z.string(), password: z.string() }),
  extendInfo: z.strictObject({ autoExtend: z.boolean(), extendDays: z.number() }),
});

/** The documented answer of each endpoint that doctor asks, where it succeeds. */
export const documentedAnswers: Readonly<Record<FreeEndpoint, z.ZodType>> = {
  getBalance: z.strictObject({ ...envelope, balance: z.number(), currencyCode: z.string() }),
  listProxyTypes: z.strictObject({ ...envelope, proxyTypes: z.array(z.string()) }),
  listCountries: z.strictObject({
    ...envelope,
    countries: z.array(z.strictObject({ name: z.string(), alpha3code: z.string() })),
  }),
  listRentPeriods: z.strictObject({ ...envelope, rentPeriodDays: z.array(z.number()) }),
  listPromoCodes: z.strictObject({ ...envelope, promoCodes: z.array(promoCode) }),
  listMobileOperators: z.strictObject({
    ...envelope,
    mobileOperators: z.record(
      z.string(),
      z.array(z.strictObject({ mobileOperator: z.string(), rotationTimes: z.array(z.number()) })),
    ),
  }),
  calculateOrder: calculation,
  calculateExtension: calculation,
  listProxies: z.strictObject({
    ...envelope,
    data: z.strictObject({
      totalElements: z.number(),
      totalPages: z.number(),
      content: z.array(proxy),
    }),
  }),
};
