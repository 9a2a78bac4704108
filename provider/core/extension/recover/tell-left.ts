import type { Account } from "../../account.ts";
import {
  type ExtensionIntent,
  type Intent,
  isDone,
  isExtensionIntent,
} from "../../records/intent.ts";
import { messageOf } from "../../values/message-of.ts";
import { formatMoney } from "../../values/money.ts";
import { nameOf } from "../../values/owner.ts";
import { touches } from "../model/moved-ends.ts";
import type { ExtensionState } from "../model/state.ts";
import { describeExtension, type ExtensionRecoverer } from "./recover.ts";

/**
 * Tells people what earlier runs have paid for a resource, and its state lacks. Gives whether there is such a thing: then an
 * update saves it.
 */
export async function tellLeft(
  account: Account,
  recover: ExtensionRecoverer,
  state: ExtensionState,
): Promise<boolean> {
  const left = await findLeft(account, recover, state);
  for (const intent of left) {
    account.unclaimedTold.add(intent.id);
    account.log.warn(
      `${nameOf(state.owner)}: ${explainPaid(intent)}, and the state does not have it yet. Nothing is paid again for it`,
    );
  }
  return left.length > 0;
}

/**
 * A check finds that out only where something is to be paid. Never fails: what is in doubt stops a payment, and nothing
 * else. It costs nothing if no run has left anything.
 */
async function findLeft(
  account: Account,
  recover: ExtensionRecoverer,
  state: ExtensionState,
): Promise<readonly ExtensionIntent[]> {
  const known = new Set(state.purchases.map(({ requestId }) => requestId));
  const before = await account.journal.readAtBeginning().catch((): Intent[] => []);
  const left = before
    .filter(isExtensionIntent)
    .filter((one) => one.owner === state.owner && !isDone(one) && !known.has(one.requestId));
  if (left.length === 0) return [];
  try {
    const { records } = await account.listing.complete(state.proxyType);
    const touched = records.filter((record) => left.some((one) => touches(one, [record])));
    return await recover(touched, state);
  } catch (doubt) {
    account.log.warn(`${nameOf(state.owner)}: ${messageOf(doubt)}`);
    return [];
  }
}

/** Says what was paid, as the beginning of a sentence. */
export function explainPaid(intent: ExtensionIntent): string {
  const { id, price, currency, sentAt } = intent;
  return `an earlier run has paid ${formatMoney(price, currency)} for ${describeExtension(intent)} (sent at ${sentAt}, purchase ${id})`;
}
