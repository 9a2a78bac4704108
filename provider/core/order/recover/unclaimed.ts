import { isSoonDeclared } from "../../account/declaring.ts";
import type { Account } from "../../account.ts";
import {
  type Intent,
  isDone,
  isOfScope,
  isOrderIntent,
  isPlaced,
  knownAs,
  nameForPeople,
  type OrderIntent,
} from "../../records/intent.ts";
import { formatMoney } from "../../values/money.ts";
import { nameOf, stackOf } from "../../values/owner.ts";
import { remember } from "../../values/remember.ts";
import { describeOrder } from "../model/args.ts";
import { adviseAdoption, explainOtherScope } from "../model/ways-out.ts";
import { type LeftPurchase, lookAtRun, mayBeInUnseenState, mayBeLeft } from "./left-purchase.ts";
import { resolveAbandonedOrders } from "./recover.ts";

/**
 * Names the purchases of this stack that are in the journal and in no known state, even if this run would buy
 * nothing: an edit may have been taken back after the run that paid for it was killed. Each is named once a run. Gives
 * those of the resource itself.
 * @param named the purchase that the state names, if the run has not seen that state yet.
 */
export async function nameUnclaimed(
  account: Account,
  owner: string,
  named?: string,
): Promise<OrderIntent[]> {
  const find = async () =>
    (await findUnclaimed(account, owner)).filter(
      ({ intent }) => !mayBeInUnseenState(account, intent, owner, named),
    );
  const first = await find();
  const unknown = await resolveOwn(account, owner, first);
  const left = unknown === 0 ? first : await find();
  await tellAll(account, owner, left);
  return left.map(({ intent }) => intent).filter((intent) => intent.owner === owner);
}

/** The same for a resource whose state the run has just seen. It costs nothing if no run has left anything of it. */
export async function nameUnclaimedBeside(account: Account, owner: string): Promise<OrderIntent[]> {
  return (await isAnyLeft(account, owner)) ? nameUnclaimed(account, owner) : [];
}

/**
 * The same for a resource that has something to buy. Its own open purchases are recovered by that purchase. Or for a stack, of
 * which a resource is let go, only looked at, or no order.
 * @param owner the resource, or the stack
 * @param areStatesToCome whether states may be shown later. Then an order that the engine was told of is not named: its state may
 * be among them.
 */
export async function nameUnclaimedOfOthers(
  account: Account,
  owner: string,
  areStatesToCome = false,
): Promise<void> {
  const left = await findUnclaimed(account, owner);
  const mayCome = ({ phase }: OrderIntent) => areStatesToCome && phase === "returned";
  await tellAll(
    account,
    owner,
    left.filter(({ intent }) => intent.owner !== owner && !mayCome(intent)),
  );
}

/** Finds out what became of the purchases that a resource leaves behind. Never fails. */
export async function resolveUnclaimed(account: Account, owner: string): Promise<void> {
  if (!(await isAnyLeft(account, owner))) return;
  await findUnclaimed(account, owner)
    .then((left) => resolveOwn(account, owner, left))
    .catch(() => undefined);
}

/** Whether earlier runs have left anything of a resource that it does not have. */
async function isAnyLeft(account: Account, owner: string): Promise<boolean> {
  const before = await account.journal.readAtBeginning().catch((): Intent[] => []);
  return before
    .filter(isOrderIntent)
    .some((one) => one.owner === owner && !isDone(one) && isUnclaimed(account, one));
}

/**
 * Finds out what became of a resource's own purchases of which nobody knows that. A run that buys nothing goes on even
 * if the account can't be read. The purchase is named in any case. Gives how many purchases nobody knew.
 */
async function resolveOwn(
  account: Account,
  owner: string,
  left: readonly LeftPurchase[],
): Promise<number> {
  const unknown = left
    .filter(({ intent, isOurAccount }) => !isPlaced(intent) && isOurAccount)
    .map(({ intent }) => intent)
    .filter((intent) => intent.owner === owner && !account.unclaimedTold.has(intent.id));
  await resolveAbandonedOrders(account, unknown).catch(() => undefined);
  return unknown.length;
}

/**
 * Tells these, except those of other resources of the program: they recover or name their own. The engine checks one
 * resource after the other, so at the end of the run, if somebody waits for that, it is known which ones the program has, and
 * which orders are in a state after all, or are taken over.
 */
async function tellAll(
  account: Account,
  owner: string,
  left: readonly LeftPurchase[],
): Promise<void> {
  const untold = left.filter(({ intent }) => !account.unclaimedTold.has(intent.id));
  const isOthers = ({ intent }: LeftPurchase) =>
    intent.owner !== owner && account.registry.isDeclared(intent.owner);
  const ofOthers = untold.filter(({ intent }) => intent.owner !== owner);
  if (account.log.endsLast) {
    for (const one of ofOthers) tellAtEnd(account, one);
  } else if (ofOthers.length > 0) {
    await isSoonDeclared(account, () => ofOthers.every(isOthers));
    for (const one of ofOthers) if (!isOthers(one)) tell(account, one);
  }
  for (const one of untold) if (!ofOthers.includes(one)) tell(account, one);
}

function tellAtEnd(account: Account, { intent }: LeftPurchase): void {
  const { id, owner } = intent;
  account.story.warnAtEnd(owner, {
    id,
    async find() {
      if (account.unclaimedTold.has(id) || account.registry.isDeclared(owner)) return undefined;
      const open = await account.journal.readOpen().catch((): Intent[] => [intent]);
      const now = open.filter(isOrderIntent).find((one) => one.id === id);
      return now && isUnclaimed(account, now) ? describeUnclaimed(account, now) : undefined;
    },
  });
}

/** Whether no state that the run has seen has the order, and nobody takes it over. */
function isUnclaimed(account: Account, intent: OrderIntent): boolean {
  const { registry } = account;
  if (!mayBeLeft(account, intent) || registry.answersFor(intent.owner, intent.requestId)) {
    return false;
  }
  return !registry.hasMet(knownAs(intent));
}

/** @param owner of the stack, or the stack itself */
async function findUnclaimed(account: Account, owner: string): Promise<LeftPurchase[]> {
  const { journal, registry } = account;
  const stack = stackOf(owner);
  // A run that buys nothing goes on without its journal.
  const kept = await journal.readOpen().catch((): Intent[] => []);
  const open = kept
    .filter(isOrderIntent)
    .filter((intent) => stackOf(intent.owner) === stack && isUnclaimed(account, intent));
  // Each run is asked once, and only where it matters: there may be hundreds of orders, and each plan asks. One that ends
  // meanwhile is seen to have ended by the look, which asks that last.
  const hadEnded = remember((runId: string) => journal.hasEnded({ runId }));
  const isRunAlive = remember((runId: string) => journal.isRunAlive(runId));
  const isUnderWay = (intent: OrderIntent) =>
    isPlaced(intent) ? isRunAlive(intent.runId) : journal.isUnderWay(intent);
  const left: LeftPurchase[] = [];
  for (const intent of open) {
    const isReturned = intent.phase === "returned";
    const isSeen = registry.hasMetStateOf(intent.owner);
    if (isReturned && !isSeen && (await hadEnded(intent.runId))) continue;
    const one = await lookAtRun(account, intent, false, isUnderWay);
    // A run that could not watch what it has sent counts as alive for a while after its end.
    const isLeft = !one.isAlive || (!isPlaced(intent) && one.hasEnded);
    if (isLeft && !one.isSavedByEnd) left.push(one);
  }
  return left;
}

function tell(account: Account, { intent }: LeftPurchase): void {
  const { log, unclaimedTold } = account;
  // Another resource may have told it while this one waited.
  if (unclaimedTold.has(intent.id)) return;
  unclaimedTold.add(intent.id);
  log.warn(describeUnclaimed(account, intent));
}

function describeUnclaimed({ journal: { scope } }: Account, intent: OrderIntent): string {
  const { id, owner, price, currency, orderNumber = "", candidates = [] } = intent;
  const what = `${describeOrder(intent.purchase.request)} for ${formatMoney(price, currency)}`;
  const show = `\`npx pulumi-proxyrental journal show ${id}\``;
  if (isPlaced(intent) && !isOfScope(intent, scope)) {
    return `order ${orderNumber} (${what}) was paid by an earlier run, and ${explainOtherScope(intent, scope)}. Nothing is bought for it again here, and its automatic extension stays as it is; ${show} says what else you can do`;
  }
  if (isPlaced(intent)) {
    return `order ${orderNumber} (${what}) was paid for ${nameOf(owner)} by an earlier run, and this run has not seen it in the state. Nothing is bought for it again, and its automatic extension stays as it is. You can ${adviseAdoption(nameForPeople(intent), true)}; ${show} says what else you can do`;
  }
  const guess = candidates.length === 0 ? "" : ` (it may be order ${candidates.join(" or ")})`;
  return `an earlier run may have bought ${what} for ${nameOf(owner)}${guess}; ${show} says what you can do`;
}
