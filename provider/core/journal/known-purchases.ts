import { begunAt, type Intent, isDone, isMisnumbered, namesOf } from "../records/intent.ts";
import { withoutScope } from "../values/owner.ts";

/** A purchase that the engine's state is seen to know. */
export interface KnownPurchase {
  requestId: string;
  /** Absent for an extension: it has none. */
  orderNumber?: string;
  /** Under which ids its order is listed. */
  orderIds?: readonly string[];
  /** When it was made, by the journal's clock. */
  at: string;
}

/** The orders that the engine's state is seen to have. */
export interface HeldOrders {
  owner: string;
  /** As the program names the first one. It may have been taken over. */
  orderNumber: string;
  /** Under which ids all of them are listed. */
  orderIds: readonly string[];
  /** Those that the resource has bought itself. */
  purchases: readonly KnownPurchase[];
}

/**
 * The purchase that a state knows. Purchases of one account are made one after the other, so its request and its moment
 * tell it, whatever was written down of its answer, and under whatever scope. What a state of another journal has may be
 * known by less: its number, or the request that this checkout has made last.
 */
export function findKnown(
  intents: readonly Intent[],
  { requestId, orderNumber, at }: KnownPurchase,
  project: string,
): Intent | undefined {
  const moment = intents.filter(
    (intent) =>
      begunAt(intent) === at &&
      withoutScope(intent.requestId) === requestId &&
      (intent.orderNumber ?? orderNumber) === orderNumber,
  );
  const isNumbered = (intent: Intent) =>
    orderNumber !== undefined && intent.orderNumber === orderNumber && !isMisnumbered(intent);
  // The same request may have been made again after its first order had ended.
  const isRequested = (intent: Intent) =>
    intent.requestId === requestId && intent.project === project && at >= begunAt(intent);
  return (
    moment.find((intent) => intent.orderNumber !== undefined) ??
    // Clocks of stores tell seconds, so another scope may have made its own at the same moment.
    moment.find((intent) => intent.requestId === requestId) ??
    moment[0] ??
    intents.find(isNumbered) ??
    intents.find(
      (intent) => intent.orderNumber === undefined && !isDone(intent) && isRequested(intent),
    )
  );
}

/** The purchases that a state knows as its resource's own. */
export function findBought(
  intents: readonly Intent[],
  { purchases }: Pick<HeldOrders, "purchases">,
  project: string,
): Intent[] {
  const found = purchases.map((purchase) => findKnown(intents, purchase, project));
  return found.filter((intent) => intent !== undefined);
}

/** The purchases of the orders that a state has, and that its resource has not bought itself. */
export function findTakenOver(
  intents: readonly Intent[],
  { orderNumber, orderIds, purchases }: Omit<HeldOrders, "owner">,
): Intent[] {
  if (purchases.some((purchase) => purchase.orderNumber === orderNumber)) return [];
  const bought = new Set(purchases.flatMap((purchase) => purchase.orderIds ?? []));
  const names = [orderNumber, ...orderIds].filter((name) => !bought.has(name));
  return intents.filter((intent) => namesOf(intent).some((name) => names.includes(name)));
}
