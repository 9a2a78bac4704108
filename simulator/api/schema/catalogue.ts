import { z } from "@hono/zod-openapi";
import { orNull, ProxyType, ServiceErrorWire } from "./envelope.ts";

export const ProxyTypesAnswer = z
  .object({
    success: z.boolean(),
    proxyTypes: z.array(ProxyType),
    error: orNull(ServiceErrorWire),
  })
  .openapi("ProxyTypesAnswer");

export const CountriesAnswer = z
  .object({
    success: z.boolean(),
    countries: z.array(z.object({ name: z.string(), alpha3code: z.string() }).openapi("Country")),
    error: orNull(ServiceErrorWire),
  })
  .openapi("CountriesAnswer");

export const RentPeriodsAnswer = z
  .object({
    success: z.boolean(),
    rentPeriodDays: z.array(z.number().int()),
    error: orNull(ServiceErrorWire),
  })
  .openapi("RentPeriodsAnswer");

const MobileOperatorWire = z
  .object({ mobileOperator: z.string(), rotationTimes: z.array(z.number().int()) })
  .openapi("MobileOperator");

export const MobileOperatorsAnswer = z
  .object({
    success: z.boolean(),
    mobileOperators: z.record(z.string(), z.array(MobileOperatorWire)),
    error: orNull(ServiceErrorWire),
  })
  .openapi("MobileOperatorsAnswer");
