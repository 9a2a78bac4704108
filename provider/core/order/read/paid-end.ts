import { type Ending, endOfPeriod, hasEnded } from "../../values/dates.ts";
import type { Receipt } from "../model/receipt.ts";
import type { OrderState, ReleasedProxy } from "../model/state.ts";

/**
 * When a proxy ends: as the service has told, or, if it never has, when its paid period runs out. For a proxy that
 * was taken over without a purchase nobody can say.
 */
export function withPaidEnd(
  { purchases }: Pick<OrderState, "purchases">,
  { dateEnd, orderId }: Pick<ReleasedProxy, "dateEnd" | "orderId">,
): Ending {
  if (dateEnd !== undefined) return { dateEnd };
  const purchase = findPurchase(purchases, orderId);
  return { dateEnd: purchase && endOf(purchase).latest };
}

/**
 * The earliest moment at which a proxy can end that was bought for its whole period; undefined where nothing is known of
 * its purchase. A listing that says an earlier end is not believed.
 */
export function leastEndOf(
  { purchases }: Pick<OrderState, "purchases">,
  { orderId }: Pick<ReleasedProxy, "orderId">,
): string | undefined {
  const purchase = findPurchase(purchases, orderId);
  return purchase && endOf(purchase).earliest;
}

function findPurchase(purchases: readonly Receipt[], orderId: string): Receipt | undefined {
  return purchases.find(({ orderIds }) => orderIds.includes(orderId));
}

/** Whether all that was paid has ended. What nobody has ever seen listed was not extended either. */
export function hasRunOut({ purchases }: OrderState, asOf: Date | undefined): boolean {
  return (
    purchases.length > 0 && purchases.every((one) => hasEnded({ dateEnd: endOf(one).latest }, asOf))
  );
}

function endOf({ at, rentPeriodDays }: Receipt): ReturnType<typeof endOfPeriod> {
  return endOfPeriod(new Date(at), rentPeriodDays);
}
