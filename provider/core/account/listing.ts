import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { Clock, Log } from "../ports.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { rememberOf } from "../values/remember.ts";
import { type Age, beginAge } from "./age.ts";
import { readPages, type Sighting, type Snapshot } from "./listing-pages.ts";
import type { PageReader } from "./page-reader.ts";
import { aheadMs, type ClockReading, doubtClock, isBorneOut } from "./service-clock.ts";

/** What one whole listing shows of something. */
export interface Reading<Value> {
  value: Value;
  /** In words, what would cost money if it were wrong: that something has ended, or is not listed. */
  costly: string | undefined;
  /** The listed proxies from which that follows, by their ids. */
  rows: readonly string[];
}

/** Which listing is good enough to look for something in. */
export type PartialRead =
  /** One that was begun after this moment, by `Clock.elapsedMs`. */
  | { begunAfterMs: number }
  /**
   * One that is not older than this, even if something of ours has changed since. A whole one is preferred: while
   * this run buys, newer ones may contradict themselves.
   */
  | { maxAgeMs: number };

/** The account's proxies, read once for all who ask at the same time. */
export interface Listing {
  /**
   * The whole listing, to decide by. It is the newest one if nothing of ours has changed the account since, else a
   * new one. A listing that contradicts itself is read again, and never given.
   */
  complete(proxyType: ProxyType): Promise<Snapshot>;
  /** The listing read as far as is needed, to look for something in. It may contradict itself. */
  partial(proxyType: ProxyType, wanted: PartialRead): Promise<Sighting>;
  /**
   * Another whole listing to hold against this one: the one before it if that is recent enough, else a new one. All
   * who ask for the same share it.
   */
  another(proxyType: ProxyType, than: Snapshot): Promise<Snapshot>;
  /**
   * Draws a conclusion from the listing. One listing proves no end and no loss. A conclusion that would cost money
   * must follow from two whole listings, read one after the other, by a clock that both agree on. If it does not,
   * this throws `LISTING_INCONSISTENT`, which names both.
   * @param read must be pure: it is called for each listing, with the service's clock and without it.
   */
  conclude<Value>(proxyType: ProxyType, read: (seen: Snapshot) => Reading<Value>): Promise<Value>;
  /**
   * The service's time, to decide what has ended. If no second clock confirms the first, it is the earliest that any
   * of them says: to take something for paid too long costs nothing.
   */
  time(proxyType: ProxyType, seen: Snapshot): Promise<Date>;
  /** The same where neither an earlier nor a later time is the safe one: of two answers and this machine, the one in the middle. */
  likelyTime(proxyType: ProxyType, seen: Snapshot): Promise<Date>;
  /** Call this after each call that changes the account. */
  invalidate(): void;
}

/** How often a listing that contradicts itself is read. While others of this run buy, rows move. */
const MAX_READS = 6;

/** How long to wait before a contradicting listing is read again; doubles each time. */
const FIRST_WAIT_MS = 200;

const RECENT_MS = 30_000;

/** How long to wait between two looks that are held against each other. A passing error is over by then. */
export const SECOND_LOOK_AFTER_MS = 2_000;

const HOUR_MS = 3_600_000;

/** Which listing is good enough. */
interface Wanted {
  /** @default any */
  begunAfterMs?: number;
  /** @default any */
  maxAgeMs?: number;
}

/** A listing that is being read, or was. */
interface Read {
  begunAtMs: number;
  age: Age;
  snapshot: Promise<Sighting>;
}

/**
 * Makes the listing of an account.
 * @param warn is told once that this machine's clock and the service's differ. @default nobody is told
 */
export function createListing(
  pages: PageReader,
  clock: Clock,
  warn: Log["warn"] = () => undefined,
): Listing {
  const reads = new Map<ProxyType, Read>();
  const wholes = new Map<ProxyType, Read>();
  /** The whole listing before the newest. At most one of a type is read at a time, so they do not overlap. */
  const earlierWholes = new Map<ProxyType, Read>();
  const counterparts = new WeakMap<Snapshot, Promise<Snapshot>>();
  let isSkewTold = false;
  const queued = new Map<ProxyType, Promise<Sighting>>();
  let changedAtMs = Number.NEGATIVE_INFINITY;

  function begin(proxyType: ProxyType): Promise<Sighting> {
    const [begunAtMs, age] = [clock.elapsedMs(), beginAge(clock)];
    const snapshot = readPages(pages, proxyType);
    const read = { begunAtMs, age, snapshot };
    reads.set(proxyType, read);
    snapshot.then(
      ({ contradiction }) => {
        if (contradiction !== undefined) return;
        const former = wholes.get(proxyType);
        if (former) earlierWholes.set(proxyType, former);
        wholes.set(proxyType, read);
      },
      () => {
        if (reads.get(proxyType) === read) reads.delete(proxyType);
      },
    );
    return snapshot;
  }

  /**
   * At most one listing of a type is read at a time, and all who need a newer one share the next. So a hundred orders
   * that wait for their proxies cost as many listings as one.
   */
  async function beginNext(proxyType: ProxyType): Promise<Sighting> {
    const running = reads.get(proxyType)?.snapshot;
    await running?.catch(() => undefined);
    queued.delete(proxyType);
    return begin(proxyType);
  }

  function readAny(proxyType: ProxyType, wanted: Wanted): Promise<Sighting> {
    const read = reads.get(proxyType);
    if (read && isGood(read, wanted)) return read.snapshot;
    const next = queued.get(proxyType) ?? beginNext(proxyType);
    queued.set(proxyType, next);
    return next;
  }

  async function readWhole(proxyType: ProxyType, first: Wanted): Promise<Sighting> {
    let wanted = first;
    let contradiction = "";
    for (let read = 0; read < MAX_READS; read++) {
      if (read > 0) await clock.sleep(FIRST_WAIT_MS * 2 ** (read - 1));
      const sighting = await readAny(proxyType, wanted);
      if (sighting.contradiction === undefined) return sighting;
      contradiction = sighting.contradiction;
      wanted = { begunAfterMs: clock.elapsedMs() };
    }
    throw new ProxyRentalError(
      "LISTING_INCONSISTENT",
      `the listing of ${proxyType} proxies contradicts itself: ${contradiction}. Nothing was bought and nothing was dropped from the state. Run again when the account is quiet.`,
    );
  }

  /** A listing that shows the account as it is now. */
  const current = (): Wanted => ({ begunAfterMs: changedAtMs, maxAgeMs: RECENT_MS });

  const complete = (proxyType: ProxyType) => readWhole(proxyType, current());

  async function findAnother(proxyType: ProxyType, than: Snapshot): Promise<Snapshot> {
    for (const known of [wholes.get(proxyType), earlierWholes.get(proxyType)]) {
      const whole = known && isGood(known, current()) ? await known.snapshot : than;
      if (whole !== than) return whole;
    }
    const waitMs = than.readAtMs + SECOND_LOOK_AFTER_MS - clock.elapsedMs();
    if (waitMs > 0) await clock.sleep(waitMs);
    return readWhole(proxyType, { begunAfterMs: clock.elapsedMs() });
  }

  function another(proxyType: ProxyType, than: Snapshot): Promise<Snapshot> {
    const known = counterparts.get(than);
    if (known) return known;
    const found = findAnother(proxyType, than);
    counterparts.set(than, found);
    found.catch(() => counterparts.delete(than));
    return found;
  }

  function tellSkew(readings: readonly ClockReading[]): void {
    const skewed = readings.find((reading) => !isBorneOut(reading));
    if (skewed === undefined || isSkewTold) return;
    isSkewTold = true;
    const hours = Math.abs(aheadMs(skewed) / HOUR_MS).toFixed(1);
    warn(
      `the service's clock is ${hours} hours ${aheadMs(skewed) > 0 ? "ahead of" : "behind"} this machine's. The service's decides what has ended; set this machine's clock if it is the wrong one.`,
    );
  }

  async function conclude<Value>(
    proxyType: ProxyType,
    read: (seen: Snapshot) => Reading<Value>,
  ): Promise<Value> {
    const first = await complete(proxyType);
    const once = read(first);
    if (once.costly === undefined) return once.value;
    const second = await another(proxyType, first);
    const twice = read(second);
    if (!isSameReading(once, twice)) throw contradicting(proxyType, once, twice);
    if (isSameReading(twice, read({ ...second, asOf: undefined }))) return twice.value;
    const readings = [...first.clock, ...second.clock];
    const doubt = doubtClock(readings);
    if (doubt !== undefined) throw untimely(once.costly, doubt);
    tellSkew(readings);
    return twice.value;
  }

  async function time(proxyType: ProxyType, seen: Snapshot): Promise<Date> {
    const told = serviceTime(seen, clock);
    // If the service tells no clock, there is only ours.
    if (seen.clock.every(isBorneOut)) return told;
    const other = await another(proxyType, seen);
    if (doubtClock([...seen.clock, ...other.clock]) === undefined) return told;
    const times = [told, serviceTime(other, clock), clock.now()];
    return new Date(Math.min(...times.map((one) => one.getTime())));
  }

  async function likelyTime(proxyType: ProxyType, seen: Snapshot): Promise<Date> {
    const told = serviceTime(seen, clock);
    if (seen.asOf !== undefined && seen.clock.every(isBorneOut)) return told;
    const other = serviceTime(await another(proxyType, seen), clock);
    const times = [told, other, clock.now()].toSorted((a, b) => a.getTime() - b.getTime());
    return times[1] ?? told;
  }

  return {
    complete,
    another,
    conclude,
    time,
    likelyTime,
    partial(proxyType, wanted) {
      const whole = "maxAgeMs" in wanted ? wholes.get(proxyType) : undefined;
      return whole && isGood(whole, wanted) ? whole.snapshot : readAny(proxyType, wanted);
    },
    invalidate() {
      changedAtMs = clock.elapsedMs();
    },
  };
}

function isGood({ begunAtMs, age }: Read, { begunAfterMs, maxAgeMs }: Wanted): boolean {
  const isLate = begunAfterMs === undefined || begunAtMs > begunAfterMs;
  return isLate && (maxAgeMs === undefined || age() < maxAgeMs);
}

function isSameReading(a: Reading<unknown>, b: Reading<unknown>): boolean {
  const [rows, others] = [a.rows.toSorted(), b.rows.toSorted()];
  return a.costly === b.costly && JSON.stringify(rows) === JSON.stringify(others);
}

function contradicting(
  proxyType: ProxyType,
  { costly: first = "" }: Reading<unknown>,
  { costly: second }: Reading<unknown>,
): ProxyRentalError {
  const then = second === first ? `${first}, by other rows` : (second ?? "that all of it is there");
  return new ProxyRentalError(
    "LISTING_INCONSISTENT",
    `two listings of ${proxyType} proxies contradict each other. The first says: ${first}. The second, read after it, says: ${then}. Nothing was bought and nothing was dropped from the state. Run again.`,
  );
}

function untimely(costly: string, doubt: string): ProxyRentalError {
  return new ProxyRentalError(
    "LISTING_INCONSISTENT",
    `the listing says: ${costly}. But ${doubt}, so nobody can say what has ended. Nothing was bought and nothing was dropped from the state. Run again; where it stays so, set right the clock that is wrong.`,
  );
}

/**
 * The service's clock now, by what a listing has told; never ahead of it. This machine's clock if the service told
 * none.
 */
export function serviceTime(
  { asOf, readAtMs }: Pick<Snapshot, "asOf" | "readAtMs">,
  clock: Clock,
): Date {
  if (asOf === undefined) return clock.now();
  return new Date(asOf.getTime() + clock.elapsedMs() - readAtMs);
}

/** What people are told of an account by: the service's time, and the proxies that it lists. */
export interface Look {
  now: Date;
  records: readonly ProxyRecord[];
}

/** How old a listing may be that tells the service's time, or until when something is paid. */
export const LOOK_MAX_AGE_MS = 30_000;

/** The service's time, to decide what has ended: see `Listing.time`. */
export async function readDecidingTime(
  listing: Pick<Listing, "partial" | "time">,
  proxyType: ProxyType,
): Promise<Date> {
  return listing.time(proxyType, await listing.partial(proxyType, { maxAgeMs: LOOK_MAX_AGE_MS }));
}

/** Looks at the account, for people. If it can't be asked, this machine tells the time, and nothing is listed. */
export async function lookForPeople(
  { listing, clock }: { listing: Pick<Listing, "partial">; clock: Clock },
  proxyType: ProxyType,
): Promise<Look> {
  try {
    const seen = await listing.partial(proxyType, { maxAgeMs: LOOK_MAX_AGE_MS });
    return { now: serviceTime(seen, clock), records: seen.records };
  } catch {
    return { now: clock.now(), records: [] };
  }
}

/** A listing of at most this age that does not contradict itself, to look for something in. */
export async function readConsistent(
  listing: Pick<Listing, "partial" | "complete">,
  proxyType: ProxyType,
  maxAgeMs: number,
): Promise<Snapshot> {
  const sighting = await listing.partial(proxyType, { maxAgeMs });
  return sighting.contradiction === undefined ? sighting : listing.complete(proxyType);
}

/** The listed proxies of these orders, as they are listed. */
export function ofOrders(
  records: readonly ProxyRecord[],
  orderIds: readonly string[],
): ProxyRecord[] {
  const byOrder = placesByOrder(records);
  return [...new Set(orderIds)]
    .flatMap((orderId) => byOrder.get(orderId) ?? [])
    .toSorted((a, b) => a.place - b.place)
    .map(({ record }) => record);
}

/** A stack of a thousand orders asks for each of them. */
const placesByOrder = rememberOf((records: readonly ProxyRecord[]) =>
  Map.groupBy(
    records.map((record, place) => ({ record, place })),
    ({ record }) => record.orderId,
  ),
);
