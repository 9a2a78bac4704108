import { type ListedOrder, matchOrders } from "../../evidence/listed-orders.ts";
import { bySending, type OrderIntent } from "../../records/intent.ts";

/**
 * Which listed order is which purchase, by the purchase's id. Only if all are there and whole. Then, of those with the
 * same count, the first that was sent is the first that began: they were sent one after the other, and the journal
 * numbers them. Purchases of every count are needed, because a part of a larger order looks like a smaller one.
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
    const sent = inOrder(alike, compareSending);
    const began = inOrder(
      [...found].filter(({ count }) => count === quantity),
      compareBeginning,
    );
    if (sent === undefined || began?.length !== sent.length) return new Map();
    for (const [index, intent] of sent.entries()) {
      const order = began[index];
      const fits = order && matchOrders(intent, listed, claimed).whole.includes(order);
      if (!fits) return new Map();
      pairs.set(intent.id, order.orderId);
    }
  }
  return pairs;
}

function quantityOf({ purchase }: OrderIntent): number {
  return purchase.request.quantity;
}

/** Sorts; undefined if two can't be told apart, so that nobody guesses. */
function inOrder<Thing>(
  things: readonly Thing[],
  compare: (a: Thing, b: Thing) => number,
): Thing[] | undefined {
  const sorted = things.toSorted(compare);
  const isTie = sorted.some(
    (one, index) => index > 0 && compare(sorted[index - 1] ?? one, one) === 0,
  );
  return isTie ? undefined : sorted;
}

/** Zero if it can't be told: in a journal of release 0.1.0, a purchase whose answer was lost has no number. */
function compareSending(a: OrderIntent, b: OrderIntent): number {
  return bySending(a, b) || compareNumbers(a.orderNumber ?? "", b.orderNumber ?? "");
}

/** The listing may tell whole seconds only. Then the ids decide, if they are numbers that count up. */
function compareBeginning(a: ListedOrder, b: ListedOrder): number {
  const later = (a.startedAt?.getTime() ?? 0) - (b.startedAt?.getTime() ?? 0);
  return later || compareNumbers(a.orderId, b.orderId);
}

/** Zero for ids that are not of one series that counts up: of random ids none comes first. */
function compareNumbers(a: string, b: string): number {
  const [one, other] = [a, b].map((id) => /^(\D*)\d+(\D*)$/.exec(id));
  const isSeries = one && other && one[1] === other[1] && one[2] === other[2];
  return isSeries ? a.localeCompare(b, "en", { numeric: true }) : 0;
}
