import pLimit from "p-limit";
import type { ProxyRecord, ProxyType } from "../client/index.ts";
import { ProxyRentalError } from "./errors.ts";
import type { Clock, ProxyService } from "./service.ts";

/** The account's proxies of one type, as they were at one moment. */
export interface Snapshot {
  records: readonly ProxyRecord[];
  /** The service's clock, where it said so: only this decides what has expired. */
  asOf: Date | undefined;
  /** When that was, by `Clock.elapsedMs`. */
  readAtMs: number;
}

/** A snapshot that rows may have moved under while it was read. */
export interface Sighting extends Snapshot {
  /** Why it can't be the whole listing at one moment. What it shows was there; what it lacks may be too. */
  contradiction: string | undefined;
}

/** The account's proxies, read once for all who ask at the same time. */
export interface Listing {
  /**
   * The whole listing, to decide by: the newest one, if nothing of ours has changed the account since, else
   * a new one. One that contradicts itself is read again, and never given.
   */
  recent(proxyType: ProxyType): Promise<Snapshot>;
  /** What a listing begun after `begunAfterMs` shows, to look for something in. */
  since(proxyType: ProxyType, begunAfterMs: number): Promise<Sighting>;
  /**
   * A listing not older than `maxAgeMs`, whatever of ours has changed since: a whole one if there is one, since
   * while this run buys the newer ones may contradict themselves.
   */
  within(proxyType: ProxyType, maxAgeMs: number): Promise<Sighting>;
  /** To be called after each call that changes the account. */
  invalidate(): void;
}

/** How many records a page is asked for. The service may give fewer. */
const PAGE_SIZE = 100;

const PAGES_AT_ONCE = 4;

/** How often a listing that contradicts itself is read: while others of this run buy, rows move. */
const MAX_READS = 6;

/** Before a contradicting listing is read again; doubles each time. */
const FIRST_WAIT_MS = 200;

const RECENT_MS = 30_000;

/** A listing that is being read, or was. */
interface Read {
  begunAtMs: number;
  snapshot: Promise<Sighting>;
}

/** Makes the listing of an account. */
export function createListing(service: ProxyService, clock: Clock): Listing {
  const reads = new Map<ProxyType, Read>();
  const wholes = new Map<ProxyType, Read>();
  const queued = new Map<ProxyType, Promise<Sighting>>();
  let changedAtMs = Number.NEGATIVE_INFINITY;

  function begin(proxyType: ProxyType): Promise<Sighting> {
    const begunAtMs = clock.elapsedMs();
    const snapshot = readPages(service, clock, proxyType);
    const read = { begunAtMs, snapshot };
    reads.set(proxyType, read);
    snapshot.then(
      ({ contradiction }) => {
        if (contradiction === undefined) wholes.set(proxyType, read);
      },
      () => {
        if (reads.get(proxyType) === read) reads.delete(proxyType);
      },
    );
    return snapshot;
  }

  /**
   * At most one listing of a type runs, and those who need a newer one than that share the next: a
   * hundred orders that wait for their proxies cost as many listings as one.
   */
  async function beginNext(proxyType: ProxyType): Promise<Sighting> {
    const running = reads.get(proxyType)?.snapshot;
    await running?.catch(() => undefined);
    queued.delete(proxyType);
    return begin(proxyType);
  }

  function since(proxyType: ProxyType, begunAfterMs: number): Promise<Sighting> {
    const read = reads.get(proxyType);
    if (read && read.begunAtMs > begunAfterMs) return read.snapshot;
    const next = queued.get(proxyType) ?? beginNext(proxyType);
    queued.set(proxyType, next);
    return next;
  }

  async function recent(proxyType: ProxyType): Promise<Snapshot> {
    let begunAfterMs = Math.max(changedAtMs, clock.elapsedMs() - RECENT_MS);
    let contradiction = "";
    for (let read = 0; read < MAX_READS; read++) {
      if (read > 0) await clock.sleep(FIRST_WAIT_MS * 2 ** (read - 1));
      const sighting = await since(proxyType, begunAfterMs);
      if (sighting.contradiction === undefined) return sighting;
      contradiction = sighting.contradiction;
      begunAfterMs = clock.elapsedMs();
    }
    throw new ProxyRentalError(
      "LISTING_INCONSISTENT",
      `the listing of ${proxyType} proxies contradicts itself: ${contradiction}. Nothing was bought and nothing was dropped from the state. Run again when the account is quiet.`,
    );
  }

  return {
    since,
    recent,
    within(proxyType, maxAgeMs) {
      const begunAfterMs = clock.elapsedMs() - maxAgeMs;
      const whole = wholes.get(proxyType);
      return whole && whole.begunAtMs > begunAfterMs
        ? whole.snapshot
        : since(proxyType, begunAfterMs);
    },
    invalidate() {
      changedAtMs = clock.elapsedMs();
    },
  };
}

type Page = Awaited<ReturnType<ProxyService["listProxies"]>>;

async function readPages(
  service: ProxyService,
  clock: Clock,
  proxyType: ProxyType,
): Promise<Sighting> {
  const readPage = (page: number) => service.listProxies({ proxyType, page, size: PAGE_SIZE });
  const first = await readPage(0);
  const readAtMs = clock.elapsedMs();
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, i) => i + 1);
  const pages = [first, ...(await pLimit(PAGES_AT_ONCE).map(others, readPage))];
  const listed = pages.flatMap((page) => page.content);
  const byId = new Map(listed.map((record) => [record.ipAddressId, record]));
  return {
    records: [...byId.values()],
    asOf: first.answeredAt,
    readAtMs,
    contradiction: findContradiction(pages, listed.length, byId.size),
  };
}

/** Why these pages can't be one listing, as when rows moved while they were read; undefined if they can. */
function findContradiction(
  pages: readonly Page[],
  listed: number,
  different: number,
): string | undefined {
  const [total = 0, ...otherTotals] = pages.map((page) => page.totalElements);
  if (otherTotals.some((other) => other !== total)) return "its total changed between pages";
  if (listed !== total) return `it promised ${total} records and gave ${listed}`;
  if (different !== listed) return "a proxy is listed twice";
  return undefined;
}

/**
 * The service's clock now, as far as a listing tells it; never ahead of it. This machine's where the service
 * does not say.
 */
export function serviceTime({ asOf, readAtMs }: Snapshot, clock: Clock): Date {
  if (asOf === undefined) return clock.now();
  return new Date(asOf.getTime() + clock.elapsedMs() - readAtMs);
}

/** The listed proxies of these orders. */
export function ofOrders(
  records: readonly ProxyRecord[],
  orderIds: readonly string[],
): ProxyRecord[] {
  return records.filter((record) => orderIds.includes(record.orderId));
}
