import type { RunRegistry } from "../account/run-registry.ts";
import type { Journal } from "../journal/journal.ts";
import type { HeldLock } from "../ports.ts";
import {
  bySending,
  isPlaced,
  isSameAccount,
  namesOf,
  type OrderIntent,
  ofType,
} from "../records/intent.ts";
import { judgeOrders, type OrderFinding } from "./judge-orders.ts";
import { groupOrders } from "./listed-orders.ts";
import { findUnnamed } from "./naming.ts";
import {
  type LookingParts,
  lookAtAccount,
  type Patience,
  spentSince,
  watchPurchases,
} from "./watch.ts";

/** What is known of an account's orders beside what it shows. */
export interface OrderWatchParts extends LookingParts {
  journal: Pick<Journal, "readAll" | "note" | "now">;
  registry: Pick<RunRegistry, "names">;
  settings: { foreignOrders: ReadonlySet<string> };
}

/**
 * Watches listing and balance until they decide what became of orders of one kind whose answers are not known. Call
 * it while nothing else of the account is in flight, in a turn that it keeps.
 */
export async function watchOrders(
  account: OrderWatchParts,
  intents: readonly [OrderIntent, ...OrderIntent[]],
  patience: Patience,
  turn: Pick<HeldLock, "keep">,
): Promise<OrderFinding> {
  const { request } = intents[0].purchase;
  const { proxyType } = request;
  const [earliest = intents[0]] = intents.toSorted(bySending);
  let all = await account.journal.readAll();
  return watchPurchases<Sight, OrderFinding>(
    { ...account, turn },
    patience,
    intents,
    async () => {
      const sight = await lookAtAccount(account, proxyType);
      // Orders that were paid before are delivered while this looks, and are given their listed ids then.
      all = await account.journal.readAll().catch(() => all);
      return sight;
    },
    ({ listed, balance }, window, hadTraces) => {
      const others = all.filter((one) => !intents.some((intent) => intent.id === one.id));
      const claimed = new Set([
        ...account.registry.names(proxyType).keys(),
        ...account.settings.foreignOrders,
        ...ofType(others, proxyType).flatMap(namesOf),
      ]);
      const orders = listed && groupOrders(listed);
      const explainedSpend = spentSince(others, earliest);
      const asOf = account.journal.now();
      const seen = { listed: orders, balance, asOf, explainedSpend, hadTraces };
      const ofAccount = others.filter((one) => isSameAccount(one, earliest));
      const unnamed = findUnnamed(ofAccount, request, orders ?? []);
      return judgeOrders(intents, seen, claimed, window, unnamed.filter(isPlaced));
    },
  );
}

type Sight = Awaited<ReturnType<typeof lookAtAccount>>;
