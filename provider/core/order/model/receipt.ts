import { z } from "zod";
import { holdersOf } from "../../records/hand-over.ts";
import type { OrderIntent } from "../../records/intent.ts";
import { paymentOf, paymentSchema } from "../../spending/payment.ts";

/** See `Receipt`. */
export const receiptSchema = z
  .object({
    requestId: z.string().describe("The provider's own id of the purchase, as in its journal."),
    orderNumber: z.string().describe("The service's number of the order."),
    orderIds: z
      .array(z.string())
      .describe("Under which ids it is listed: its number, until it is found under another."),
    quantity: z.number().describe("How many proxies were bought."),
    rentPeriodDays: z.number().describe("For how many days they were bought."),
    handOver: z
      .string()
      .optional()
      .describe(
        "Which adoption, import or recovery gave the order to this resource, as in the journal; absent if it bought the order.",
      ),
    ...paymentSchema.shape,
  })
  .meta({ id: "OrderPurchase", description: "One order that was paid." });

/** One order that was paid. */
export type Receipt = z.infer<typeof receiptSchema>;

/** What the journal knows of an order that the service has taken. */
export type PaidOrder = OrderIntent & { orderNumber: string };

/** What the state keeps of a purchase that the service has taken. */
export function toReceipt(intent: PaidOrder): Receipt {
  const { requestId, orderNumber, orderIds = [orderNumber], purchase } = intent;
  const { quantity, rentPeriodDays } = purchase.request;
  const { handOver } = holdersOf(intent).at(-1) ?? {};
  return {
    ...{ requestId, orderNumber, orderIds, quantity, rentPeriodDays },
    ...(handOver !== undefined && { handOver }),
    ...paymentOf(intent),
  };
}
