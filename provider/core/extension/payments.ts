import type { Account } from "../account.ts";
import { type ExtensionIntent, isAccepted } from "../journal/intent.ts";
import { readOpenExtensions } from "./recover.ts";
import { type ExtensionPayment, type ExtensionState, toPayment } from "./state.ts";

/**
 * Everything that was paid for a resource: what its state knows, what this run has paid, and what the
 * journal knows of runs that could not tell the engine.
 */
export async function findPayments(
  account: Account,
  owner: string,
  paid: readonly ExtensionIntent[],
  former: Pick<ExtensionState, "purchases"> | undefined,
): Promise<ExtensionPayment[]> {
  const { project } = account.journal;
  // Money that is spent is recorded also where the journal is in trouble.
  const open = await readOpenExtensions(account).catch(() => []);
  const own = open.filter(
    (intent) => intent.owner === owner && intent.project === project && isAccepted(intent),
  );
  const all = [...(former?.purchases ?? []), ...paid.map(toPayment), ...own.map(toPayment)];
  const byRequest = new Map(all.map((payment) => [payment.requestId, payment]));
  return [...byRequest.values()].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
