import { isSoonDeclared } from "../../account/declaring.ts";
import type { Account } from "../../account.ts";
import { type Intent, isOrderIntent, isPlaced } from "../../records/intent.ts";
import { formatMoney } from "../../values/money.ts";
import { nameOf, stackOf } from "../../values/owner.ts";
import { describeOrder } from "../model/args.ts";
import type { CheckedOrder } from "../model/state.ts";
import { type LeftPurchase, lookAtRun, mayBeLeft } from "./paid-before.ts";
import { resolveAbandoned } from "./recover.ts";

/**
 * Names the purchases of this stack that are in the journal and in no known state, even if this run would buy
 * nothing: an edit may have been taken back after the run that paid for it was killed. Each is named once a run.
 */
export async function nameUnclaimed(
  account: Account,
  owner: string,
  before: CheckedOrder,
): Promise<void> {
  const first = await findUnclaimed(account, owner, before);
  const unknown = first.filter(({ intent, isOurAccount }) => !isPlaced(intent) && isOurAccount);
  await resolveAbandoned(
    account,
    unknown.map(({ intent }) => intent).filter((intent) => intent.owner === owner),
    // A run that buys nothing goes on even if the account can't be read. The purchase is named in any case.
  ).catch(() => undefined);
  const left = unknown.length === 0 ? first : await findUnclaimed(account, owner, before);
  await tellAll(account, owner, left);
}

/** The same for a resource that has something to buy. Its own open purchases are recovered by that purchase. */
export async function nameUnclaimedOfOthers(account: Account, owner: string): Promise<void> {
  const left = await findUnclaimed(account, owner, undefined);
  await tellAll(
    account,
    owner,
    left.filter(({ intent }) => intent.owner !== owner),
  );
}

/**
 * Tells these, except those of other resources of the program: they recover or name their own. The engine checks one
 * resource after the other, so at the end of the run it is known which ones the program has.
 */
async function tellAll(
  account: Account,
  owner: string,
  left: readonly LeftPurchase[],
): Promise<void> {
  const isOthers = ({ intent }: LeftPurchase) =>
    intent.owner !== owner && account.registry.isDeclared(intent.owner);
  const { log, registry, story, unclaimedTold } = account;
  const ofOthers = left.filter(({ intent }) => intent.owner !== owner);
  if (log.endsLast) {
    for (const { intent } of ofOthers) {
      const isMoot = () =>
        unclaimedTold.has(intent.id) ||
        registry.isDeclared(intent.owner) ||
        !mayBeLeft(account, intent);
      story.warnAtEnd(intent.owner, { id: intent.id, line: describeUnclaimed(intent), isMoot });
    }
  } else if (ofOthers.length > 0) {
    await isSoonDeclared(account, () => ofOthers.every(isOthers));
    for (const one of ofOthers) if (!isOthers(one)) tell(account, one);
  }
  for (const one of left) if (!ofOthers.includes(one)) tell(account, one);
}

async function findUnclaimed(
  account: Account,
  owner: string,
  before: CheckedOrder | undefined,
): Promise<LeftPurchase[]> {
  const { journal, unclaimedTold } = account;
  const stack = stackOf(owner);
  // A run that buys nothing goes on without its journal.
  const kept = await journal.readOpen().catch((): Intent[] => []);
  const open = kept
    .filter(isOrderIntent)
    .filter((intent) => !unclaimedTold.has(intent.id) && stackOf(intent.owner) === stack)
    .filter((intent) => intent.requestId !== before?.requestId && mayBeLeft(account, intent));
  const left: LeftPurchase[] = [];
  for (const intent of open) {
    const one = await lookAtRun(account, intent, false);
    const isSaved = intent.phase === "returned" && one.hasEnded;
    if (!one.isAlive && !isSaved) left.push(one);
  }
  return left;
}

function tell(
  { log, unclaimedTold }: Pick<Account, "log" | "unclaimedTold">,
  { intent }: LeftPurchase,
): void {
  // Another resource may have told it while this one waited.
  if (unclaimedTold.has(intent.id)) return;
  unclaimedTold.add(intent.id);
  log.warn(describeUnclaimed(intent));
}

function describeUnclaimed(intent: LeftPurchase["intent"]): string {
  const { id, owner, price, currency, orderNumber, candidates = [] } = intent;
  const what = `${describeOrder(intent.purchase.request)} for ${formatMoney(price, currency)}`;
  const advice = `\`npx pulumi-proxyrental journal show ${id}\` says what you can do`;
  if (isPlaced(intent)) {
    return `order ${orderNumber} (${what}) was paid for ${nameOf(owner)} by a run that was cut off, and this run has not seen it in the state. Nothing is bought for it again; ${advice}`;
  }
  const guess = candidates.length === 0 ? "" : ` (it may be order ${candidates.join(" or ")})`;
  return `an earlier run may have bought ${what} for ${nameOf(owner)}${guess}; ${advice}`;
}
