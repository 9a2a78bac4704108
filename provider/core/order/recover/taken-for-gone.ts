import type { ProxyType } from "../../../client/index.ts";
import { ofOrders } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { groupOrders, type ListedOrder } from "../../evidence/listed-orders.ts";
import { addressOf } from "../../proxies/address.ts";
import { holdersOf, wasHolder } from "../../records/hand-over.ts";
import {
  bySending,
  isPlaced,
  listedNamesOf,
  namesOf,
  type OrderIntent,
  ofType,
} from "../../records/intent.ts";
import { hasEnded } from "../../values/dates.ts";
import { hasEndedInRun, isDeclared, isHeldInRun } from "./left-purchase.ts";
import type { RecoveryStop } from "./plan-recovery.ts";

/** A resource that is to have something anew. */
interface Wanting {
  owner: string;
  proxyType: ProxyType;
}

/**
 * The purchases of a resource that count as gone, so that nothing but the listing speaks against buying them again: a person
 * declares that, or a run has found it.
 */
export function findTakenForGone(
  account: Account,
  { owner, proxyType }: Wanting,
  all: readonly OrderIntent[],
): OrderIntent[] {
  const own = all.filter((intent) => intent.owner === owner || wasHolder(intent, owner));
  return ofType(own, proxyType).filter((intent) => {
    const isForeign = isDeclared(account.settings.foreignOrders, intent);
    const isOfRun = intent.runId === account.journal.runId;
    if (isForeign || isOfRun || isHeldInRun(account.registry, intent)) return false;
    const isFound = intent.closedBecause === "expired" || hasEndedInRun(account.registry, intent);
    return isFound || isDeclaredGone(account, intent);
  });
}

/** Whether a person says so of an order that is not known to be over. */
function isDeclaredGone({ settings }: Pick<Account, "settings">, intent: OrderIntent): boolean {
  return isPlaced(intent) && isDeclared(settings.goneOrders, intent);
}

/**
 * The first of these purchases whose order lives after all: it is listed, and has not ended. A person may name another order than
 * the one that is meant, and a run may have read listings that were behind an extension. One listing is enough, because nothing
 * is bought for it.
 * @param gone of one type
 * @param all what else was bought: an order of that name may be another one by now
 */
export async function findListedAfterAll(
  account: Account,
  { owner, proxyType }: Wanting,
  gone: readonly OrderIntent[],
  all: readonly OrderIntent[],
): Promise<RecoveryStop | undefined> {
  if (gone.length === 0) return undefined;
  const snapshot = await account.listing.complete(proxyType);
  const now = await account.listing.time(proxyType, snapshot);
  for (const intent of gone) {
    const { letGo = [] } = holdersOf(intent).findLast((holder) => holder.owner === owner) ?? {};
    // What it has let go may go on for somebody else.
    const living = ofOrders(snapshot.records, listedNamesOf(intent)).filter(
      (record) => !hasEnded(record, now) && !letGo.includes(addressOf(record)),
    );
    const listed = groupOrders(living).find((order) => mayBe(intent, order, all));
    if (listed === undefined) continue;
    const until = listed.endsAt?.toISOString() ?? "an end that is not told";
    const lives = `it is listed and paid until ${until}`;
    const reason = isDeclaredGone(account, intent)
      ? `proxyrental:goneOrders declares it gone, and ${lives}, so take it out of goneOrders`
      : `it was found gone, and ${lives}`;
    return { kind: "stop", intent, reason };
  }
  return undefined;
}

/** Whether an order of its name, by its proxies that have not ended, can be that of a purchase, and is not that of a later one. */
function mayBe(
  intent: OrderIntent,
  { orderId, country, count }: ListedOrder,
  all: readonly OrderIntent[],
): boolean {
  const { request } = intent.purchase;
  if (country !== request.country || count > request.quantity) return false;
  const later = all.filter((other) => bySending(intent, other) < 0 && isPlaced(other));
  return !ofType(later, request.proxyType).some((other) => namesOf(other).includes(orderId));
}
