import type { ProxyType } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { type ListedOrder, matchOrders } from "../../evidence/listed-orders.ts";
import { isUnnamed } from "../../evidence/naming.ts";
import {
  bySending,
  type Intent,
  isAtRest,
  isOrderIntent,
  isSameAccount,
  namesOf,
  type OrderIntent,
  ofType,
} from "../../records/intent.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { nameOf } from "../../values/owner.ts";
import { isPaidFor } from "../recover/plan-recovery.ts";
import { isBoughtBy, isMovedTo, type ScopedOwner } from "./claims.ts";

/** A listed order, and how a person has named it. */
interface SoughtPurchase {
  order: ListedOrder;
  proxyType: ProxyType;
  /** Its listed id, or the number that the journal has for it. */
  named: string;
  /** All that is listed of its type. */
  listed: readonly ListedOrder[];
}

/**
 * The purchase of the journal by which a listed order was bought, whoever has bought it; undefined if the journal does not
 * tell. Throws if the run that makes it goes on, perhaps to wait for its delivery: that one is to save it.
 */
export async function findPurchaseOf(
  journal: Pick<Account["journal"], "readAll" | "accountId" | "goesOn" | "runId" | "scope">,
  sought: SoughtPurchase,
  owner: string,
): Promise<OrderIntent | undefined> {
  const self = { owner, scope: journal.scope, account: await journal.accountId() };
  const found = pickPurchase(await journal.readAll(), sought, self);
  if (found === undefined || isAtRest(found) || found.runId === journal.runId) return found;
  if (await journal.goesOn(found)) throw underWay(found, sought.order);
  return found;
}

function underWay({ owner }: OrderIntent, { orderId }: ListedOrder): ProxyRentalError {
  return new ProxyRentalError(
    "PURCHASE_IN_PROGRESS",
    `order ${orderId} is being bought for ${nameOf(owner)} by another run. Nothing was taken over. Wait until that run has ended, then run again.`,
  );
}

/**
 * The same of all purchases. A name tells it if the order can be that purchase: a service may use a name again.
 * One that has no name of the listing's counts only if the resource itself has made it, and if it and this order are each
 * other's only match. The API key tells then, too: a name tells also when the key was changed.
 */
export function pickPurchase(
  intents: readonly Intent[],
  { order, proxyType, named, listed }: SoughtPurchase,
  self: ScopedOwner & Pick<Intent, "account">,
): OrderIntent | undefined {
  const orders = ofType(intents, proxyType).filter(isOrderIntent);
  const taken = orders
    .filter((intent) => mayBeTaken(intent) && isLike(intent, order))
    .toSorted(bySending);
  const isNamed = (intent: OrderIntent) =>
    namesOf(intent).some((name) => name === order.orderId || name === named);
  const isCandidate = (intent: OrderIntent) => {
    const { candidates = [], purchase } = intent;
    const isSure = candidates.length === 1 || order.count === purchase.request.quantity;
    return intent.phase !== "closed" && isSure && candidates.includes(order.orderId);
  };
  const own = taken
    .filter((intent) => isSameAccount(intent, self))
    .filter((intent) => isBoughtBy(intent, self) || isMovedTo(intent, self));
  const claimed = (by: OrderIntent) =>
    new Set(taken.filter(({ id }) => id !== by.id).flatMap(namesOf));
  return (
    taken.findLast((one) => isSeenAs(one, order) || (isNamed(one) && couldBecome(one, order))) ??
    taken.findLast((one) => isNamed(one) && mayHaveBecome(one, order, listed, claimed(one))) ??
    own.filter((intent) => isPaidFor(intent, order)).find(isCandidate) ??
    findOnlyMatch({ orders, taken, own }, order, listed)
  );
}

/** The names of a purchase whose order was found in the listing. */
export function foundAs(
  { orderNumber }: OrderIntent,
  { orderId }: Pick<ListedOrder, "orderId">,
): { orderNumber: string; orderIds: string[] } {
  return { orderNumber: orderNumber ?? orderId, orderIds: [orderId] };
}

/** Whether the service may have taken it. */
function mayBeTaken({ closedBecause }: Intent): boolean {
  return closedBecause !== "rejected" && closedBecause !== "notPlaced";
}

/** Whether it bought such proxies. Some of them may have ended since. */
function isLike({ purchase }: OrderIntent, order: ListedOrder): boolean {
  const { request } = purchase;
  return request.country === order.country && order.count <= request.quantity;
}

/** Whether its order was found in the listing under this id. */
function isSeenAs({ orderNumber, orderIds = [] }: OrderIntent, { orderId }: ListedOrder): boolean {
  return orderId !== orderNumber && orderIds.includes(orderId);
}

/** Whether an order can be what was bought, by all that the listing tells. */
function couldBecome(intent: OrderIntent, order: ListedOrder): boolean {
  const { whole, partial } = matchOrders(intent, [order], new Set());
  return whole.length + partial.length > 0;
}

/** The same of an open purchase whose start is listed otherwise, unless another order is listed that fits. */
function mayHaveBecome(
  intent: OrderIntent,
  { orderId }: ListedOrder,
  listed: readonly ListedOrder[],
  claimed: ReadonlySet<string>,
): boolean {
  const { phase, purchase } = intent;
  const wasThere = purchase.ordersBefore.includes(orderId);
  return phase !== "closed" && !wasThere && matchOrders(intent, listed, claimed).whole.length === 0;
}

/** A purchase without a name of the listing's that can only be this order, if no other purchase can be. */
function findOnlyMatch(
  { orders, taken, own }: Record<"orders" | "taken" | "own", readonly OrderIntent[]>,
  order: ListedOrder,
  listed: readonly ListedOrder[],
): OrderIntent | undefined {
  const unnamed = taken.filter((intent) => isUnnamed(intent, listed));
  const claimed = new Set(
    orders.filter((intent) => !unnamed.some(({ id }) => id === intent.id)).flatMap(namesOf),
  );
  const isMatch = (intent: OrderIntent) => {
    const { whole, partial } = matchOrders(intent, listed, claimed);
    // What was never answered may not have been taken at all.
    const isEnough = whole.length === 1 || intent.orderNumber !== undefined;
    const possible = [...whole, ...partial];
    return isEnough && possible.length === 1 && possible[0]?.orderId === order.orderId;
  };
  const [only, another] = unnamed.filter(
    (intent) => isPaidFor(intent, order) && couldBecome(intent, order),
  );
  const isOwn = only !== undefined && own.some(({ id }) => id === only.id);
  return isOwn && another === undefined && isMatch(only) ? only : undefined;
}
