import type { ProxyType } from "../../../client/index.ts";
import { ofOrders, serviceTime } from "../../account/listing.ts";
import type { Snapshot } from "../../account/listing-pages.ts";
import type { Recorded } from "../../account/recorded-ends.ts";
import type { Account } from "../../account.ts";
import { correctFlags, mayBeExtended, mayRenewUnseen } from "../../auto-extension/known-flags.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { findProxy } from "../../proxies/address.ts";
import {
  listedNamesOf,
  notAmong,
  type OrderIntent,
  ofType,
  sentBetween,
} from "../../records/intent.ts";
import { DAY_MS, hasEnded, laterEnd } from "../../values/dates.ts";
import {
  isOver,
  type KnownOrder,
  paidEndsOf,
  planRecovery,
  type SeenOrders,
} from "./plan-recovery.ts";

/**
 * Which of these purchases live, by their ids. One that is over may be bought again. So two whole listings must say
 * that it is over, by a clock that both agree on, and nothing that is recorded may speak against it.
 */
export async function findLivingIds(
  account: Pick<Account, "listing" | "clock" | "journal" | "recordedEnds" | "settings">,
  proxyType: ProxyType,
  intents: readonly OrderIntent[],
): Promise<ReadonlySet<string>> {
  const { listing, clock, journal, recordedEnds } = account;
  const first = await listing.complete(proxyType);
  const own = intents.flatMap(listedNamesOf);
  await correctFlags(account, proxyType, first, (records) => ofOrders(records, own));
  const recorded = await recordedEnds.read(proxyType);
  const others = notAmong(intents, ofType(await journal.readAll(), proxyType));
  const claimed = new Set(others.flatMap(listedNamesOf));
  return listing.conclude(proxyType, (snapshot) => {
    // If the service tells no clock, nothing has ended.
    const now = snapshot.asOf === undefined ? NEVER : serviceTime(snapshot, clock);
    const knownOf = (names: readonly string[]) => whatIsKnown(account, recorded, snapshot, names);
    const seen = { listed: groupOrders(snapshot.records), now, claimed, knownOf };
    const [living, over] = partition(intents, (intent) => isLiving(intent, seen));
    const told = over.map(({ orderNumber, id }) => orderNumber ?? id);
    return {
      value: new Set(living.map(({ id }) => id)),
      costly: over.length === 0 ? undefined : `order ${told.join(", ")} has ended or is not there`,
      rows: [],
    };
  });
}

/** A moment before any end. */
const NEVER = new Date(0);

function partition<Thing>(
  things: readonly Thing[],
  is: (thing: Thing) => boolean,
): [Thing[], Thing[]] {
  return [things.filter(is), things.filter((thing) => !is(thing))];
}

/** What the flags of an order's proxies and their recorded ends say, as a refresh would take them. */
function whatIsKnown(
  { journal, settings }: Pick<Account, "journal" | "settings">,
  recorded: Recorded,
  { records, asOf }: Snapshot,
  names: readonly string[],
): KnownOrder {
  const isGone = ({ ipAddressId }: { ipAddressId: string }) => settings.goneOrders.has(ipAddressId);
  const moment = { asOf, journalTime: journal.now() };
  const rows = ofOrders(records, names);
  const { dateEnd, flags } = recorded.ofOrder(names);
  const isListedOn = rows
    .filter((row) => !isGone(row))
    .some((row) => row.extendInfo.autoExtend || mayRenewUnseen(recorded, row, moment));
  const isUnlistedOn = flags
    .filter((flag) => !isGone(flag) && findProxy(rows, flag) === undefined)
    .some((flag) => flag.autoExtend || mayBeExtended(flag, flag, asOf));
  return { dateEnd, mayRenew: isListedOn || isUnlistedOn };
}

/** Whether an order is listed and has not ended, or may still come. */
function isLiving(intent: OrderIntent, seen: SeenOrders): boolean {
  const names = listedNamesOf(intent);
  const listed = seen.listed.find(({ orderId }) => names.includes(orderId));
  if (listed) return listed.endsAt === undefined || !isOver(intent, listed, seen);
  if (wasFollowedToItsEnd(intent, seen)) return false;
  return planRecovery(intent, intent.purchase.request, seen).kind !== "none";
}

/**
 * Whether an order that is not listed was in a state until its end: the listed end, if this run has met it there, or else the
 * paid days. That may be earlier than the latest that is possible.
 */
function wasFollowedToItsEnd(intent: OrderIntent, { now, knownOf }: SeenOrders): boolean {
  if (intent.phase !== "confirmed") return false;
  const { dateEnd, mayRenew } = knownOf(listedNamesOf(intent));
  if (mayRenew) return false;
  const paidMs = intent.purchase.request.rentPeriodDays * DAY_MS;
  const paidUntil = new Date(sentBetween(intent).latest.getTime() + paidMs).toISOString();
  const end = dateEnd === undefined ? paidUntil : laterEnd(dateEnd, paidEndsOf(intent).least);
  return hasEnded({ dateEnd: end }, now);
}
