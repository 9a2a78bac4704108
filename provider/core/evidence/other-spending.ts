import type { ProxyRecord } from "../../client/index.ts";
import { DAY_MS } from "../values/dates.ts";
import { CLOCK_TOLERANCE_MS, groupOrders, mayHaveBegunSince } from "./listed-orders.ts";

/** What is known of the account's spending since a purchase was sent. */
export interface SpendingSince {
  /** When the purchase was sent. */
  since: Date;
  /** The orders that were there before, or that are purchases of the journal. Their cost is known. */
  knownOrders: ReadonlySet<string>;
  /** The proxies of the purchase itself. */
  own: (proxy: ProxyRecord) => boolean;
}

/**
 * What the listing shows that may have been paid from the same balance since, beside the purchases of the journal; in words, or
 * undefined if there is nothing. Not guaranteed: what was paid and is listed no more is not seen.
 */
export function findOtherSpending(
  records: readonly ProxyRecord[],
  { since, knownOrders, own }: SpendingSince,
): string | undefined {
  const others = records.filter((proxy) => !own(proxy));
  const from = new Date(since.getTime() - CLOCK_TOLERANCE_MS);
  const begun = groupOrders(others)
    .filter(({ orderId }) => !knownOrders.has(orderId))
    .find((order) => mayHaveBegunSince(order, from));
  if (begun) return `since then order ${begun.orderId} began, which the journal does not know`;
  const renewed = others.find((proxy) => mayHaveRenewedSince(proxy, since));
  return renewed && `since then order ${renewed.orderId} may have been extended automatically`;
}

/** A period may be in calendar days, and the end of a month or summer time may shift it. */
const PERIOD_TOLERANCE_MS = 2 * DAY_MS;

/**
 * Whether an automatic extension may have moved the end of a proxy since: it comes before the end that the proxy had then. One
 * that had no earlier end than its beginning has its first period still.
 */
function mayHaveRenewedSince(
  { dateStart, dateEnd, extendInfo: { autoExtend, extendDays } }: ProxyRecord,
  since: Date,
): boolean {
  if (!autoExtend) return false;
  if (dateEnd === undefined) return true;
  const formerEndMs = Date.parse(dateEnd) - extendDays * DAY_MS;
  if (dateStart !== undefined && formerEndMs <= Date.parse(dateStart) + PERIOD_TOLERANCE_MS) {
    return false;
  }
  return formerEndMs >= since.getTime() - PERIOD_TOLERANCE_MS;
}
