import type { OrderRequest } from "../../../client/index.ts";
import { isSoonDeclared } from "../../account/declaring.ts";
import type { Account } from "../../account.ts";
import { isAmongHolders, isSeenSince, wasHolder } from "../../records/hand-over.ts";
import {
  isDone,
  isPlaced,
  isSameAccount,
  knownAs,
  namesOf,
  type OrderIntent,
  type PurchasedOrder,
} from "../../records/intent.ts";
import type { PreviewedPlan } from "../../records/previewed-plan.ts";
import { stackOf } from "../../values/owner.ts";
import { sameKind } from "./plan-recovery.ts";

/** A purchase in the journal, and what is known of the run that made it. */
export interface LeftPurchase {
  intent: OrderIntent;
  /** Whether that run goes on. */
  isAlive: boolean;
  /** Whether the engine has ended that run in the ordinary way. */
  hasEnded: boolean;
  /** Whether that end has saved its order. */
  isSavedByEnd: boolean;
  /** Whether it was made with the account that this run uses, as far as the journal can tell. */
  isOurAccount: boolean;
  /** Whether it is in the journal of another name of the service. This run does not change that one. */
  isElsewhere: boolean;
}

/**
 * Why a purchase of the journal stands in the way of a wanted one:
 * - `own`: it was made for the same resource;
 * - `handedOver`: another resource has taken it over from this one, whose state had it still, or nobody knows yet whether the
 *   other one was saved;
 * - `unknown`: nobody knows whether it was placed, and it may be taken for the wanted one;
 * - `orphaned`: it was paid for another resource by a run that was cut off, so no state is known to have it. That resource, its
 *   parent or the stack may have been renamed since, and its quantity edited;
 * - `mayBeOrphaned`: the same, and nobody knows whether it was placed;
 * - `underWay`: another run of this stack is buying it, or has just bought it. One run at a time updates a stack, so
 *   that run was cancelled and lives on. What it buys is in no state.
 */
export type Obstacle = "own" | "handedOver" | "unknown" | "orphaned" | "mayBeOrphaned" | "underWay";

/** Undefined if it does not stand in the way. */
export function standsInTheWay(
  { intent, isAlive, isSavedByEnd, isOurAccount }: Omit<LeftPurchase, "hasEnded" | "isElsewhere">,
  { owner, request }: { owner: string; request: OrderRequest },
): Obstacle | undefined {
  if (intent.owner === owner) return "own";
  const isSaved = intent.phase === "confirmed" || isSeenSince(intent) || isSavedByEnd;
  if (wasHolder(intent, owner) || (!isSaved && isAmongHolders(intent, owner))) return "handedOver";
  if (!isOurAccount || (isAlive && stackOf(intent.owner) !== stackOf(owner))) return undefined;
  if (!isAlive && !isPlaced(intent) && sameKind(intent, request)) return "unknown";
  if (isSaved || !servesTheSame(intent, request)) return undefined;
  if (isAlive) return "underWay";
  return isPlaced(intent) ? "orphaned" : "mayBeOrphaned";
}

/**
 * Whether an order could stand for a wanted one: proxies of the same kind for the same goal. Its quantity and its terms
 * may have been edited when the resource was renamed.
 */
function servesTheSame({ purchase }: OrderIntent, wanted: OrderRequest): boolean {
  const { proxyType, country, goal } = purchase.request;
  return proxyType === wanted.proxyType && country === wanted.country && goal === wanted.goal;
}

/**
 * Whether the resource that an order was bought for has it, or takes it over itself, or another one does. That it is a
 * part of the program is not enough: it may ask for something else now, and its name be given to another one. The
 * newest preview tells; without one, it may be checked a moment later than the resource that asks.
 */
export function isOwnersAffair(
  account: Account,
  intent: OrderIntent,
  beside: ReadonlyMap<string, PreviewedPlan> = new Map(),
): Promise<boolean> {
  const { registry } = account;
  const { owner, requestId } = intent;
  const plan = beside.get(owner);
  const isPreviewed = plan !== undefined && mayTakeOver(plan, requestId);
  return isSoonDeclared(
    account,
    () =>
      isPreviewed ||
      registry.answersFor(owner, requestId) ||
      registry.hasMet(knownInRun(registry, intent)),
  );
}

/** Whether a plan takes a purchase over for the resource that it was made for, for all that it says. */
function mayTakeOver({ effect, requestId }: PreviewedPlan, left: string): boolean {
  if (effect === "unknown") return true;
  return effect === "recover" && requestId === left;
}

const UNKNOWN = "nobody knows yet what became of it";

/** The same in words. */
export const obstacles: Record<Obstacle, string> = {
  own: "it was bought for this resource, and the state does not have it",
  handedOver:
    "another resource has taken it over from this one, and the state does not show either of them",
  unknown: UNKNOWN,
  mayBeOrphaned: UNKNOWN,
  orphaned:
    "the run that bought it was cut off, so that perhaps no state has it; the resource may have had another name then",
  underWay:
    "another run of this stack, which was cancelled and lives on, is buying it or has just bought it; the resource may have had another name then",
};

/** Whether a purchase may stand in the way at all, before anything is asked about its run. */
export function mayStandInTheWay(intent: OrderIntent, request: OrderRequest): boolean {
  return sameKind(intent, request) || servesTheSame(intent, request);
}

/** Whether a purchase may be in no state. It is not if it is closed, of this run, held, ended, or declared gone or foreign. */
export function mayBeLeft(
  { journal, registry, settings }: Pick<Account, "journal" | "registry" | "settings">,
  intent: OrderIntent,
): boolean {
  if (intent.phase === "closed" || intent.runId === journal.runId) return false;
  if (hasEndedInRun(registry, intent)) return false;
  return !isHeldInRun(registry, intent) && !isDisowned(settings, intent);
}

/** Whether a state that this run has seen has its order. */
export function isHeldInRun(registry: Account["registry"], intent: OrderIntent): boolean {
  return registry.isHeld(knownInRun(registry, intent));
}

/** Whether a refresh of this run has found its order gone, which takes more than can be known without a state. */
export function hasEndedInRun(registry: Account["registry"], intent: OrderIntent): boolean {
  return registry.hasEnded(knownInRun(registry, intent));
}

/** Whether a person has said that an order is gone, or somebody else's. */
export function isDisowned(
  { foreignOrders, goneOrders }: Account["settings"],
  intent: OrderIntent,
): boolean {
  return isDeclared(foreignOrders, intent) || isDeclared(goneOrders, intent);
}

/** Whether a setting names an order. */
export function isDeclared(setting: ReadonlySet<string>, intent: OrderIntent): boolean {
  return namesOf(intent).some((name) => setting.has(name));
}

/**
 * Whether a purchase may be the one that the state of its resource names, as long as the run has not seen that state:
 * a check is given the old inputs, which name a request and no order. The same request may have been made again after
 * its first order had ended, so once the state was seen, only its orders tell.
 */
export function mayBeInUnseenState(
  { registry }: Pick<Account, "registry">,
  intent: OrderIntent,
  owner: string,
  namedRequestId: string | undefined,
): boolean {
  return intent.requestId === namedRequestId && !registry.hasSeenStateOf(owner, intent.requestId);
}

/**
 * The names by which a state may hold a purchase. If the run knows its number as the listed id of an order of another
 * number, that one is another order.
 */
function knownInRun(registry: Account["registry"], intent: OrderIntent): PurchasedOrder {
  const { orderNumber = "", orderIds = [] } = intent;
  const known = knownAs(intent);
  const number = registry.names(known.proxyType).get(orderNumber) ?? orderNumber;
  return number === orderNumber ? known : { ...known, names: orderIds };
}

/** Finds out what is known of the run that made a purchase. No state that this run has met has its order. */
export async function lookAtRun(
  { journal, registry }: Pick<Account, "journal" | "registry">,
  intent: OrderIntent,
  isElsewhere: boolean,
  askLife: (intent: OrderIntent) => Promise<boolean> = journal.isUnderWay,
): Promise<LeftPurchase> {
  const own = await journal.accountId();
  const isOurAccount = isSameAccount(intent, { account: own });
  const isAlive = !isDone(intent) && (await askLife(intent));
  const hasEnded = await journal.hasEnded(intent);
  // An engine saves what it was told, unless its backend is away. Then the state of the resource shows it.
  const isSavedByEnd =
    intent.phase === "returned" && hasEnded && !registry.hasMetStateOf(intent.owner);
  return { intent, isAlive, hasEnded, isSavedByEnd, isOurAccount, isElsewhere };
}
