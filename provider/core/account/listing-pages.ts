import pLimit from "p-limit";
import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { PageReader, ReadPage } from "./page-reader.ts";
import type { ClockReading } from "./service-clock.ts";

/** The account's proxies of one type, as they were at one moment. */
export interface Snapshot {
  records: readonly ProxyRecord[];
  /** How many pages it was read in. */
  pages: number;
  /** The service's clock, where it said so: only this decides what has expired. */
  asOf: Date | undefined;
  /** When it was read, by `Clock.elapsedMs`. */
  readAtMs: number;
  /** What the service's clock said with each page that told it. */
  clock: readonly ClockReading[];
}

/** A snapshot whose rows may have moved while it was read. */
export interface Sighting extends Snapshot {
  /**
   * Why it can't be the whole listing at one moment. What it shows was there. What it lacks may have been there too.
   */
  contradiction: string | undefined;
}

const PAGES_AT_ONCE = 4;

/** Reads a whole listing. Rows may move while it is read. */
export async function readPages(pages: PageReader, proxyType: ProxyType): Promise<Sighting> {
  const first = await pages.read(proxyType, 0);
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, i) => i + 1);
  const readOther = (page: number) => pages.read(proxyType, page);
  const read = [first, ...(await pLimit(PAGES_AT_ONCE).map(others, readOther))];
  const listed = read.flatMap((page) => page.content);
  const byId = new Map(listed.map((record) => [record.ipAddressId, record]));
  return {
    records: [...byId.values()],
    pages: read.length,
    asOf: first.answeredAt,
    readAtMs: first.readAtMs,
    contradiction: findContradiction(read, listed.length, byId.size),
    clock: read.flatMap(({ clock }) => clock),
  };
}

/** Why these pages can't be one listing, for instance because rows moved meanwhile; undefined if they can. */
function findContradiction(
  pages: readonly ReadPage[],
  listed: number,
  different: number,
): string | undefined {
  const [total = 0, ...otherTotals] = pages.map((page) => page.totalElements);
  if (otherTotals.some((other) => other !== total)) return "its total changed between pages";
  if (listed !== total) return `it promised ${total} records and gave ${listed}`;
  if (different !== listed) return "a proxy is listed twice";
  return undefined;
}
