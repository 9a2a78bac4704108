import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { Balance } from "../account/balance.ts";
import { type Listing, SECOND_LOOK_AFTER_MS } from "../account/listing.ts";
import type { Journal } from "../journal/journal.ts";
import type { Clock, HeldLock, ProxyService } from "../ports.ts";
import {
  bySending,
  costOf,
  type Intent,
  isPlaced,
  isSameAccount,
  settledAt,
  type Timed,
} from "../records/intent.ts";
import { addMoney } from "../values/money.ts";
import type { Seen, Traces, Wait, Window } from "./weigh-balance.ts";

/** For how long to look, from now. */
export interface Patience {
  /** Until when a late charge is to be expected. */
  settlingMs: number;
  /** Until when what was charged should be listed. */
  deliveryMs: number;
}

/**
 * For how long the answers to purchases, or their late effects, may still be to come. That they are over must follow
 * from the service's clock and from the journal's: one answer may tell a wrong time. Never longer than from the
 * moment in which they were sent.
 */
export function settlingLeft(
  intents: readonly Pick<Intent, Timed>[],
  serviceTime: Date,
  journalTime: Date,
): number {
  const left = intents.map((intent) => {
    const longestMs = Date.parse(intent.answerBy) - Date.parse(intent.sentAt);
    const byService = Date.parse(intent.answerBy) - serviceTime.getTime();
    const byJournal = settledAt(intent).getTime() - journalTime.getTime();
    return Math.min(longestMs, Math.max(byService, byJournal));
  });
  return Math.max(0, ...left);
}

const FIRST_WAIT_MS = 250;

const LONGEST_WAIT_MS = 5_000;

/** Looks again and again, ever more slowly, until what is seen decides. */
export async function watch<Sight, Verdict extends { kind: string }>(
  clock: Clock,
  { settlingMs, deliveryMs }: Patience,
  look: () => Promise<Sight>,
  judge: (seen: Sight, window: Window) => Verdict | Wait | Promise<Verdict | Wait>,
): Promise<Verdict> {
  const beganMs = clock.elapsedMs();
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    // The time before the look counts: the look may miss what happens during it.
    const elapsedMs = clock.elapsedMs() - beganMs;
    const window = elapsedMs < settlingMs ? "open" : elapsedMs < deliveryMs ? "settled" : "over";
    const verdict = await judge(await look(), window);
    if (!isWait(verdict)) return verdict;
    const { atLeastMs = 1 } = verdict;
    const untilMs = beganMs + (window === "open" ? settlingMs : deliveryMs);
    await clock.sleep(Math.max(atLeastMs, Math.min(waitMs, untilMs - clock.elapsedMs())));
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

/** What the evidence says of purchases whose answers are not known. */
type Finding = { kind: "placed" } | { kind: "notPlaced" } | ({ kind: "unknown" } & Traces);

/** What it takes to watch purchases in a turn. */
interface WatchingParts {
  clock: Clock;
  journal: Pick<Journal, "note">;
  turn: Pick<HeldLock, "keep">;
}

/**
 * Watches what became of purchases. That nothing was placed must follow from two looks, because one may be behind. And what
 * any look has shown is never forgotten: it is written down at once, because this run may be killed, or lose its turn, before
 * it has an outcome to write down. A look counts only if the turn has lasted until it was over.
 */
export function watchPurchases<Sight, Found extends Finding>(
  { clock, journal, turn }: WatchingParts,
  patience: Patience,
  intents: readonly Intent[],
  look: () => Promise<Sight>,
  judge: (seen: Sight, window: Window, hadTraces: boolean) => Found | (Wait & Traces),
): Promise<Found> {
  // Earlier releases have named candidates only. This one also names orders that are no trace of a purchase.
  let hadTraces = intents.some(
    ({ hasTraces, candidates = [] }) => hasTraces ?? candidates.length > 0,
  );
  let isAbsentOnce = false;
  const lookAlone = async () => {
    const sight = await look();
    await turn.keep();
    return sight;
  };
  return watch<Sight, Found>(clock, patience, lookAlone, async (seen, window) => {
    const verdict = judge(seen, window, hadTraces);
    if ("hasTraces" in verdict && verdict.hasTraces && !hadTraces) {
      hadTraces = true;
      await Promise.all(intents.map((intent) => journal.note(intent, { hasTraces: true })));
    }
    if (verdict.kind !== "notPlaced" || isAbsentOnce) return verdict;
    isAbsentOnce = true;
    return { kind: "wait", atLeastMs: SECOND_LOOK_AFTER_MS };
  });
}

function isWait(verdict: { kind: string }): verdict is Wait {
  return verdict.kind === "wait";
}

/** What a look at the account needs. */
export interface LookingParts {
  service: Pick<ProxyService, "getBalance">;
  listing: Pick<Listing, "partial">;
  clock: Clock;
  balance: Balance;
}

/** What can be seen of the account now. What can't be read is left open, not guessed. */
export async function lookAtAccount(
  { service, listing, clock, balance }: LookingParts,
  proxyType: ProxyType,
): Promise<Pick<Seen<ProxyRecord>, "listed" | "balance">> {
  const askedAtMs = clock.elapsedMs();
  const [sighting, told] = await Promise.allSettled([
    listing.partial(proxyType, { begunAfterMs: askedAtMs }),
    service.getBalance(),
  ]);
  if (told.status === "fulfilled") balance.saw(told.value.balance, askedAtMs);
  const whole = sighting.status === "fulfilled" && sighting.value.contradiction === undefined;
  return {
    listed: whole ? sighting.value.records : undefined,
    balance: told.status === "fulfilled" ? told.value.balance : undefined,
  };
}

/** What other placed purchases have cost the same account since this one was sent. */
export function spentSince(others: readonly Intent[], first: Intent): number {
  const later = others
    .filter((other) => isSameAccount(other, first))
    .filter((other) => isPlaced(other) && bySending(other, first) > 0);
  return addMoney(...later.map(costOf));
}
