import { serviceTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { holdersOf } from "../../records/hand-over.ts";
import { isPlaced, namesOf, type OrderIntent } from "../../records/intent.ts";
import { hasEnded } from "../../values/dates.ts";
import { hasEndedInRun, isDeclared, isHeldInRun } from "./left-purchase.ts";
import type { RecoveryStop } from "./plan-recovery.ts";

/** Who says that an order is gone. */
type Teller = "person" | "refresh";

/**
 * Whether a purchase of a resource counts as gone, so that nothing but the listing speaks against buying it again: a person
 * declares that, or a refresh has found it.
 */
export function isTakenForGone(account: Account, intent: OrderIntent, owner: string): boolean {
  return intent.owner === owner && tellerOf(account, intent) !== undefined;
}

function tellerOf(account: Account, intent: OrderIntent): Teller | undefined {
  const { journal, registry, settings } = account;
  if (intent.runId === journal.runId || isHeldInRun(registry, intent)) return undefined;
  if (isDeclared(settings.foreignOrders, intent)) return undefined;
  if (isPlaced(intent) && isDeclared(settings.goneOrders, intent)) return "person";
  const isFound = intent.closedBecause === "expired" || hasEndedInRun(registry, intent);
  // What it had let go may go on for somebody else.
  const isWhole = holdersOf(intent).at(-1)?.letGo === undefined;
  return isFound && isWhole ? "refresh" : undefined;
}

/**
 * The first of these purchases whose order lives after all: it is listed, and has not ended. A person may name another order than
 * the one that is meant, and a refresh may have read a listing that was behind an extension. One listing is enough, because
 * nothing is bought for it.
 */
export async function findListedAfterAll(
  account: Account,
  gone: readonly OrderIntent[],
): Promise<RecoveryStop | undefined> {
  for (const intent of gone) {
    const snapshot = await account.listing.complete(intent.purchase.request.proxyType);
    const now = serviceTime(snapshot, account.clock);
    const { orderIds = [] } = intent;
    // Its number may be the listed id of another order.
    const names = orderIds.length > 0 ? orderIds : namesOf(intent);
    const listed = groupOrders(snapshot.records).find(({ orderId }) => names.includes(orderId));
    if (listed === undefined) continue;
    const dateEnd = listed.endsAt?.toISOString();
    if (hasEnded({ dateEnd }, now)) continue;
    const reason = `${explain(tellerOf(account, intent))}, and it is listed and paid until ${dateEnd ?? "an end that is not told"}`;
    return { kind: "stop", intent, reason };
  }
  return undefined;
}

function explain(teller: Teller | undefined): string {
  return teller === "person"
    ? "proxyrental:goneOrders declares it gone"
    : "a refresh has found it gone";
}
