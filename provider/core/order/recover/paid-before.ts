import type { OrderRequest, ProxyType } from "../../../client/index.ts";
import { isSoonDeclared } from "../../account/declaring.ts";
import { serviceTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { groupOrders, type ListedOrder } from "../../evidence/listed-orders.ts";
import { findUnnamed } from "../../evidence/naming.ts";
import { isAmongHolders, isSeenSince, wasHolder } from "../../records/hand-over.ts";
import {
  type Intent,
  isDone,
  isOfScope,
  isOrderIntent,
  isPlaced,
  isSameAccount,
  nameForPeople,
  namesOf,
  notAmong,
  type OrderIntent,
  sentBetween,
} from "../../records/intent.ts";
import type { PreviewedPlan } from "../../records/previewed-plan.ts";
import type { InTurn } from "../../spending/buy.ts";
import { DAY_MS } from "../../values/dates.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { formatMoney } from "../../values/money.ts";
import { stackOf, withoutScope } from "../../values/owner.ts";
import { describeOrder } from "../model/args.ts";
import { adviseAdoption, adviseResolving, explainOtherScope } from "../model/ways-out.ts";
import { isOver, planRecovery, sameKind } from "./plan-recovery.ts";

/** A purchase that is about to be made. */
export interface WantedOrder {
  owner: string;
  request: OrderRequest;
  isTopUp: boolean;
}

/** What is known in the turn: see `InTurn`. */
type Seen = Pick<InTurn, "known" | "goesOn">;

/** A purchase that stands in the way, and why. */
export interface PaidBefore {
  intent: OrderIntent;
  reason: string;
}

/** A purchase in the journal, and what is known of the run that made it. */
export interface LeftPurchase {
  intent: OrderIntent;
  /** Whether that run goes on. */
  isAlive: boolean;
  /** Whether the engine has ended that run in the ordinary way. Then it has saved what it was told. */
  hasEnded: boolean;
  /** Whether it was made with the account that this run uses, as far as the journal can tell. */
  isOurAccount: boolean;
  /** Whether it is in the journal of another name of the service. This run does not change that one. */
  isElsewhere: boolean;
}

/**
 * Why a purchase of the journal stands in the way of a wanted one; undefined if it does not:
 * - `own`: it was made for the same resource;
 * - `handedOver`: another resource has taken it over from this one, whose state had it still, or nobody knows yet whether the
 *   other one was saved;
 * - `unknown`: nobody knows whether it was placed, and it may be taken for the wanted one;
 * - `orphaned`: it was paid for another resource by a run that was cut off, so no state is known to have it. That
 *   resource, its parent or the stack may have been renamed since;
 * - `underWay`: another run of this stack is buying it, or has just bought it. One run at a time updates a stack, so
 *   that run was cancelled and lives on. What it buys is in no state.
 */
export function standsInTheWay(
  { intent, isAlive, hasEnded, isOurAccount }: Omit<LeftPurchase, "isElsewhere">,
  { owner, request }: Pick<WantedOrder, "owner" | "request">,
): "own" | "handedOver" | "unknown" | "orphaned" | "underWay" | undefined {
  if (intent.owner === owner) return "own";
  const isSaved =
    intent.phase === "confirmed" ||
    isSeenSince(intent) ||
    (intent.phase === "returned" && hasEnded);
  if (wasHolder(intent, owner) || (!isSaved && isAmongHolders(intent, owner))) return "handedOver";
  if (!isOurAccount || (isAlive && stackOf(intent.owner) !== stackOf(owner))) return undefined;
  if (!isAlive && !isPlaced(intent)) return sameKind(intent, request) ? "unknown" : undefined;
  if (isSaved || !servesTheSame(intent, request)) return undefined;
  return isAlive ? "underWay" : "orphaned";
}

/**
 * Whether an order could stand for a wanted one: proxies of the same kind for the same goal. Its quantity and its terms
 * may have been edited when the resource was renamed.
 */
function servesTheSame({ purchase }: OrderIntent, wanted: OrderRequest): boolean {
  const { proxyType, country, goal } = purchase.request;
  return proxyType === wanted.proxyType && country === wanted.country && goal === wanted.goal;
}

/** Whether that is so only where the other resource does not take its order over: otherwise it is that one's affair. */
function isUnlessOwned(how: ReturnType<typeof standsInTheWay>): boolean {
  return how === "orphaned" || how === "underWay" || how === "handedOver";
}

/**
 * Looks once more whether a purchase is paid already, right before it is sent and in the account's turn. Another run
 * may have bought it since it was planned.
 */
export async function assertNotPaidBefore(
  account: Account,
  wanted: WantedOrder,
  seen: Seen,
): Promise<void> {
  const found = await findPaidBefore(account, wanted, seen);
  if (found) throw refuseBeside(found, wanted.isTopUp);
}

/** The same for a plan that did not know yet which of these purchases of its resource are in the state: none is. */
export async function assertNoneLives(
  account: Account,
  wanted: Pick<WantedOrder, "isTopUp"> & Pick<OrderRequest, "proxyType">,
  left: readonly OrderIntent[],
): Promise<void> {
  const own = left.map((intent) => ({ intent, reason: reasons.own }));
  const found = await findLiving(account, wanted.proxyType, own);
  if (found) throw refuseBeside(found, wanted.isTopUp);
}

function refuseBeside(found: PaidBefore, isTopUp: boolean): ProxyRentalError {
  return new ProxyRentalError(
    "ORDER_MAY_BE_PAID",
    `${explainPaidBefore(found, isTopUp)}. This purchase was not sent.`,
  );
}

/** A purchase that stands in the way of a wanted one, by the journal and the listing. */
async function findPaidBefore(
  account: Account,
  wanted: WantedOrder,
  { known, goesOn }: Seen,
): Promise<PaidBefore | undefined> {
  const { journal } = account;
  await account.hearOthers();
  const all = [...known, ...notAmong(known, await journal.readElsewhere())];
  const previews = await journal.previewed.ofStack(wanted.owner);
  const beside = previews.findLast(({ plans }) => plans.has(wanted.owner))?.plans ?? new Map();
  const left: PaidBefore[] = [];
  for (const intent of all.filter(isOrderIntent)) {
    if (!mayBeLeft(account, intent)) continue;
    if (!isAmongHolders(intent, wanted.owner) && !mayStandInTheWay(intent, wanted.request))
      continue;
    const one = await lookAtRun(account, intent, false, async () => goesOn(intent));
    const how = standsInTheWay(one, wanted);
    if (how === undefined) continue;
    if (isUnlessOwned(how) && (await isOwnersAffair(account, intent, beside))) continue;
    const isOurs = how !== "own" || isOfScope(intent, journal.scope);
    left.push({ intent, reason: isOurs ? reasons[how] : explainOtherScope(intent, journal.scope) });
  }
  return findLiving(account, wanted.request.proxyType, left);
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
      namesInRun(registry, intent).some((name) => registry.names().has(name)),
  );
}

/** Whether a plan takes a purchase over for the resource that it was made for, for all that it says. */
function mayTakeOver({ effect, requestId }: PreviewedPlan, left: string): boolean {
  if (effect === "unknown") return true;
  return effect === "recover" && requestId === left;
}

/** Why each stands in the way, in words. */
export const reasons = {
  own: "it was bought for this resource, and the state does not have it",
  handedOver:
    "another resource has taken it over from this one, and the state does not show either of them",
  unknown: "nobody knows yet what became of it",
  orphaned:
    "the run that bought it was cut off, so that perhaps no state has it; the resource may have had another name then",
  underWay:
    "another run of this stack, which was cancelled and lives on, is buying it or has just bought it; the resource may have had another name then, so wait until that run has ended",
} as const;

/** Whether a purchase may stand in the way at all, before anything is asked about its run. */
function mayStandInTheWay(intent: OrderIntent, request: OrderRequest): boolean {
  return sameKind(intent, request) || servesTheSame(intent, request);
}

/** Whether a purchase may be in no state. It is not if it is closed, of this run, held, or declared gone or foreign. */
export function mayBeLeft(
  { journal, registry, settings }: Pick<Account, "journal" | "registry" | "settings">,
  intent: OrderIntent,
): boolean {
  if (intent.phase === "closed" || intent.runId === journal.runId) return false;
  const requestId = withoutScope(intent.requestId);
  const isHeld = namesInRun(registry, intent).some((name) => registry.isHeld(name, requestId));
  return !isHeld && !isDisowned(settings, intent);
}

/** Whether a person has said that an order is gone, or somebody else's. */
export function isDisowned(
  { foreignOrders, goneOrders }: Account["settings"],
  intent: OrderIntent,
): boolean {
  return namesOf(intent).some((name) => foreignOrders.has(name) || goneOrders.has(name));
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
function namesInRun(registry: Account["registry"], intent: OrderIntent): string[] {
  const { orderNumber = "", orderIds = [] } = intent;
  const number = registry.names().get(orderNumber) ?? orderNumber;
  return number === orderNumber ? namesOf(intent) : orderIds;
}

/**
 * The purchases of others of which it matters whether their run goes on: with that, what another stack is buying is its
 * own affair.
 */
export async function findDoubtful(
  account: Account,
  { owner, request }: Pick<WantedOrder, "owner" | "request">,
  known: readonly Intent[],
): Promise<OrderIntent[]> {
  const open = known
    .filter(isOrderIntent)
    .filter((intent) => !isDone(intent) && intent.owner !== owner && mayBeLeft(account, intent))
    .filter((intent) => mayStandInTheWay(intent, request));
  const doubtful: OrderIntent[] = [];
  for (const intent of open) {
    const { isOurAccount, hasEnded } = await lookAtRun(account, intent, false, async () => false);
    const isSaved = intent.phase === "returned" && hasEnded;
    if (isOurAccount && !isSaved) doubtful.push(intent);
  }
  return doubtful;
}

/** Finds out what is known of the run that made a purchase. */
export async function lookAtRun(
  { journal }: Pick<Account, "journal">,
  intent: OrderIntent,
  isElsewhere: boolean,
  askLife: (intent: OrderIntent) => Promise<boolean> = journal.isAlive,
): Promise<LeftPurchase> {
  const own = await journal.accountId();
  const isOurAccount = isSameAccount(intent, { account: own });
  const isAlive = !isDone(intent) && (await askLife(intent));
  const hasEnded = await journal.hasEnded(intent);
  return { intent, isAlive, hasEnded, isOurAccount, isElsewhere };
}

/** The first of these that lives, or may live. Fresh and whole listings decide. */
async function findLiving(
  account: Account,
  proxyType: ProxyType,
  left: readonly PaidBefore[],
): Promise<PaidBefore | undefined> {
  if (left.length === 0) return undefined;
  const undecided = left.find(({ intent }) => !isPlaced(intent));
  if (undecided) return undecided;
  account.listing.invalidate();
  const living = await findLivingOrders(
    account,
    proxyType,
    left.map(({ intent }) => intent),
  );
  return left.find(({ intent }) => living.has(intent.id));
}

/**
 * Which of these purchases live, by their ids. One that is over may be bought again. So two whole listings must say
 * that it is over, by a clock that both agree on.
 */
export async function findLivingOrders(
  { listing, clock }: Pick<Account, "listing" | "clock">,
  proxyType: ProxyType,
  intents: readonly OrderIntent[],
): Promise<ReadonlySet<string>> {
  return listing.conclude(proxyType, (snapshot) => {
    // If the service tells no clock, nothing has ended.
    const now = snapshot.asOf === undefined ? NEVER : serviceTime(snapshot, clock);
    const seen = { listed: groupOrders(snapshot.records), now };
    const [living, over] = partition(intents, (intent) => isLiving(intent, seen));
    const names = over.map(({ orderNumber, id }) => orderNumber ?? id);
    return {
      value: new Set(living.map(({ id }) => id)),
      costly: over.length === 0 ? undefined : `order ${names.join(", ")} has ended or is not there`,
      rows: [],
    };
  });
}

/** A moment before any end. */
const NEVER = new Date(0);

function partition<Thing>(
  things: readonly Thing[],
  is: (thing: Thing) => boolean,
): [Thing[], Thing[]] {
  return [things.filter(is), things.filter((thing) => !is(thing))];
}

/** How long the proxies of an order may take to be listed. */
const ARRIVING_MS = DAY_MS;

/** Whether an order is listed and has not ended, or may still come. */
function isLiving(
  intent: OrderIntent,
  seen: { listed: readonly ListedOrder[]; now: Date },
): boolean {
  const names = namesOf(intent);
  const listed = seen.listed.find(({ orderId }) => names.includes(orderId));
  if (listed) return listed.endsAt === undefined || !isOver(intent, listed, seen.now);
  if (intent.phase === "confirmed" && wasListed(intent, seen)) return false;
  return planRecovery(intent, intent.purchase.request, seen).kind !== "none";
}

/**
 * Whether an order that a state had, and that is not listed now, was listed before. Its number must be like the
 * listing's names, and it must have had the time to arrive. Otherwise it may be listed under another name.
 */
function wasListed(
  intent: OrderIntent,
  { listed, now }: { listed: readonly ListedOrder[]; now: Date },
): boolean {
  const { request } = intent.purchase;
  const ageMs = now.getTime() - sentBetween(intent).latest.getTime();
  // A state that was seen to have it has followed it to its end.
  if (ageMs >= request.rentPeriodDays * DAY_MS) return true;
  return findUnnamed([intent], request, listed).length === 0 && ageMs >= ARRIVING_MS;
}

/** Says what is paid already, and every way out. */
function explainPaidBefore({ intent, reason }: PaidBefore, isTopUp: boolean): string {
  const { owner, price, currency, sentAt, orderNumber, candidates = [] } = intent;
  const what = `${describeOrder(intent.purchase.request)} for ${formatMoney(price, currency)}`;
  const happened =
    orderNumber === undefined
      ? `${what} may have been bought for ${owner} at ${sentAt}: ${reason}`
      : `order ${orderNumber} (${what}) was bought for ${owner} at ${sentAt} and is paid: ${reason}`;
  const [only, another] = candidates;
  const name = nameForPeople(intent) ?? (another === undefined ? only : undefined);
  const takeOver =
    name === undefined && !isPlaced(intent)
      ? "run `pulumi up` again to look anew"
      : adviseAdoption(name, isTopUp);
  return `${happened}. Nothing was bought now. Either ${takeOver}, or, if it is accounted for elsewhere, ${adviseResolving(intent, reason === reasons.handedOver)}`;
}
