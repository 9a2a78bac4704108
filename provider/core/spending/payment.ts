import { z } from "zod";
import { begunAt, type Intent } from "../records/intent.ts";

/** What a state keeps of every purchase that was paid, whatever was bought. */
export const paymentSchema = z.object({
  price: z.number().describe("Total in `currency`, as it was confirmed right before."),
  charged: z
    .number()
    .optional()
    .describe(
      "What the balance fell by, in `currency`; absent where that is `price`, or was not told.",
    ),
  currency: z.string().describe("ISO currency code."),
  discount: z.number().describe("Percentage that the promo code took off."),
  promoCodeStatus: z
    .string()
    .optional()
    .describe("What the service said of the promo code, for instance `VALID`."),
  at: z.string().describe("When it was sent, ISO 8601, by the clock of the machine that ran."),
});

/** What was paid for a purchase that the service has taken, however late that was found out. */
export function paymentOf(intent: Intent): z.infer<typeof paymentSchema> {
  const { price, charged, currency, discount, promoCodeStatus } = intent;
  return { price, charged, currency, discount, promoCodeStatus, at: begunAt(intent) };
}
