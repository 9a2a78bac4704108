import type { OrderRequest } from "../../../client/index.ts";
import { type ListedOrder, matchOrders } from "../../evidence/listed-orders.ts";
import { hasListedId, isUnnamed } from "../../evidence/naming.ts";
import { listedNamesOf, type OrderIntent, sentBetween } from "../../records/intent.ts";
import { isSameSpecification } from "../../records/request-id.ts";
import { endOfPeriod, hasEnded, isBackwards, laterEnd } from "../../values/dates.ts";

/** What an unfinished purchase of an earlier run means for a purchase that is planned now. */
export type Recovery =
  /** Nothing is in the way. */
  | { kind: "none" }
  /** It is the purchase that is planned: the order is paid and there. */
  | { kind: "takeOver"; intent: OrderIntent }
  | RecoveryStop;

/** A person decides. */
export interface RecoveryStop {
  kind: "stop";
  intent: OrderIntent;
  reason: string;
  /** Whether another resource has taken the order over, which does not give it up. @default false */
  isHandedOver?: boolean;
}

/** What a recovery is decided by. */
export interface SeenOrders {
  listed: readonly ListedOrder[];
  now: Date;
  /** Order ids that are known to belong to other purchases. */
  claimed: ReadonlySet<string>;
  /** What else is known of an order, by any of its names. */
  knownOf(names: readonly string[]): KnownOrder;
}

/** What is known of an order beside what was paid for it first, and beside the end that is listed. */
export interface KnownOrder {
  /** The latest end that is recorded of any of its proxies; undefined if none is. */
  dateEnd: string | undefined;
  /** Whether the service may have extended it since, or may do so. */
  mayRenew: boolean;
}

/**
 * Decides about an order that an earlier run has bought for the same resource, and that the engine's state does not
 * know. It is taken over only if it is what is wanted now, and is listed. To buy again needs a proof that it has
 * ended.
 */
export function planRecovery(intent: OrderIntent, wanted: object, seen: SeenOrders): Recovery {
  const { request } = intent.purchase;
  const { whole, partial } = findPossible(intent, seen);
  const [order, another] = whole;
  // As long as one of those goes on that may be it, it may be that one.
  const possible = [...(order === undefined ? [undefined] : whole), ...partial];
  if (possible.every((one) => isOver(intent, one, seen))) return { kind: "none" };
  if (!isSameSpecification(request, wanted)) {
    return { kind: "stop", intent, reason: "it is not what the program asks for now" };
  }
  if (order === undefined || another !== undefined) {
    return { kind: "stop", intent, reason: explainUnlisted([...whole, ...partial]) };
  }
  return { kind: "takeOver", intent };
}

/**
 * Whether an order has ended. Its listed end counts, unless that lies before what was paid: such a listing is wrong, and
 * then, as for an order that is not listed, it ends when what was paid must have run out. To believe an earlier end
 * would mean buying again what is there. It takes as much as for a refresh, which finds an order gone: what renews is not
 * over.
 */
export function isOver(
  intent: OrderIntent,
  listed: ListedOrder | undefined,
  { now, knownOf }: Pick<SeenOrders, "now" | "knownOf">,
): boolean {
  const names = [...listedNamesOf(intent), ...(listed ? [listed.orderId] : [])];
  const { dateEnd, mayRenew } = knownOf(names);
  if (mayRenew) return false;
  const told = listed?.endsAt?.toISOString();
  const isBelieved =
    told !== undefined && isPaidFor(intent, listed) && !isBackwards({ dateEnd: told }, { dateEnd });
  return hasEnded({ dateEnd: isBelieved ? told : laterEnd(paidEndsOf(intent).most, dateEnd) }, now);
}

/** Whether an order does not end before what was paid, as far as the listing tells. */
export function isPaidFor(
  intent: OrderIntent,
  listed: Pick<ListedOrder, "endsAt"> | undefined,
): boolean {
  const told = listed?.endsAt?.toISOString();
  return (
    told === undefined || !isBackwards({ dateEnd: told }, { dateEnd: paidEndsOf(intent).least })
  );
}

/** Between which moments what was paid for an order first ends. */
export function paidEndsOf(intent: OrderIntent): { least: string; most: string } {
  const { earliest, latest } = sentBetween(intent);
  const { rentPeriodDays } = intent.purchase.request;
  return {
    least: endOfPeriod(earliest, rentPeriodDays).earliest,
    most: endOfPeriod(latest, rentPeriodDays).latest,
  };
}

/** Whether an unfinished purchase could be mistaken for one that is planned. */
export function sameKind({ purchase }: OrderIntent, wanted: OrderRequest): boolean {
  const { proxyType, country, quantity } = purchase.request;
  return (
    proxyType === wanted.proxyType && country === wanted.country && quantity === wanted.quantity
  );
}

function explainUnlisted(possible: readonly ListedOrder[]): string {
  const alike = possible.map(({ orderId }) => orderId);
  const others =
    alike.length === 0 ? "" : `; ${alike.join(", ")} may be it, listed under another number`;
  return `it is not listed yet (run again when its proxies have arrived), or no longer${others}`;
}

/**
 * The listed orders that may be it: the one of its number or id; if the service lists orders under other numbers, those that
 * look like it. Some of its proxies may have ended.
 */
function findPossible(
  intent: OrderIntent,
  { listed, claimed }: Pick<SeenOrders, "listed" | "claimed">,
): { whole: ListedOrder[]; partial: ListedOrder[] } {
  const names = listedNamesOf(intent);
  const named = listed.find(({ orderId }) => names.includes(orderId));
  if (named) return { whole: [named], partial: [] };
  if (hasListedId(intent)) return { whole: [], partial: [] };
  const { whole } = matchOrders(intent, listed, new Set());
  if (!isUnnamed(intent, listed)) return { whole, partial: [] };
  return { whole, partial: matchOrders(intent, listed, claimed).partial };
}
