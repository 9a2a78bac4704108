import type { Account } from "../account.ts";
import {
  groupOrders,
  type ListedOrder,
  type Seen,
  settleOrders,
  type Verdict,
  type Window,
} from "../journal/evidence.ts";
import { type Intent, isAccepted, type OrderIntent } from "../journal/intent.ts";
import { addMoney } from "../money.ts";

/** For how long to look, from now. */
export interface Patience {
  /** Until when a late charge is to be expected. */
  settlingMs: number;
  /** Until when an order that was charged should be listed. */
  deliveryMs: number;
}

const FIRST_WAIT_MS = 250;

const LONGEST_WAIT_MS = 5_000;

/**
 * Looks at listing and balance until they say what became of orders of one kind whose answers are not
 * known. To be called with nothing else of the account in flight.
 */
export async function settleOrderIntents(
  account: Account,
  intents: readonly [OrderIntent, ...OrderIntent[]],
  { settlingMs, deliveryMs }: Patience,
): Promise<Exclude<Verdict, { kind: "wait" }>> {
  const { clock, journal } = account;
  const beganMs = clock.elapsedMs();
  const all = await journal.readAll();
  const others = all.filter((one) => !intents.some((intent) => intent.id === one.id));
  const claimed = claimedBy(others, account.knownOrders.keys());
  const windowNow = (): Window => {
    const elapsedMs = clock.elapsedMs() - beganMs;
    if (elapsedMs < settlingMs) return "open";
    return elapsedMs < deliveryMs ? "settled" : "over";
  };
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    // Judged by the moment before the look: what happens during it may not be in it.
    const window = windowNow();
    const seen = await look(account, intents, others);
    const verdict = settleOrders(intents, seen, claimed, window);
    if (verdict.kind !== "wait") return verdict;
    const remainingMs = beganMs + (window === "open" ? settlingMs : deliveryMs) - clock.elapsedMs();
    await clock.sleep(Math.max(1, Math.min(waitMs, remainingMs)));
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

/** Order ids that belong to other purchases. */
function claimedBy(others: readonly Intent[], known: Iterable<string>): ReadonlySet<string> {
  const named = others.flatMap(({ orderNumber = "", orderIds = [] }) => [orderNumber, ...orderIds]);
  return new Set([...known, ...named]);
}

async function look(
  { service, listing, clock, balance }: Account,
  [first]: readonly [OrderIntent, ...OrderIntent[]],
  others: readonly Intent[],
): Promise<Seen<ListedOrder>> {
  const askedAtMs = clock.elapsedMs();
  const { proxyType } = first.purchase.request;
  const [sighting, told] = await Promise.allSettled([
    listing.since(proxyType, askedAtMs),
    service.getBalance(),
  ]);
  if (told.status === "fulfilled") balance.saw(told.value.balance, askedAtMs);
  const listed =
    sighting.status === "fulfilled" && sighting.value.contradiction === undefined
      ? groupOrders(sighting.value.records)
      : undefined;
  return {
    listed,
    balance: told.status === "fulfilled" ? told.value.balance : undefined,
    explainedSpend: spentSince(others, first),
  };
}

/** What purchases that are known to have happened have cost since this one was sent. */
function spentSince(others: readonly Intent[], first: OrderIntent): number {
  const later = others.filter((other) => isAccepted(other) && other.sentAt > first.sentAt);
  return addMoney(...later.map(({ price }) => price));
}
