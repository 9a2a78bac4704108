import type { ProxyRecord } from "../../client/index.ts";
import type { OrderIntent } from "../records/intent.ts";
import { DAY_MS, endOfPeriod } from "../values/dates.ts";

/** An order as the listing shows it: the proxies that are listed under one order id. */
export interface ListedOrder {
  orderId: string;
  country: string;
  /** How many of its proxies are listed; some may still be missing. */
  count: number;
  /** When the first of them began, by the service; undefined if it does not say. */
  startedAt: Date | undefined;
  /** When the last of them ends. */
  endsAt: Date | undefined;
}

/** The service's clock shows whole seconds, and a load balancer may hide two clocks. */
export const CLOCK_TOLERANCE_MS = 5_000;

const MINUTE_MS = 60_000;

/** All time zones are apart by quarters of an hour. */
const ZONES_APART_MS = 15 * MINUTE_MS;

/** Groups the listing's records by order. */
export function groupOrders(records: readonly ProxyRecord[]): ListedOrder[] {
  const byOrder = Map.groupBy(records, (record) => record.orderId);
  return Array.from(byOrder, ([orderId, proxies]) => ({
    orderId,
    country: proxies[0]?.country ?? "",
    count: proxies.length,
    startedAt: toDate(proxies.map((proxy) => proxy.dateStart).sort(byDate)[0]),
    endsAt: toDate(
      proxies
        .map((proxy) => proxy.dateEnd)
        .sort(byDate)
        .at(-1),
    ),
  }));
}

/** Orders that may be a purchase. */
export interface Matches {
  /** They have as many proxies as were bought. */
  whole: ListedOrder[];
  /** They still have fewer. */
  partial: ListedOrder[];
  /**
   * They began at another time: the document does not say that `dateStart` is the moment of the purchase. They are too odd to be
   * taken for it, and too new to be passed over.
   */
  untimely: ListedOrder[];
  /** The same of those that have more. They can't be adopted as the purchase is declared. */
  larger: ListedOrder[];
  /** The same of those that are paid for another period, which somebody else has bought. */
  otherwisePaid: ListedOrder[];
}

/**
 * Finds the orders that a purchase may have become. They have its type (a listing is of one type), country and count,
 * were not there before, began while it was under way, and are not known to be somebody else's.
 * @param claimed order ids that are known to belong to other purchases.
 * @param asOf when this is asked, to find out what is paid for another period. @default that is not found out
 */
export function matchOrders(
  intent: OrderIntent,
  listed: readonly ListedOrder[],
  claimed: ReadonlySet<string>,
  asOf?: Date,
): Matches {
  const { request, ordersBefore } = intent.purchase;
  const from = Date.parse(intent.sentAt) - CLOCK_TOLERANCE_MS;
  const to = Date.parse(intent.answerBy) + CLOCK_TOLERANCE_MS;
  const possible = listed.filter(
    (order) =>
      order.country === request.country &&
      !ordersBefore.includes(order.orderId) &&
      !claimed.has(order.orderId) &&
      mayHaveBegunSince(order, new Date(from)),
  );
  const [otherwisePaid, paid] = partition(
    possible,
    (order) => asOf !== undefined && isPaidOtherwise(order, intent, asOf),
  );
  const [fitting, larger] = partition(paid, ({ count }) => count <= request.quantity);
  const [inTime, untimely] = partition(fitting, ({ startedAt }) => {
    const began = startedAt?.getTime() ?? from;
    return began >= from && began <= to;
  });
  return {
    whole: inTime.filter(({ count }) => count === request.quantity),
    partial: inTime.filter(({ count }) => count < request.quantity),
    ...{ untimely, larger, otherwisePaid },
  };
}

/**
 * Whether the end of an order says that it was paid for another period than a purchase. Once its first period is nearly over, it
 * may have been renewed, and then only an earlier end says so.
 */
function isPaidOtherwise(
  { startedAt, endsAt }: ListedOrder,
  { sentAt, purchase }: OrderIntent,
  asOf: Date,
): boolean {
  if (endsAt === undefined) return false;
  const begin = startedAt ?? new Date(sentAt);
  const { earliest, latest } = endOfPeriod(begin, purchase.request.rentPeriodDays);
  const end = endsAt.toISOString();
  const mayBeRenewed = asOf.toISOString() >= earliest;
  return end < earliest || (end > latest && !mayBeRenewed);
}

/** Without a date it may have. */
export function mayHaveBegunSince({ startedAt }: ListedOrder, since: Date): boolean {
  if (startedAt === undefined) return true;
  return startedAt.getTime() + lengthOf(startedAt) >= since.getTime();
}

/** For how long a date may stand: a midnight for all of its day, in any time zone, and a whole minute for all of that. */
function lengthOf(date: Date): number {
  if (date.getTime() % ZONES_APART_MS === 0) return DAY_MS;
  return date.getTime() % MINUTE_MS === 0 ? MINUTE_MS : 0;
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function byDate(a: string | undefined, b: string | undefined): number {
  return (
    (a === undefined ? Number.POSITIVE_INFINITY : Date.parse(a)) -
    (b === undefined ? Number.POSITIVE_INFINITY : Date.parse(b))
  );
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
