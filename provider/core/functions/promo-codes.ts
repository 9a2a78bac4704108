import { z } from "zod";
import type { PromoCode } from "../../client/index.ts";
import { defineFunction } from "./account-function.ts";

const promoCodeSchema = z
  .object({
    code: z.string().describe("The code, as an order or an extension takes it."),
    countUses: z.number().optional().describe("Number of uses, where the service says it."),
    startDate: z.string().optional().describe("From when it is valid, ISO 8601 with offset."),
    endDate: z.string().optional().describe("Until when it is valid, ISO 8601 with offset."),
    endless: z.boolean().optional().describe("Whether its validity has no end."),
    discount: z.number().describe("What it takes off a price, in percent."),
    descriptionsByLocale: z
      .record(z.string(), z.string())
      .optional()
      .describe("What the service says of it, by locale, for instance `en`."),
  })
  .meta({ id: "PromoCode", description: "A discount code." }) satisfies z.ZodType<PromoCode>;

/** See its description. */
export const getPromoCodes = defineFunction({
  description: "The account's promo codes. Spends nothing.",
  inputs: z.object({}),
  outputs: z.object({
    promoCodes: z.array(promoCodeSchema).describe("The codes that the account may use."),
  }),
  answer: async ({ service }) => {
    const promoCodes = await service.listPromoCodes();
    return { promoCodes: promoCodes.map(leaveOutNulls) };
  },
});

/** A null of the service means that it does not say. Not every language can tell null from absent. */
function leaveOutNulls(promoCode: PromoCode): z.output<typeof promoCodeSchema> {
  return {
    ...promoCode,
    countUses: promoCode.countUses ?? undefined,
    startDate: promoCode.startDate ?? undefined,
    endDate: promoCode.endDate ?? undefined,
    endless: promoCode.endless ?? undefined,
    descriptionsByLocale: promoCode.descriptionsByLocale ?? undefined,
  };
}
