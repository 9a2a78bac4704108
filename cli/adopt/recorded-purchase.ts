import { z } from "zod";
import type { LivingOrder } from "../../provider/core/order/adopt/living-orders.ts";
import { type Intent, isOrderIntent, namesOf, ofType } from "../../provider/core/records/intent.ts";

const purchaseSchema = z.object({
  rentPeriodDays: z.number(),
  goal: z.string(),
  authType: z.enum(["LOGIN", "IP"]).optional(),
  authIp: z.string().optional(),
  protocol: z.enum(["HTTP", "SOCKS"]).optional(),
  mobileOperator: z.string().optional(),
  rotationTime: z.number().optional(),
});

/** How an order was bought, by the journal. The service shows nothing of it. */
export type RecordedPurchase = z.infer<typeof purchaseSchema>;

/** What the journal has of the purchase of an order; undefined unless it surely is this order. */
export function findRecordedPurchase(
  { orderId, proxyType }: Pick<LivingOrder, "orderId" | "proxyType">,
  intents: readonly Intent[],
): RecordedPurchase | undefined {
  const bought = ofType(intents, proxyType)
    .filter(isOrderIntent)
    .find((intent) => namesOf(intent).includes(orderId));
  return purchaseSchema.safeParse(bought?.purchase.request).data;
}
