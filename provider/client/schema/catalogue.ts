import { z } from "zod";
import type { Country, MobileOperators, PromoCode } from "../records.ts";

const country = z.object({ name: z.string(), alpha3code: z.string() });

const promoCode = z.object({
  code: z.string(),
  countUses: z.number().nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  endless: z.boolean().nullish(),
  discount: z.number(),
  descriptionsByLocale: z.record(z.string(), z.string()).nullish(),
});

const mobileOperator = z.object({
  mobileOperator: z.string(),
  rotationTimes: z.array(z.number()),
});

/** Answer of endpoint 2. */
export const proxyTypesWire = z
  .object({ proxyTypes: z.array(z.string()) })
  .transform((answer) => answer.proxyTypes);

/** Answer of endpoint 3. */
export const countriesWire = z
  .object({ countries: z.array(country) })
  .transform((answer): Country[] => answer.countries);

/** Answer of endpoint 4. */
export const rentPeriodsWire = z
  .object({ rentPeriodDays: z.array(z.number()) })
  .transform((answer) => answer.rentPeriodDays);

/** Answer of endpoint 5. */
export const promoCodesWire = z
  .object({ promoCodes: z.array(promoCode) })
  .transform((answer): PromoCode[] => answer.promoCodes);

/** Answer of endpoint 6. */
export const mobileOperatorsWire = z
  .object({ mobileOperators: z.record(z.string(), z.array(mobileOperator)) })
  .transform((answer): MobileOperators => answer.mobileOperators);
