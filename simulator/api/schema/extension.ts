import { z } from "@hono/zod-openapi";
import { AccountFields, orNull, PromoCodeStatus, ProxyType, ServiceErrorWire } from "./envelope.ts";

const IpAddressIds = z.array(z.string()).min(1);

export const ExtensionCalculationBody = z
  .object({
    proxyType: ProxyType,
    rentPeriodDays: z.number().int(),
    /** It has a capital here and nowhere else. For IPv6 the document shows a string. */
    IpAddressIds: z.union([IpAddressIds, z.string().min(1)]),
    promoCode: z.string().nullish(),
  })
  .openapi("ExtensionCalculation");

export const ExtensionBody = z
  .object({
    proxyType: ProxyType,
    rentPeriodDays: z.number().int(),
    ipAddressIds: IpAddressIds,
    promoCode: z.string().nullish(),
  })
  .openapi("Extension");

export const AutoExtensionBody = z
  .object({
    proxyType: ProxyType,
    rentPeriodDays: z.number().int(),
    ipAddressIds: IpAddressIds,
    autoExtend: z.boolean(),
  })
  .openapi("AutoExtension");

const changedFields = {
  success: z.boolean(),
  proxyType: orNull(ProxyType),
  rentPeriodDays: z.number().int(),
  quantity: z.number().int(),
  ipAddressIds: z.array(z.string()),
  ...AccountFields,
  error: orNull(ServiceErrorWire),
};

export const AutoExtensionAnswer = z.object(changedFields).openapi("AutoExtensionAnswer");

export const ExtensionAnswer = z
  .object({ ...changedFields, promoCodeStatus: PromoCodeStatus })
  .openapi("ExtensionAnswer");
