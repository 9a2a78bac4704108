import type { Account } from "../../account.ts";
import type { ExtensionIntent } from "../../records/intent.ts";
import { stopIfOvercharged } from "../../spending/recovered-charge.ts";
import { isPaidFor } from "../model/payments.ts";
import type { ExtensionState } from "../model/state.ts";

/** A resource, and what its state has. `purchases` is undefined while its state is not known. */
export interface Recovering {
  owner: string;
  purchases: ExtensionState["purchases"] | undefined;
}

/**
 * Gives what a resource takes over of these: its own that are paid, and that its state lacks. If one of them was charged more
 * than was confirmed, the run buys nothing more. What the state has is not taken over again, so it stops no run a second time.
 */
export async function takeOver(
  account: Pick<Account, "journal" | "log" | "spendLimit">,
  open: readonly ExtensionIntent[],
  { owner, purchases }: Recovering,
): Promise<readonly ExtensionIntent[]> {
  const { journal } = account;
  const own = open.filter((intent) => isPaidFor(owner, intent, journal));
  if (purchases === undefined) {
    // An engine that was ended in the ordinary way has saved what it was told.
    const isSaved = await Promise.all(own.map(journal.hasEnded));
    return own.filter((_, index) => !isSaved[index]);
  }
  const known = new Set(purchases.map(({ requestId }) => requestId));
  const taken = own.filter(({ requestId }) => !known.has(requestId));
  for (const intent of taken) await stopIfOvercharged(account, intent);
  return taken;
}
