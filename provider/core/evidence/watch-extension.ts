import type { Journal } from "../journal/journal.ts";
import type { ExtensionIntent } from "../records/intent.ts";
import { type ExtensionFinding, judgeExtension } from "./judge-extension.ts";
import { type LookingParts, lookAtAccount, type Patience, spentSince, watch } from "./watch.ts";

/**
 * Watches the ends of the proxies, and the balance, until they decide what became of an extension whose answer is not
 * known. Call it while nothing else of the account is in flight.
 */
export async function watchExtension(
  account: LookingParts & { journal: Pick<Journal, "readAll"> },
  intent: ExtensionIntent,
  patience: Patience,
): Promise<ExtensionFinding> {
  const others = (await account.journal.readAll()).filter(({ id }) => id !== intent.id);
  const explainedSpend = spentSince(others, intent);
  return watch<Awaited<ReturnType<typeof lookAtAccount>>, ExtensionFinding>(
    account.clock,
    patience,
    () => lookAtAccount(account, intent.purchase.request.proxyType),
    (seen, window) => judgeExtension(intent, { ...seen, explainedSpend }, window),
  );
}
