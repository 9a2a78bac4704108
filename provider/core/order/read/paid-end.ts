import { DAY_MS, type Ending, hasEnded } from "../../values/dates.ts";
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
  const purchase = purchases.find(({ orderIds }) => orderIds.includes(orderId));
  return { dateEnd: purchase && paidEndOf(purchase) };
}

/** Whether all that was paid has ended. What nobody has ever seen listed was not extended either. */
export function hasRunOut({ purchases }: OrderState, asOf: Date | undefined): boolean {
  return (
    purchases.length > 0 && purchases.every((one) => hasEnded({ dateEnd: paidEndOf(one) }, asOf))
  );
}

/** One day more, because the purchase is dated by this machine's clock. */
function paidEndOf({ at, rentPeriodDays }: Receipt): string {
  return new Date(Date.parse(at) + (rentPeriodDays + 1) * DAY_MS).toISOString();
}
