import { z } from "@hono/zod-openapi";
import { orNull, ServiceErrorWire } from "./envelope.ts";

export const BalanceAnswer = z
  .object({
    success: z.boolean(),
    balance: z.number().nullable(),
    currencyCode: z.string().nullable(),
    error: orNull(ServiceErrorWire),
  })
  .openapi("BalanceAnswer");

const PromoCodeWire = z
  .object({
    code: z.string(),
    countUses: z.number().int(),
    startDate: z.string(),
    endDate: z.string(),
    endless: z.boolean(),
    discount: z.number(),
    descriptionsByLocale: z.record(z.string(), z.string()),
  })
  .openapi("PromoCode");

export const PromoCodesAnswer = z
  .object({
    success: z.boolean(),
    promoCodes: z.array(PromoCodeWire),
    error: orNull(ServiceErrorWire),
  })
  .openapi("PromoCodesAnswer");
