import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { groupOrders, type ListedOrder, matchOrders } from "../journal/evidence.ts";
import type { OrderIntent } from "../journal/intent.ts";
import { findUnnamed, namesOf } from "../journal/naming.ts";
import type { Purchase } from "./purchase-record.ts";

/** A purchase whose order is looked for in the listing. */
export type SoughtOrder = Pick<Purchase, "orderNumber" | "orderIds" | "quantity"> &
  Pick<OrderIntent["purchase"]["request"], "proxyType" | "country">;

/** How the listing names an order. */
export interface Identified {
  orderIds: string[];
  /** Orders that look like it where it can't be told which is. */
  alike: string[];
}

/**
 * Finds the ids under which the listing shows an order. The service may call an order one thing when it is
 * bought and another when it is listed; then it is found by what is new in the listing since it was sent.
 * Never guessed: an id that looks like a number of the same series may be another order's own number.
 */
export async function identifyOrder(
  { journal, knownOrders, settings }: Account,
  order: SoughtOrder,
  records: readonly ProxyRecord[],
): Promise<Identified> {
  const listed = groupOrders(records);
  const isListed = (name: string) => listed.some(({ orderId }) => orderId === name);
  const asNamed: Identified = { orderIds: order.orderIds, alike: [] };
  if (order.orderIds.some(isListed)) return asNamed;
  if (!listed.some((one) => couldBe(order, one))) return asNamed;
  const intents = await journal.readAll();
  const own = intents.filter(({ orderNumber }) => orderNumber === order.orderNumber);
  const named = own.flatMap(namesOf).filter(isListed);
  if (named.length > 0) return { orderIds: named, alike: [] };
  const others = intents.filter((intent) => !own.includes(intent));
  const renamed = [...knownOrders].filter(
    ([name, number]) => name !== number && number !== order.orderNumber,
  );
  const claimed = new Set([
    ...renamed.map(([name]) => name),
    ...others.flatMap(namesOf),
    ...settings.foreignOrders,
  ]);
  const waiting = findUnnamed(intents, order, listed).filter(
    (intent) => !renamed.some(([, number]) => number === intent.orderNumber),
  );
  const pair = pairByTime(waiting, listed, claimed).get(order.orderNumber);
  if (pair === undefined) {
    const alike = listed.filter((one) => couldBe(order, one) && !claimed.has(one.orderId));
    return { ...asNamed, alike: alike.map(({ orderId }) => orderId) };
  }
  knownOrders.set(pair, order.orderNumber);
  return { orderIds: [pair], alike: [] };
}

function couldBe({ country, quantity }: SoughtOrder, listed: ListedOrder): boolean {
  return listed.country === country && listed.count <= quantity;
}

/**
 * Which listed order is which purchase, by order number. Only where all are there and whole; then of those
 * with the same count the first that was sent is the first that began. Purchases of every count are needed,
 * because part of a larger order looks like a smaller one.
 */
export function pairByTime(
  waiting: readonly OrderIntent[],
  listed: readonly ListedOrder[],
  claimed: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const matches = waiting.map((intent) => matchOrders(intent, listed, claimed));
  const found = new Set(matches.flatMap(({ whole, partial }) => [...whole, ...partial]));
  if (found.size !== waiting.length) return new Map();
  const pairs = new Map<string, string>();
  for (const [quantity, alike] of Map.groupBy(waiting, quantityOf)) {
    const sent = alike.toSorted(bySending);
    const isTie = sent.some(
      (one, index) => index > 0 && bySending(sent[index - 1] ?? one, one) === 0,
    );
    if (isTie) return new Map();
    const began = [...found].filter(({ count }) => count === quantity).toSorted(byBeginning);
    if (began.length !== sent.length) return new Map();
    for (const [index, intent] of sent.entries()) {
      const order = began[index];
      const fits = order && matchOrders(intent, listed, claimed).whole.includes(order);
      if (!fits) return new Map();
      pairs.set(intent.orderNumber ?? "", order.orderId);
    }
  }
  return pairs;
}

function quantityOf({ purchase }: OrderIntent): number {
  return purchase.request.quantity;
}

/** Zero where it can't be told: one whose answer was lost has no number to go by. */
function bySending(a: OrderIntent, b: OrderIntent): number {
  const later = Date.parse(a.sentAt) - Date.parse(b.sentAt);
  if (later !== 0) return later;
  return a.orderNumber && b.orderNumber ? compareNumbers(a.orderNumber, b.orderNumber) : 0;
}

function byBeginning(a: ListedOrder, b: ListedOrder): number {
  const later = (a.startedAt?.getTime() ?? 0) - (b.startedAt?.getTime() ?? 0);
  return later || compareNumbers(a.orderId, b.orderId);
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
