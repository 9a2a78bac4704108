import type { ProxyRecord } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { groupOrders, type ListedOrder } from "../../evidence/listed-orders.ts";
import { findUnnamed } from "../../evidence/naming.ts";
import { findByMoment } from "../../journal/known-purchases.ts";
import {
  type Intent,
  isMisnumbered,
  isOrderIntent,
  isSameAccount,
  namesOf,
  type OrderIntent,
  ofType,
} from "../../records/intent.ts";
import type { Receipt } from "../model/receipt.ts";
import { pairByTime } from "./pairing.ts";

/** A purchase whose order is looked for in the listing. */
export type SoughtOrder = Pick<Receipt, "requestId" | "orderNumber" | "orderIds" | "quantity"> &
  Partial<Pick<Receipt, "at">> &
  Pick<OrderIntent["purchase"]["request"], "proxyType" | "country">;

/** How the listing names an order. */
export interface Identified {
  orderIds: string[];
  /** Orders that look like it, if nobody can tell which one it is. */
  alike: string[];
}

/**
 * Finds the ids under which the listing shows an order. The service may list an order under another name than the
 * number that it gave. Then the order is found by what is new in the listing since it was sent. The id is never
 * guessed: a number of the same series may be another order's own.
 * @param bought the purchase, if this run has made it. @default what the journal has of it
 */
export async function identifyOrder(
  { journal, registry, settings }: Pick<Account, "journal" | "registry" | "settings">,
  order: SoughtOrder,
  records: readonly ProxyRecord[],
  bought?: OrderIntent,
): Promise<Identified> {
  const listed = groupOrders(records);
  const isListed = (name: string) => listed.some(({ orderId }) => orderId === name);
  const asNamed: Identified = { orderIds: order.orderIds, alike: [] };
  const known = order.orderIds.filter((orderId) => orderId !== order.orderNumber);
  if (known.some(isListed)) return asNamed;
  const numbered = listed.find(({ orderId }) => orderId === order.orderNumber);
  if (numbered && known.length === 0) {
    const purchases = bought ? [bought] : await readOwn(journal, order);
    if (isOwn(order, numbered, purchases)) return { orderIds: [order.orderNumber], alike: [] };
    asNamed.orderIds = [];
  }
  if (!listed.some((one) => couldBe(order, one))) return asNamed;
  const intents = ofType(await journal.readAll(), order.proxyType);
  const own = findOwn(intents, order, journal.project);
  const named = [...new Set(own.flatMap(namesOf))].filter(isListed);
  if (named.length > 0) return { orderIds: named, alike: [] };
  const others = intents.filter((intent) => !own.some(({ id }) => id === intent.id));
  const renamed = [...registry.names(order.proxyType)].filter(
    ([name, number]) => name !== number && number !== order.orderNumber,
  );
  const claimed = new Set([
    ...renamed.map(([name]) => name),
    ...others.flatMap(namesOf),
    ...settings.foreignOrders,
  ]);
  // The state knows the number also where its answer was not written down.
  const told = intents.map((intent) =>
    own.some(({ id }) => id === intent.id) ? { orderNumber: order.orderNumber, ...intent } : intent,
  );
  const ofAccount = told.filter((intent) => isSameAccount(intent, own[0]));
  const waiting = findUnnamed(ofAccount, order, listed).filter(
    (intent) => !renamed.some(([, number]) => number === intent.orderNumber),
  );
  const pairs = pairByTime(waiting, listed, claimed);
  const [pair, another] = own.flatMap(({ id }) => pairs.get(id) ?? []);
  if (pair === undefined || another !== undefined) {
    const alike = listed.filter((one) => couldBe(order, one) && !claimed.has(one.orderId));
    return { ...asNamed, alike: alike.map(({ orderId }) => orderId) };
  }
  registry.identify(pair, order);
  return { orderIds: [pair], alike: [] };
}

/** Whether the order that is listed under the number is the one that is looked for, and not an older one. */
function isOwn(
  order: SoughtOrder,
  numbered: ListedOrder,
  purchases: readonly OrderIntent[],
): boolean {
  const { orderId } = numbered;
  const isUntold = (intent: OrderIntent) => intent.orderNumber === undefined;
  const wasListed = (intent: OrderIntent) => isMisnumbered({ ...intent, orderNumber: orderId });
  if (purchases.some((intent) => isUntold(intent) && wasListed(intent))) return false;
  const told = purchases.filter((intent) => !isUntold(intent));
  if (told.length === 0) return couldBe(order, numbered);
  return told.every((intent) => namesOf(intent).includes(orderId));
}

/** See `findOwn`. A delivery goes on without the journal. */
async function readOwn(journal: Account["journal"], order: SoughtOrder): Promise<OrderIntent[]> {
  const intents = await journal.readAll().catch((): Intent[] => []);
  return findOwn(ofType(intents, order.proxyType), order, journal.project);
}

/**
 * The journal's purchases of an order, of those of its type. Each purchase stands in the journal before it is sent. So if none
 * has the number, the answer was not written down, and a later run or a person may have recorded the order by what they saw
 * in the listing. Then it is the only purchase of this request that may have been placed and has no number of the service's own.
 */
function findOwn(
  intents: readonly Intent[],
  { requestId, orderNumber, orderIds, at }: SoughtOrder,
  project: string,
): OrderIntent[] {
  const orders = intents.filter(isOrderIntent);
  const known = at && findByMoment(orders, { requestId, orderNumber, orderIds, at });
  if (known) return [known];
  const numbered = orders.filter((intent) => intent.orderNumber === orderNumber);
  // The number of one order may be what another one was recorded by.
  const exact = numbered.filter((intent) => intent.requestId === requestId);
  if (exact.length > 0) return exact;
  if (numbered.length > 0) return numbered;
  const possible = orders.filter(
    (intent) => intent.requestId === requestId && mayBePlaced(intent) && !isNumbered(intent),
  );
  // Another checkout of the program names its purchases alike. And this one may have been moved.
  const here = possible.filter((intent) => intent.project === project);
  const own = here.length > 0 ? here : possible;
  return own.length === 1 ? own : [];
}

/** Whether a purchase may have been placed, and no state was seen to know it by its number. */
function mayBePlaced({ phase, closedBecause }: Intent): boolean {
  return phase === "closed" ? closedBecause === "resolved" : phase !== "confirmed";
}

/** Whether an answer told its number. What was seen in the listing is recorded as the number and as the listed id. */
function isNumbered({ orderNumber, orderIds = [] }: Intent): boolean {
  return orderNumber !== undefined && !orderIds.includes(orderNumber);
}

function couldBe({ country, quantity }: SoughtOrder, listed: ListedOrder): boolean {
  return listed.country === country && listed.count <= quantity;
}
