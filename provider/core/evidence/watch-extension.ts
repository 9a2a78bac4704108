import type { Journal } from "../journal/journal.ts";
import type { HeldLock } from "../ports.ts";
import type { ExtensionIntent } from "../records/intent.ts";
import { type ExtensionFinding, judgeExtension } from "./judge-extension.ts";
import {
  type LookingParts,
  lookAtAccount,
  type Patience,
  spentSince,
  watchPurchases,
} from "./watch.ts";

/**
 * Watches the ends of the proxies, and the balance, until they decide what became of an extension whose answer is not
 * known. Call it while nothing else of the account is in flight, in a turn that it keeps.
 */
export async function watchExtension(
  account: LookingParts & { journal: Pick<Journal, "readAll" | "note"> },
  intent: ExtensionIntent,
  patience: Patience,
  turn: Pick<HeldLock, "keep">,
): Promise<ExtensionFinding> {
  const others = (await account.journal.readAll()).filter(({ id }) => id !== intent.id);
  const explainedSpend = spentSince(others, intent);
  return watchPurchases<Awaited<ReturnType<typeof lookAtAccount>>, ExtensionFinding>(
    { ...account, turn },
    patience,
    [intent],
    () => lookAtAccount(account, intent.purchase.request.proxyType),
    (seen, window, hadTraces) =>
      judgeExtension(intent, { ...seen, explainedSpend, hadTraces }, window),
  );
}
