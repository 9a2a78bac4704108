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
 * Names what the journal has paid for this stack and no state is known to have, also where this run would buy nothing:
 * an edit may have been taken back after the run that paid for it was killed. Each is named once a run.
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
    // A run that buys nothing goes on where the account can't be looked at; the purchase is named all the same.
  ).catch(() => undefined);
  const left = unknown.length === 0 ? first : await findUnclaimed(account, owner, before);
  for (const one of left) await tellOf(account, owner, one);
}

/** The same for a resource that has something to buy: what it has left itself is recovered by that purchase. */
export async function nameUnclaimedOfOthers(account: Account, owner: string): Promise<void> {
  for (const one of await findUnclaimed(account, owner, undefined)) {
    if (one.intent.owner !== owner) await tellOf(account, owner, one);
  }
}

/** What another resource of the program has left is that one's to recover or to name. */
async function tellOf(account: Account, owner: string, one: LeftPurchase): Promise<void> {
  const { owner: other } = one.intent;
  const isOthers = () => other !== owner && account.registry.isDeclared(other);
  if (other === owner || !(await isSoonDeclared(account, isOthers))) tell(account, one);
}

async function findUnclaimed(
  account: Account,
  owner: string,
  before: CheckedOrder | undefined,
): Promise<LeftPurchase[]> {
  const { journal, unclaimedTold } = account;
  const stack = stackOf(owner);
  // Without its journal a run that buys nothing goes on.
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
  const { id, owner, price, currency, orderNumber, candidates = [] } = intent;
  unclaimedTold.add(id);
  const what = `${describeOrder(intent.purchase.request)} for ${formatMoney(price, currency)}`;
  const advice = `\`npx proxyrental journal show ${id}\` says what you can do`;
  log.warn(
    isPlaced(intent)
      ? `order ${orderNumber} (${what}) was paid for ${nameOf(owner)} by a run that was cut off, and this run has not seen it in the state. Nothing is bought for it again; ${advice}`
      : `a run that was cut off may have bought ${what} for ${nameOf(owner)}${candidates.length === 0 ? "" : ` (it may be order ${candidates.join(" or ")})`}; ${advice}`,
  );
}
