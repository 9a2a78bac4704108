import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { groupOrders, type ListedOrder, matchOrders } from "../journal/evidence.ts";
import { type Intent, isOrderIntent, type OrderIntent } from "../journal/intent.ts";
import { sameKind } from "../journal/recovery.ts";
import type { OrderState } from "./state.ts";

/**
 * The ids under which the listing shows an order. The service may call an order one thing when it is bought
 * and another when it is listed; then it is found by what is new in the listing since it was sent.
 * @param lastChance whether to believe a new order whose id looks like an order number of another order.
 */
export async function identifyOrder(
  { journal, knownOrders }: Account,
  order: OrderState,
  records: readonly ProxyRecord[],
  lastChance: boolean,
): Promise<string[]> {
  const listedIds = new Set(records.map((record) => record.orderId));
  if (order.orderIds.some((id) => listedIds.has(id))) return order.orderIds;
  const unnamed = groupOrders(records).filter(
    ({ orderId }) => lastChance || shapeOf(orderId) !== shapeOf(order.orderNumber),
  );
  if (unnamed.length === 0) return order.orderIds;
  const intents = await journal.readAll();
  const others = intents.filter((intent) => intent.orderNumber !== order.orderNumber);
  const known = [...knownOrders].filter(([, orderNumber]) => orderNumber !== order.orderNumber);
  const claimed = new Set([...known.map(([name]) => name), ...others.flatMap(idsOf)]);
  const waiting = intents
    .filter(isOrderIntent)
    .filter((intent) => mayBeUnnamed(intent, order, listedIds, [...knownOrders.values()]));
  const found = pairByTime(waiting, unnamed, claimed).get(order.orderNumber);
  if (found === undefined) return order.orderIds;
  knownOrders.set(found, order.orderNumber);
  return [found];
}

/** An order of the same kind that is not listed under its own number, or not answered yet. */
function mayBeUnnamed(
  intent: OrderIntent,
  order: OrderState,
  listedIds: ReadonlySet<string>,
  found: readonly string[],
): boolean {
  if (intent.orderNumber === order.orderNumber) return true;
  if (intent.phase === "closed" || !sameKind(intent, order)) return false;
  if (found.includes(intent.orderNumber ?? "")) return false;
  return !idsOf(intent).some((name) => listedIds.has(name));
}

/**
 * Which listed order is which purchase, by order number. Only where there are as many new orders as
 * purchases that look for theirs; then the first that was sent is the first that began.
 */
export function pairByTime(
  waiting: readonly OrderIntent[],
  listed: readonly ListedOrder[],
  claimed: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const inTurn = waiting.toSorted(
    (a, b) =>
      Date.parse(a.sentAt) - Date.parse(b.sentAt) ||
      (a.orderNumber ?? "").localeCompare(b.orderNumber ?? "", "en", { numeric: true }),
  );
  const matches = inTurn.map((intent) => {
    const { whole, partial } = matchOrders(intent, listed, claimed);
    return [...whole, ...partial];
  });
  const found = [...new Set(matches.flat())].toSorted(
    (a, b) =>
      (a.startedAt?.getTime() ?? 0) - (b.startedAt?.getTime() ?? 0) ||
      a.orderId.localeCompare(b.orderId, "en", { numeric: true }),
  );
  if (found.length !== inTurn.length) return new Map();
  if (!found.every((order, index) => matches[index]?.includes(order))) return new Map();
  return new Map(
    inTurn.map((intent, index) => [intent.orderNumber ?? "", found[index]?.orderId ?? ""]),
  );
}

function idsOf({ orderNumber = "", orderIds = [] }: Intent): string[] {
  return [orderNumber, ...orderIds];
}

/** Digits and letters as what they are: numbers of one series have one shape. */
function shapeOf(name: string): string {
  return name.replace(/\d/g, "9").replace(/[a-z]/gi, "a");
}
