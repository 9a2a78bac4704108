import type { ProxyType } from "../../../client/index.ts";
import { serviceTime } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { groupOrders } from "../../evidence/listed-orders.ts";
import { findUnnamed } from "../../evidence/naming.ts";
import { namesOf, notAmong, type OrderIntent, ofType, sentBetween } from "../../records/intent.ts";
import { DAY_MS } from "../../values/dates.ts";
import { isOver, planRecovery, type SeenOrders } from "./plan-recovery.ts";

/**
 * Which of these purchases live, by their ids. One that is over may be bought again. So two whole listings must say
 * that it is over, by a clock that both agree on.
 */
export async function findLivingIds(
  { listing, clock, journal }: Pick<Account, "listing" | "clock" | "journal">,
  proxyType: ProxyType,
  intents: readonly OrderIntent[],
): Promise<ReadonlySet<string>> {
  const others = notAmong(intents, ofType(await journal.readAll(), proxyType));
  const claimed = new Set(others.flatMap(namesOf));
  return listing.conclude(proxyType, (snapshot) => {
    // If the service tells no clock, nothing has ended.
    const now = snapshot.asOf === undefined ? NEVER : serviceTime(snapshot, clock);
    const seen = { listed: groupOrders(snapshot.records), now, claimed };
    const [living, over] = partition(intents, (intent) => isLiving(intent, seen));
    const names = over.map(({ orderNumber, id }) => orderNumber ?? id);
    return {
      value: new Set(living.map(({ id }) => id)),
      costly: over.length === 0 ? undefined : `order ${names.join(", ")} has ended or is not there`,
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

/** How long the proxies of an order may take to be listed. */
const ARRIVING_MS = DAY_MS;

/** Whether an order is listed and has not ended, or may still come. */
function isLiving(intent: OrderIntent, seen: SeenOrders): boolean {
  const names = namesOf(intent);
  const listed = seen.listed.find(({ orderId }) => names.includes(orderId));
  if (listed) return listed.endsAt === undefined || !isOver(intent, listed, seen.now);
  if (intent.phase === "confirmed" && wasListed(intent, seen)) return false;
  return planRecovery(intent, intent.purchase.request, seen).kind !== "none";
}

/**
 * Whether an order that a state had, and that is not listed now, was listed before. Its number must be like the
 * listing's names, and it must have had the time to arrive. Otherwise it may be listed under another name.
 */
function wasListed(intent: OrderIntent, { listed, now }: SeenOrders): boolean {
  const { request } = intent.purchase;
  const ageMs = now.getTime() - sentBetween(intent).latest.getTime();
  // A state that was seen to have it has followed it to its end.
  if (ageMs >= request.rentPeriodDays * DAY_MS) return true;
  return findUnnamed([intent], request, listed).length === 0 && ageMs >= ARRIVING_MS;
}
