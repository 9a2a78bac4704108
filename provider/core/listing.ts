import pLimit from "p-limit";
import type { ProxyRecord, ProxyType } from "../client/index.ts";
import { ProxyRentalError } from "./errors.ts";
import type { Clock, ProxyService } from "./service.ts";

/** The account's proxies of one type, as they were at one moment. */
export interface Snapshot {
  records: readonly ProxyRecord[];
  /** The service's clock, where it said so: only this decides what has expired. */
  asOf: Date | undefined;
  /** This process's clock when the listing was begun. */
  begunAtMs: number;
}

/** The account's proxies, read once for all who ask at the same time. */
export interface Listing {
  /** The newest snapshot, if nothing of ours has changed the account since; else a new one. */
  recent(proxyType: ProxyType): Promise<Snapshot>;
  /** A snapshot that was begun after `begunAfterMs`. */
  since(proxyType: ProxyType, begunAfterMs: number): Promise<Snapshot>;
  /** To be called after each call that changes the account. */
  invalidate(): void;
}

/** How many records a page is asked for. The service may give fewer. */
const PAGE_SIZE = 100;

const PAGES_AT_ONCE = 4;

/** How often a listing that contradicts itself is read again. */
const MAX_READS = 3;

const RECENT_MS = 30_000;

/** Makes the listing of an account. */
export function createListing(service: ProxyService, clock: Clock): Listing {
  const reads = new Map<ProxyType, { begunAtMs: number; snapshot: Promise<Snapshot> }>();
  const queued = new Map<ProxyType, Promise<Snapshot>>();
  let changedAtMs = Number.NEGATIVE_INFINITY;

  function begin(proxyType: ProxyType): Promise<Snapshot> {
    const begunAtMs = clock.elapsedMs();
    const snapshot = readSnapshot(service, proxyType, begunAtMs);
    reads.set(proxyType, { begunAtMs, snapshot });
    snapshot.catch(() => {
      if (reads.get(proxyType)?.snapshot === snapshot) reads.delete(proxyType);
    });
    return snapshot;
  }

  /**
   * At most one listing of a type runs, and those who need a newer one than that share the next: a
   * hundred orders that wait for their proxies cost as many listings as one.
   */
  async function beginNext(proxyType: ProxyType): Promise<Snapshot> {
    const running = reads.get(proxyType)?.snapshot;
    await running?.catch(() => undefined);
    queued.delete(proxyType);
    return begin(proxyType);
  }

  function since(proxyType: ProxyType, begunAfterMs: number): Promise<Snapshot> {
    const read = reads.get(proxyType);
    if (read && read.begunAtMs > begunAfterMs) return read.snapshot;
    const next = queued.get(proxyType) ?? beginNext(proxyType);
    queued.set(proxyType, next);
    return next;
  }

  return {
    since,
    recent: (proxyType) => since(proxyType, Math.max(changedAtMs, clock.elapsedMs() - RECENT_MS)),
    invalidate() {
      changedAtMs = clock.elapsedMs();
    },
  };
}

/** Reads the whole listing; one that contradicts itself is read again, and never taken for the truth. */
async function readSnapshot(
  service: ProxyService,
  proxyType: ProxyType,
  begunAtMs: number,
): Promise<Snapshot> {
  let contradiction = "";
  for (let reads = 0; reads < MAX_READS; reads++) {
    const pages = await readPages(service, proxyType);
    const records = pages.flatMap((page) => page.content);
    const found = findContradiction(pages, records);
    if (found === undefined) return { records, asOf: pages[0]?.answeredAt, begunAtMs };
    contradiction = found;
  }
  throw new ProxyRentalError(
    "LISTING_INCONSISTENT",
    `the listing of ${proxyType} proxies contradicts itself: ${contradiction}. Nothing was bought and nothing was dropped from the state. Run again when the account is quiet.`,
  );
}

type Page = Awaited<ReturnType<ProxyService["listProxies"]>>;

async function readPages(service: ProxyService, proxyType: ProxyType): Promise<Page[]> {
  const readPage = (page: number) => service.listProxies({ proxyType, page, size: PAGE_SIZE });
  const first = await readPage(0);
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, i) => i + 1);
  const limit = pLimit(PAGES_AT_ONCE);
  return [first, ...(await limit.map(others, readPage))];
}

/** Why these pages can't be one listing, as when rows moved while they were read; undefined if they can. */
function findContradiction(pages: readonly Page[], records: readonly ProxyRecord[]) {
  const [first] = pages;
  const total = first?.totalElements ?? 0;
  if (pages.some((page) => page.totalElements !== total)) return "its total changed between pages";
  if (records.length !== total) return `it promised ${total} records and gave ${records.length}`;
  const ids = new Set(records.map((record) => record.ipAddressId));
  if (ids.size !== records.length) return "a proxy is listed twice";
  return undefined;
}
