import pLimit from "p-limit";
import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { Clock, ProxyService } from "../ports.ts";
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

/** How many records to ask for in a page. The service may give fewer. */
const PAGE_SIZE = 100;

const PAGES_AT_ONCE = 4;

type Page = Awaited<ReturnType<ProxyService["listProxies"]>>;

export async function readPages(
  service: Pick<ProxyService, "listProxies">,
  clock: Clock,
  proxyType: ProxyType,
): Promise<Sighting> {
  const clockReadings: ClockReading[] = [];
  const readPage = async (page: number) => {
    const answer = await service.listProxies({ proxyType, page, size: PAGE_SIZE });
    const { answeredAt: told } = answer;
    if (told) clockReadings.push({ told, readAtMs: clock.elapsedMs(), ownTime: clock.now() });
    return answer;
  };
  const first = await readPage(0);
  const readAtMs = clock.elapsedMs();
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, i) => i + 1);
  const pages = [first, ...(await pLimit(PAGES_AT_ONCE).map(others, readPage))];
  const listed = pages.flatMap((page) => page.content);
  const byId = new Map(listed.map((record) => [record.ipAddressId, record]));
  return {
    records: [...byId.values()],
    pages: pages.length,
    asOf: first.answeredAt,
    readAtMs,
    contradiction: findContradiction(pages, listed.length, byId.size),
    clock: clockReadings,
  };
}

/** Why these pages can't be one listing, for instance because rows moved meanwhile; undefined if they can. */
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
