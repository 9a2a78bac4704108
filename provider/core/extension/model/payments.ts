import type { Account } from "../../account.ts";
import { bySending, type ExtensionIntent, isPlaced } from "../../records/intent.ts";
import { readOpenExtensions } from "./open-extensions.ts";
import { type ExtensionPayment, type ExtensionState, toPayment } from "./state.ts";

/**
 * Everything that was paid for a resource: what its state knows, what this run has paid, and what the
 * journal knows of runs that could not tell the engine.
 */
export async function findPayments(
  account: Pick<Account, "journal">,
  owner: string,
  paid: readonly ExtensionIntent[],
  former: Pick<ExtensionState, "purchases"> | undefined,
): Promise<ExtensionPayment[]> {
  const { project } = account.journal;
  // Money that is spent is recorded also where the journal is in trouble.
  const open = await readOpenExtensions(account).catch(() => []);
  const own = open.filter(
    (intent) => intent.owner === owner && intent.project === project && isPlaced(intent),
  );
  // In the order in which they were paid, which no clock tells: it may have been set back between two runs.
  const later = [...own, ...paid].toSorted(bySending).map(toPayment);
  const all = [...(former?.purchases ?? []), ...later];
  return [...new Map(all.map((payment) => [payment.requestId, payment])).values()];
}
