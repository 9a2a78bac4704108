import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import { begunAt, type Intent, isDone, isMisnumbered, namesOf } from "../records/intent.ts";
import { withoutScope } from "../values/owner.ts";

/** A purchase that the engine's state is seen to know. */
export interface KnownPurchase {
  requestId: string;
  /** Absent for an extension: it has none. */
  orderNumber?: string;
  /** Under which ids its order was found in the listing; its number until it was found. */
  orderIds?: readonly string[];
  /** What the balance fell by, where that is not the price. */
  charged?: number | undefined;
  /** When it was made, by the journal's clock. */
  at: string;
  /** See `HandedOver`. */
  handOver?: string | undefined;
}

/** The orders that the engine's state is seen to have. */
export interface OrdersInState {
  owner: string;
  /** Of all of them. */
  proxyType: ProxyType;
  /** As the program names the first one. It may have been taken over. */
  orderNumber: string;
  /** Under which ids all of them are listed. */
  orderIds: readonly string[];
  /** Those of which it has the receipts, because the journal knew them. */
  purchases: readonly KnownPurchase[];
  /** Whether it is being imported, which may fail, or be a preview: no state is saved yet. @default false */
  isImporting?: boolean;
  /** Proxies that its resource has let go. @default none */
  released?: readonly Pick<ProxyRecord, "orderId" | "ipAddressIp" | "httpsPort">[];
}

/**
 * The purchase that a state knows. What a state of another journal has may be known by less than its moment: its number,
 * or the request that this checkout has made last.
 */
export function findKnown(
  intents: readonly Intent[],
  known: KnownPurchase,
  project: string,
): Intent | undefined {
  const { requestId, orderNumber, at } = known;
  const isNumbered = (intent: Intent) =>
    orderNumber !== undefined && intent.orderNumber === orderNumber && !isMisnumbered(intent);
  // The same request may have been made again after its first order had ended.
  const isRequested = (intent: Intent) =>
    intent.requestId === requestId && intent.project === project && at >= begunAt(intent);
  return (
    findByMoment(intents, known) ??
    intents.find(isNumbered) ??
    intents.find(
      (intent) => intent.orderNumber === undefined && !isDone(intent) && isRequested(intent),
    )
  );
}

/**
 * The purchase of a request and a moment. Purchases of one account are made one after the other, so these two tell it,
 * whatever was written down of its answer, and under whatever scope.
 */
export function findByMoment<Purchase extends Intent>(
  intents: readonly Purchase[],
  { requestId, orderNumber, orderIds = [], at }: KnownPurchase,
): Purchase | undefined {
  const moment = intents.filter(
    (intent) => isMomentOf(intent, at) && withoutScope(intent.requestId) === requestId,
  );
  const isSaid = (intent: Intent) =>
    intent.orderNumber !== undefined &&
    (intent.orderNumber === orderNumber || orderIds.includes(intent.orderNumber));
  // Clocks of stores tell seconds, so another scope may have made its own at the same moment.
  return (
    moment.find(isSaid) ?? moment.find((intent) => intent.requestId === requestId) ?? moment[0]
  );
}

/** Whether a state names this moment for a purchase. Release 0.1.0 named that of the answer. */
function isMomentOf(intent: Intent, at: string): boolean {
  if (intent.sequence !== undefined) return begunAt(intent) === at;
  return intent.sentAt === at || intent.history.some((phase) => phase.at === at);
}

/** A purchase, and what a state says of it. */
interface KnownIntent {
  intent: Intent;
  receipt: KnownPurchase;
}

/** The purchases that a state has receipts of. What is closed may have been closed for another order of the number. */
export function findReceived(
  intents: readonly Intent[],
  { purchases }: Pick<OrdersInState, "purchases">,
  project: string,
): KnownIntent[] {
  return purchases.flatMap((receipt) => {
    const intent = findKnown(intents, receipt, project);
    if (intent === undefined) return [];
    const isSure = intent.phase !== "closed" || findByMoment(intents, receipt) === intent;
    return isSure ? [{ intent, receipt }] : [];
  });
}

/** The purchases of the orders that a state has no receipts of. */
export function findTakenOver(
  intents: readonly Intent[],
  { orderNumber, orderIds, purchases }: Omit<OrdersInState, "owner" | "proxyType">,
): Intent[] {
  if (purchases.some((purchase) => purchase.orderNumber === orderNumber)) return [];
  const bought = new Set(purchases.flatMap((purchase) => purchase.orderIds ?? []));
  const names = [orderNumber, ...orderIds].filter((name) => !bought.has(name));
  return intents.filter((intent) => namesOf(intent).some((name) => names.includes(name)));
}
