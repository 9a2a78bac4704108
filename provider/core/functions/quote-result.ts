import { z } from "zod";
import type { Calculation, ServiceProblem } from "../../client/index.ts";

const problemSchema = z
  .object({
    code: z.number().describe("The service's number for it; 16 is too little money."),
    message: z.string().describe("What it says, in the service's words."),
  })
  .meta({
    id: "ServiceProblem",
    description: "A numbered remark of the service.",
  }) satisfies z.ZodType<ServiceProblem>;

/** What something would cost. */
export const quoteResultSchema = z.object({
  price: z
    .number()
    .exactOptional()
    .describe("Total in `currency`; absent where the service gave none."),
  currency: z.string().describe("ISO currency code."),
  discount: z.number().describe("Percentage that the promo code took off; 0 without one."),
  promoCodeStatus: z
    .string()
    .exactOptional()
    .describe("`VALID` or `NO_VALID`; absent without a promo code."),
  balance: z.number().describe("What the account may still spend, in `currency`."),
  warnings: z
    .array(problemSchema)
    .describe("If there are any, it would not go through as it stands."),
});

/** The service's answer, with null where it says nothing, as what a program gets. */
export function toQuoteResult({
  price,
  promoCodeStatus,
  ...quote
}: Calculation): z.output<typeof quoteResultSchema> {
  return {
    ...quote,
    ...(price === null ? {} : { price }),
    ...(promoCodeStatus === null ? {} : { promoCodeStatus }),
  };
}
