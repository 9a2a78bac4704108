import { z } from "zod";
import type { Country, MobileOperator } from "../../client/index.ts";
import { proxyTypeArg } from "../proxies/proxy-args.ts";
import { defineFunction } from "./account-function.ts";

const oneProxyType = z.object({
  proxyType: proxyTypeArg.describe("The proxy type that is looked at."),
});

const countrySchema = z
  .object({
    name: z.string().describe("The country's name."),
    alpha3code: z.string().describe("ISO 3166-1 alpha-3 code, as an order takes it."),
  })
  .meta({
    id: "Country",
    description: "A country in which a proxy type is offered.",
  }) satisfies z.ZodType<Country>;

const mobileOperatorSchema = z
  .object({
    mobileOperator: z.string().describe("The operator's tag, as an order takes it."),
    rotationTimes: z
      .array(z.int())
      .describe("After how many seconds it can change a proxy's address."),
  })
  .meta({
    id: "MobileOperator",
    description: "A mobile operator, and how often its proxies can rotate.",
  }) satisfies z.ZodType<MobileOperator>;

/** See its description. */
export const getProxyTypes = defineFunction({
  description: "The proxy types on offer. Spends nothing.",
  inputs: z.object({}),
  outputs: z.object({
    proxyTypes: z.array(z.string()).describe("The proxy types, as an order takes them."),
  }),
  answer: async ({ service }) => ({ proxyTypes: await service.listProxyTypes() }),
});

/** See its description. */
export const getCountries = defineFunction({
  description: "The countries in which a proxy type is on offer. Spends nothing.",
  inputs: oneProxyType,
  outputs: z.object({
    countries: z.array(countrySchema).describe("The countries in which it is on offer."),
  }),
  answer: async ({ service }, { proxyType }) => ({
    countries: await service.listCountries(proxyType),
  }),
});

/** See its description. */
export const getRentPeriods = defineFunction({
  description: "For how many days proxies of a type can be rented, and extended. Spends nothing.",
  inputs: oneProxyType,
  outputs: z.object({
    rentPeriodDays: z.array(z.int()).describe("For how many days it can be rented."),
  }),
  answer: async ({ service }, { proxyType }) => ({
    rentPeriodDays: await service.listRentPeriods(proxyType),
  }),
});

/** See its description. */
export const getMobileOperators = defineFunction({
  description:
    "The mobile operators by country, with the times after which a proxy changes its address. Spends nothing.",
  inputs: z.object({}),
  outputs: z.object({
    mobileOperators: z
      .record(z.string(), z.array(mobileOperatorSchema))
      .describe("Operators and their rotation times in seconds, by alpha-3 country code."),
  }),
  answer: async ({ service }) => ({ mobileOperators: await service.listMobileOperators() }),
});
