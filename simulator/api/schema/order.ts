import { z } from "@hono/zod-openapi";
import { AccountFields, orNull, PromoCodeStatus, ProxyType, ServiceErrorWire } from "./envelope.ts";

/** A limit of the simulator's memory. The service's own maximum is not documented. */
const maximumQuantity = 10_000;

// The first wrong field decides the code. So the fields are in the order of the checks.
const itemFields = {
  country: z.string(),
  quantity: z.number().int().min(1).max(maximumQuantity),
  rentPeriodDays: z.number().int(),
  goal: z.string().trim().min(1),
  promoCode: z.string().nullish(),
};

const mobileFields = { mobileOperator: z.string(), rotationTime: z.number() };

const authFields = { authType: z.enum(["LOGIN", "IP"]), authIp: z.string().optional() };

export const OrderCalculationBody = z
  .discriminatedUnion("proxyType", [
    z.object({ proxyType: z.literal("IPv4"), ...itemFields }),
    z.object({ proxyType: z.literal("IPv6"), ...itemFields }),
    z.object({ proxyType: z.literal("ISP"), ...itemFields }),
    z.object({ proxyType: z.literal("MOBILE"), ...itemFields, ...mobileFields }),
  ])
  .openapi("OrderCalculation");

export const OrderBody = z
  .discriminatedUnion("proxyType", [
    z.object({ proxyType: z.literal("IPv4"), ...itemFields, ...authFields }),
    z.object({
      proxyType: z.literal("IPv6"),
      ...itemFields,
      ...authFields,
      protocol: z.enum(["HTTP", "SOCKS"]),
    }),
    z.object({ proxyType: z.literal("ISP"), ...itemFields, ...authFields }),
    z.object({ proxyType: z.literal("MOBILE"), ...itemFields, ...authFields, ...mobileFields }),
  ])
  .openapi("Order");

/** For orders and for extensions. */
export const CalculationAnswer = z
  .object({
    success: z.boolean(),
    proxyType: orNull(ProxyType),
    ...AccountFields,
    price: z.number().nullable(),
    discount: z.number().nullable(),
    promoCodeStatus: PromoCodeStatus,
    warnings: z.array(ServiceErrorWire).nullable(),
    error: orNull(ServiceErrorWire),
  })
  .openapi("CalculationAnswer");

export const OrderAnswer = z
  .object({
    success: z.boolean(),
    proxyType: orNull(ProxyType),
    orderNumber: z.string().nullable(),
    ...AccountFields,
    error: orNull(ServiceErrorWire),
    promoCodeStatus: PromoCodeStatus,
  })
  .openapi("OrderAnswer");
