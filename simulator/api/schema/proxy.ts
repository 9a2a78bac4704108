import { z } from "@hono/zod-openapi";
import { orNull, ProxyType, ServiceErrorWire } from "./envelope.ts";

export const PageBody = z
  .object({
    proxyType: ProxyType,
    page: z.number().int().min(0),
    size: z.number().int().min(1),
  })
  .openapi("Page");

export const ProxyWire = z
  .object({
    ipAddressId: z.string(),
    ipAddressIp: z.string(),
    orderId: z.string(),
    country: z.string(),
    dateStart: z.string(),
    /** Missing for a while, if `dateEndDelayMs` says so. */
    dateEnd: z.string().optional(),
    httpsPort: z.string(),
    socks5Port: z.string(),
    comment: z.string(),
    authInfo: z.object({ login: z.string(), password: z.string() }),
    extendInfo: z.object({ autoExtend: z.boolean(), extendDays: z.number().int() }),
  })
  .openapi("IpAddress");

const PageData = z.object({
  totalElements: z.number().int(),
  totalPages: z.number().int(),
  content: z.array(ProxyWire),
});

export const PageAnswer = z
  .object({
    success: z.boolean(),
    /** An empty object on failure. */
    data: z.union([PageData, z.strictObject({})]),
    error: orNull(ServiceErrorWire),
  })
  .openapi("PageAnswer");
