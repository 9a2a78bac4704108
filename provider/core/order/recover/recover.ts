import pLimit from "p-limit";
import type { OrderRequest } from "../../../client/index.ts";
import { awaitOtherRun } from "../../account/await-other-run.ts";
import { assertNotCancelled } from "../../account/cancellation.ts";
import type { Account } from "../../account.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { isAmongHolders } from "../../records/hand-over.ts";
import {
  type Intent,
  isDone,
  isOfScope,
  isOrderIntent,
  isPlaced,
  nameForPeople,
  notAmong,
  type OrderIntent,
} from "../../records/intent.ts";
import { judgeOrdersInTurn, kindOf } from "../../spending/abandoned.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { nameOf } from "../../values/owner.ts";
import { describeOrder } from "../model/args.ts";
import type { PaidOrder } from "../model/receipt.ts";
import type { CheckedOrder } from "../model/state.ts";
import { adviseAdoption, explainOtherScope } from "../model/ways-out.ts";
import {
  hasEndedInRun,
  isDisowned,
  isOwnersAffair,
  type LeftPurchase,
  lookAtRun,
  mayBeInUnseenState,
  mayBeLeft,
  obstacles,
  standsInTheWay,
} from "./left-purchase.ts";
import { findLivingIds } from "./living.ts";
import {
  planRecovery,
  type Recovery,
  type RecoveryStop,
  type SeenOrders,
} from "./plan-recovery.ts";
import { findListedAfterAll, findTakenForGone } from "./taken-for-gone.ts";

/** A purchase that is planned. */
export interface PlannedRequest {
  owner: string;
  request: OrderRequest;
  /** The purchase that the engine's state has already; undefined if it has none. */
  namedRequestId: string | undefined;
}

/** Finds unfinished purchases of earlier runs that stand in the way of a purchase. */
export type Recoverer = (planned: PlannedRequest) => Promise<Recovery>;

/** Makes the recoverer of an account. One recovery runs at a time: what one finds out, the others read. */
export function createRecoverer(account: Account): Recoverer {
  const oneAtATime = pLimit(1);
  return (planned) => oneAtATime(() => recoverOrder(account, planned));
}

async function recoverOrder(account: Account, planned: PlannedRequest): Promise<Recovery> {
  let before: EarlierPurchases = { left: [], all: [] };
  const busy = await awaitOtherRun(account, async () => {
    before = await findEarlier(account, planned);
    return (
      before.left
        .filter(({ intent, isAlive }) => isAlive && intent.owner === planned.owner)
        // Only a purchase that is still under way is waited for. The engine was told of the others.
        .find(({ intent }) => intent.phase === "sending" || intent.phase === "placed")
    );
  });
  if (busy) throw await inProgress(account, busy.intent);
  const abandoned = before.left
    .filter(({ intent, isAlive }) => !isAlive && !isPlaced(intent))
    .filter(({ isOurAccount, isElsewhere }) => isOurAccount && !isElsewhere);
  await resolveAbandonedOrders(
    account,
    abandoned.map(({ intent }) => intent),
  );
  const after = abandoned.length === 0 ? before : await findEarlier(account, planned);
  const recovery = await decide(account, after.left, planned);
  if (recovery.kind !== "none") return recovery;
  const { owner, request, namedRequestId } = planned;
  if (namedRequestId !== undefined) return recovery;
  const wanting = { owner, proxyType: request.proxyType };
  const gone = findTakenForGone(account, wanting, after.all);
  return (await findListedAfterAll(account, wanting, gone, after.all)) ?? recovery;
}

/** What earlier runs have bought. */
interface EarlierPurchases {
  /** Those that they have left, and that stand in the way. */
  left: LeftPurchase[];
  /** All that were looked at. */
  all: OrderIntent[];
}

/** Reads what earlier runs have bought. */
async function findEarlier(account: Account, planned: PlannedRequest): Promise<EarlierPurchases> {
  const { journal } = account;
  // If the state has the resource, only its open purchases matter.
  const isNew = planned.namedRequestId === undefined;
  const [here, others] = await Promise.all([
    isNew ? journal.readAll() : journal.readOpen(),
    isNew ? journal.readElsewhere() : [],
  ]);
  const elsewhere = notAmong(here, others);
  const left: LeftPurchase[] = [];
  const all = [...here, ...elsewhere].filter(isOrderIntent);
  for (const intent of all) {
    if (!mayBeLeft(account, intent)) continue;
    if (mayBeInUnseenState(account, intent, planned.owner, planned.namedRequestId)) continue;
    if (isDone(intent) && !isAmongHolders(intent, planned.owner)) continue;
    const one = await lookAtRun(account, intent, elsewhere.includes(intent));
    if (standsInTheWay(one, planned) !== undefined) left.push(one);
  }
  return { left, all };
}

/** Finds out what became of purchases whose runs ended before they knew it. */
export async function resolveAbandonedOrders(
  account: Account,
  intents: readonly OrderIntent[],
): Promise<void> {
  const { journal, log, cancelled } = account;
  const assertWanted = () => assertNotCancelled(cancelled);
  for (const [first, ...rest] of Map.groupBy(intents, kindOf).values()) {
    if (first === undefined) continue;
    const ids = [first, ...rest].map(({ id }) => id);
    // Where the turn can't be had, this is all that a person is told of them.
    log.progress(
      `an earlier run may have bought ${describeOrder(first.purchase.request)} at ${first.sentAt} (${namePurchases(ids)}); looking at the account until its answer can't come any more, timeoutSeconds and settlingSeconds after it was sent`,
    );
    await journal.withAccount(async (turn) => {
      // Another run may have found out while this one waited for its turn.
      const open = (await journal.readOpen()).filter(isOrderIntent);
      const [still, ...others] = open.filter((one) => ids.includes(one.id) && !isPlaced(one));
      if (still) await judgeOrdersInTurn(account, [still, ...others], turn);
    }, assertWanted);
  }
}

/** By their ids, as `journal show` takes them. */
function namePurchases(ids: readonly string[]): string {
  return `purchase${ids.length === 1 ? "" : "s"} ${ids.join(", ")}`;
}

/** Decides by what is known of the purchases that stand in the way. */
async function decide(
  account: Account,
  left: readonly LeftPurchase[],
  planned: PlannedRequest,
): Promise<Recovery> {
  const own = left.filter(({ intent }) => intent.owner === planned.owner);
  const foreign = own.find(({ intent, isOurAccount }) => !isOurAccount && !isPlaced(intent));
  if (foreign) return { kind: "stop", intent: foreign.intent, reason: explainForeign(foreign) };
  const undecided = left.filter(
    (one) =>
      !one.isAlive && !isPlaced(one.intent) && standsInTheWay(one, planned) !== "mayBeOrphaned",
  );
  const [stop] = undecided.map(({ intent }) => stopOver(intent));
  if (stop && undecided.some((one) => own.includes(one))) return stop;
  const recovery = await decideOverOwn(account, own, planned);
  // To take over a known order buys nothing, whatever became of the purchase of another resource. And if both stand in
  // the way, the order that this resource is known to have is named.
  if (stop && recovery.kind === "none") return stop;
  const handed = left.filter(
    ({ intent }) => intent.owner !== planned.owner && isAmongHolders(intent, planned.owner),
  );
  await warnOfOrphans(
    account,
    left.filter((one) => !handed.includes(one)),
    planned.owner,
  );
  return recovery.kind === "none" ? decideOverHanded(account, handed) : recovery;
}

/** Each journal has fingerprints of its own, so those of another one do not tell whose account it was. */
function explainForeign({ isElsewhere }: LeftPurchase): string {
  return isElsewhere
    ? "it is in another journal, kept under another name of the service (proxyrental:baseUrl) or in this machine's folder from before the journal was shared; only a run that names that one can find out, and the command must name it too (--base-url, --journal-dir)"
    : "it was sent with another API key, so this account can't tell";
}

function stopOver(intent: OrderIntent): RecoveryStop {
  return { kind: "stop", intent, reason: intent.remark ?? "" };
}

/**
 * Warns of another resource's order that perhaps no state has. While a plan is made, nobody knows whether that
 * resource is still to be declared and takes its order over itself. So only the purchase is refused, later.
 */
async function warnOfOrphans(
  account: Pick<Account, "hearOthers" | "registry" | "log">,
  left: readonly LeftPurchase[],
  owner: string,
): Promise<void> {
  const ofOthers = left.filter(({ intent }) => intent.owner !== owner);
  if (ofOthers.length > 0) await account.hearOthers();
  const orphans = ofOthers.filter(({ intent }) => !account.registry.isDeclared(intent.owner));
  for (const one of orphans) account.log.warn(`${nameOf(owner)}: ${explainOrphan(one)}`);
}

/** Says what another resource has, and what to do about it. */
function explainOrphan({ intent, isAlive }: LeftPurchase): string {
  const { id, orderNumber, purchase } = intent;
  const what = describeOrder(purchase.request);
  const unless =
    "If that resource is not a part of the program any more, `pulumi up` will not buy this one beside it";
  if (isAlive) {
    return `another run is buying ${what} for ${intent.owner}. ${unless}: wait until that run has ended, and run again`;
  }
  if (!isPlaced(intent)) {
    return `a run that was cut off may have bought ${what} for ${intent.owner}, and nobody knows yet. ${unless}: run again to look anew, or resolve it (\`npx pulumi-proxyrental journal resolve ${id}\`)`;
  }
  return `a run that was cut off has bought order ${orderNumber} (${what}) for ${intent.owner}. ${unless}: ${adviseAdoption(nameForPeople(intent), false)}`;
}

/** An order that another resource has taken over is that one's affair, as long as it is known to have it. */
async function decideOverHanded(
  account: Account,
  handed: readonly LeftPurchase[],
): Promise<Recovery> {
  for (const { intent } of handed) {
    if (await isOwnersAffair(account, intent)) continue;
    const { proxyType } = intent.purchase.request;
    const living = await findLivingIds(account, proxyType, [intent]);
    if (living.size > 0)
      return { kind: "stop", intent, reason: obstacles.handedOver, isHandedOver: true };
  }
  return { kind: "none" };
}

async function decideOverOwn(
  account: Account,
  own: readonly LeftPurchase[],
  { request }: PlannedRequest,
): Promise<Recovery> {
  const { journal } = account;
  if (own.length === 0) return { kind: "none" };
  const recoveries: Recovery[] = [];
  for (const left of inOrderOfTrust(journal.project, own)) {
    const { intent } = left;
    const { proxyType } = intent.purchase.request;
    const living = await findLivingIds(account, proxyType, [intent]);
    if (living.size > 0) recoveries.push(await decideOverLiving(account, left, request));
    else if (!isDone(intent) && !left.isElsewhere) {
      await journal.change(intent, { phase: "closed", closedBecause: "expired" });
    }
  }
  const [first = { kind: "none" as const }, second] = recoveries;
  if (first.kind === "takeOver" && second && isSameProject(first, second)) {
    const reason = `order ${first.intent.orderNumber} was bought for it too`;
    return { kind: "stop", intent: second.intent, reason };
  }
  return first;
}

/** Purchases of this checkout come first. An order of another checkout is taken over only if there is none. */
function inOrderOfTrust(project: string, own: readonly LeftPurchase[]): LeftPurchase[] {
  return own.toSorted(
    (a, b) => Number(b.intent.project === project) - Number(a.intent.project === project),
  );
}

function isSameProject(a: Recovery, b: Recovery): b is Exclude<Recovery, { kind: "none" }> {
  return a.kind !== "none" && b.kind !== "none" && a.intent.project === b.intent.project;
}

/**
 * Whether an order may be taken over without a person: this checkout has bought it, or a run of another checkout that
 * was cut off before the engine could save it. One that a stack without a scope has bought may be that stack's.
 */
function isOurs(
  { intent, hasEnded, isElsewhere }: LeftPurchase,
  { project, scope }: Account["journal"],
): boolean {
  if (isDone(intent) || isElsewhere || !isOfScope(intent, scope)) return false;
  return intent.project === project || !hasEnded;
}

async function decideOverLiving(
  { journal, listing }: Pick<Account, "journal" | "listing">,
  left: LeftPurchase,
  request: OrderRequest,
): Promise<Recovery> {
  const { intent } = left;
  if (!isOurs(left, journal)) {
    // It was taken out of the state, or another checkout's state still has it, or the engine replaces the resource on
    // its own.
    return { kind: "stop", intent, reason: explainNotOurs(intent, journal) };
  }
  const { records } = await listing.complete(intent.purchase.request.proxyType);
  const seen = { listed: groupOrders(records), claimed: new Set<string>() };
  return planRecovery(intent, request, { ...seen, ...nothingHasEnded });
}

/** For an order of which it is decided that it lives. */
const nothingHasEnded: Pick<SeenOrders, "now" | "knownOf"> = {
  now: new Date(0),
  knownOf: () => ({ dateEnd: undefined, mayRenew: true }),
};

function explainNotOurs(intent: OrderIntent, { scope }: Account["journal"]): string {
  const paid = "it is still paid, and the engine shows no state that has it";
  if (!isOfScope(intent, scope)) return `${paid}; ${explainOtherScope(intent, scope)}`;
  const from = intent.project === "" ? "" : `; it was bought from ${intent.project}`;
  return `${paid}${from}. If the state has it, run with --refresh (as with --target-replace), or take a taint back (\`pulumi state untaint\`). If another stack of this name has it, as in a second backend, give each a journalScope`;
}

/** Names a purchase in plans. */
type PlannedPurchase = Pick<CheckedOrder, "owner" | "requestId" | "proxyType">;

/**
 * The very purchase that is planned, if a state was seen to have it and its order lives. After an update that failed, the
 * engine plans from the inputs of before it. A state may also have been put back to an earlier one.
 */
export async function findSaved(
  account: Account,
  planned: PlannedPurchase,
): Promise<PaidOrder | undefined> {
  const { isShared, project } = account.journal;
  const living = (await findLivingOf(account, planned)).filter(hasNumber);
  // On a journal of one machine, another checkout of the program is another stack, whose state has it.
  return living.find((one) => one.phase === "confirmed" && (isShared || one.project === project));
}

/** Finds the order that the plan said would be taken over. */
export async function findRecovered(
  account: Account,
  planned: PlannedPurchase,
): Promise<PaidOrder> {
  const living = (await findLivingOf(account, planned)).filter(hasNumber);
  // One that no state was seen to have is rather meant than one that a state had. And another checkout of the program
  // names its purchases alike.
  const isOfProject = ({ project }: Intent) => Number(project === account.journal.project);
  const [found] = living.toSorted(
    (a, b) => isOfProject(b) - isOfProject(a) || Number(isDone(a)) - Number(isDone(b)),
  );
  if (found !== undefined) return found;
  throw new ProxyRentalError(
    "NOT_PLANNED",
    "the plan takes over an order that an earlier run has bought, and the journal has no such order that has not ended. Nothing was bought. Run `pulumi preview` to plan anew.",
  );
}

/** Whether its number is known. Without it, nobody can go on with it. */
function hasNumber(intent: OrderIntent): intent is PaidOrder {
  return intent.orderNumber !== undefined;
}

/**
 * The paid purchases of a request whose orders live. A resource that is bought again after its order has ended makes the
 * request of its first purchase, so the journal may have it several times.
 */
async function findLivingOf(
  account: Account,
  { owner, requestId, proxyType }: PlannedPurchase,
): Promise<OrderIntent[]> {
  const all = (await account.journal.readAll()).filter(isOrderIntent);
  const paid = all
    .filter((one) => one.owner === owner && one.requestId === requestId && isPlaced(one))
    .filter((one) => isOfScope(one, account.journal.scope))
    .filter((one) => !isDisowned(account.settings, one) && !hasEndedInRun(account.registry, one));
  if (paid.length === 0) return [];
  const living = await findLivingIds(account, proxyType, paid);
  return paid.filter(({ id }) => living.has(id));
}

async function inProgress(
  { journal }: Pick<Account, "journal">,
  intent: OrderIntent,
): Promise<ProxyRentalError> {
  const holder = await journal.describeHolder(intent);
  return new ProxyRentalError(
    "PURCHASE_IN_PROGRESS",
    `another run${holder === "" ? "" : ` (${holder})`} is buying ${describeOrder(intent.purchase.request)} for this resource, since ${intent.sentAt}. Nothing was bought by this one. Wait until it has ended, then run again.`,
  );
}
