import { z } from "@hono/zod-openapi";
import { proxyTypes } from "../../catalogue/catalogue.ts";

/** `nullable()` of a named schema would lose the null in the OpenAPI document. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

export const ProxyType = z.enum(proxyTypes).openapi("ProxyType");

export const ServiceErrorWire = z
  .object({ code: z.number().int(), message: z.string() })
  .openapi("ServiceError");

const PromoCodeVerdict = z.enum(["VALID", "NO_VALID"]).openapi("PromoCodeStatus");

export const PromoCodeStatus = orNull(PromoCodeVerdict);

/** Null only for an unknown key: then there is no account with a balance. */
export const AccountFields = {
  balance: z.number().nullable(),
  currency: z.string().nullable(),
};

export const KeyParams = z.object({ apiKey: z.string() });

export const ProxyTypeQuery = z.object({ proxyType: ProxyType });

/** The service answers 200 for success and failure alike. */
export function describeAnswer<Answer extends z.ZodType>(schema: Answer) {
  return {
    200: {
      description: "Success, or failure with `success: false` and `error` set",
      content: { "application/json": { schema } },
    },
  } as const;
}

export function describeBody<Body extends z.ZodType>(schema: Body) {
  return { required: true, content: { "application/json": { schema } } } as const;
}
