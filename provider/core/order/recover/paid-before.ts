import type { OrderRequest, ProxyType } from "../../../client/index.ts";
import type { Account } from "../../account.ts";
import { isAmongHolders } from "../../records/hand-over.ts";
import {
  type Intent,
  isDone,
  isOfScope,
  isOrderIntent,
  isPlaced,
  notAmong,
  type OrderIntent,
} from "../../records/intent.ts";
import type { InTurn } from "../../spending/buy.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { explainOtherScope } from "../model/ways-out.ts";
import { explainStop } from "./explain-stop.ts";
import {
  isOwnersAffair,
  lookAtRun,
  mayBeLeft,
  mayStandInTheWay,
  type Obstacle,
  obstacles,
  standsInTheWay,
} from "./left-purchase.ts";
import { findLivingIds } from "./living.ts";
import { findListedAfterAll, findTakenForGone } from "./taken-for-gone.ts";

/** A purchase that is about to be made. */
export interface WantedOrder {
  owner: string;
  request: OrderRequest;
  isTopUp: boolean;
  /** Whether its resource has nothing yet: it neither grows nor is replaced. */
  isNew: boolean;
}

/** What is known in the turn: see `InTurn`. */
type Seen = Pick<InTurn, "known" | "goesOn">;

/** A purchase that stands in the way, and why. */
interface PaidBefore {
  intent: OrderIntent;
  how: Obstacle;
  reason: string;
}

/** What stands in the way only where the other resource does not take its order over: otherwise it is that one's affair. */
const unlessOwned: readonly Obstacle[] = ["orphaned", "mayBeOrphaned", "underWay", "handedOver"];

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
  const own = left.map((intent) => ({ intent, how: "own" as const, reason: obstacles.own }));
  const found = await findLiving(account, wanted.proxyType, own);
  if (found) throw refuseBeside(found, wanted.isTopUp);
}

function refuseBeside({ intent, how, reason }: PaidBefore, isTopUp: boolean): ProxyRentalError {
  const stop = { intent, reason, isHandedOver: how === "handedOver" };
  return new ProxyRentalError(
    "ORDER_MAY_BE_PAID",
    `${explainStop(stop, isTopUp)}. This purchase was not sent.`,
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
    if (unlessOwned.includes(how) && (await isOwnersAffair(account, intent, beside))) continue;
    const isOurs = how !== "own" || isOfScope(intent, journal.scope);
    const reason = isOurs ? obstacles[how] : explainOtherScope(intent, journal.scope);
    left.push({ intent, how, reason });
  }
  const living = await findLiving(account, wanted.request.proxyType, left);
  if (living !== undefined || !wanted.isNew) return living;
  return findLivingAfterAll(account, wanted, all.filter(isOrderIntent));
}

/** A purchase of the resource that counts as gone, and lives. A fresh listing tells. */
async function findLivingAfterAll(
  account: Account,
  { owner, request }: WantedOrder,
  all: readonly OrderIntent[],
): Promise<PaidBefore | undefined> {
  const wanting = { owner, proxyType: request.proxyType };
  const gone = findTakenForGone(account, wanting, all);
  if (gone.length > 0) account.listing.invalidate();
  const stop = await findListedAfterAll(account, wanting, gone, all);
  return stop && { ...stop, how: "own" };
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
    const one = await lookAtRun(account, intent, false, async () => false);
    if (one.isOurAccount && !one.isSavedByEnd) doubtful.push(intent);
  }
  return doubtful;
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
  const living = await findLivingIds(
    account,
    proxyType,
    left.map(({ intent }) => intent),
  );
  return left.find(({ intent }) => living.has(intent.id));
}
