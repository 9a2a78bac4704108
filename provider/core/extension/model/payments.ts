import type { Account } from "../../account.ts";
import { bySending, type ExtensionIntent, isOfScope, isPlaced } from "../../records/intent.ts";
import { readOpenExtensions } from "./open-extensions.ts";
import { type ExtensionPayment, type ExtensionState, toPayment } from "./state.ts";

/**
 * Everything that was paid for a resource: by its state, by this run, and by earlier runs that could not tell the
 * engine and left it in the journal.
 */
export async function findPayments(
  account: Pick<Account, "journal">,
  owner: string,
  paid: readonly ExtensionIntent[],
  former: Pick<ExtensionState, "owner" | "purchases"> | undefined,
): Promise<ExtensionPayment[]> {
  // What was spent is recorded even if the journal can't be read.
  const open = await readOpenExtensions(account).catch(() => []);
  // By an alias, the state names the resource as it was called before.
  const owners = [owner, former?.owner ?? owner];
  const own = open.filter((intent) =>
    owners.some((one) => isPaidFor(one, intent, account.journal)),
  );
  // In the order of payment. Clocks do not tell it: one may have been set back between two runs.
  const later = [...own, ...paid].toSorted(bySending).map(toPayment);
  const all = [...(former?.purchases ?? []), ...later];
  return [...new Map(all.map((payment) => [payment.requestId, payment])).values()];
}

/** Whether an extension is paid, and made for this resource: in another checkout, or another scope, it has a state of its own. */
export function isPaidFor(
  owner: string,
  intent: ExtensionIntent,
  { project, scope }: Pick<Account["journal"], "project" | "scope">,
): boolean {
  if (intent.owner !== owner || !isPlaced(intent)) return false;
  return intent.project === project && isOfScope(intent, scope);
}
