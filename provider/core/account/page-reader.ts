import type { ProxyType } from "../../client/index.ts";
import type { Clock, ProxyService } from "../ports.ts";
import type { ClockReading } from "./service-clock.ts";

/** One page of a listing, and when it was read. */
export type ReadPage = Awaited<ReturnType<ProxyService["listProxies"]>> & {
  /** By `Clock.elapsedMs`. */
  readAtMs: number;
  /** What the service's clock said; empty if it said nothing. */
  clock: readonly ClockReading[];
};

/** How long a listing was when a page of it was read last. */
export interface Extent {
  total: number;
  /** How many records a full page holds. The service may give fewer than were asked for. */
  pageSize: number;
}

/** Reads the pages of the account's listings. */
export interface PageReader {
  /** @param page from 0 */
  read(proxyType: ProxyType, page: number): Promise<ReadPage>;
  /** Undefined before the first page of this type. */
  extentOf(proxyType: ProxyType): Extent | undefined;
}

/** How many records to ask for in a page. The service may give fewer. */
const PAGE_SIZE = 100;

/** Makes the reader of one process. */
export function createPageReader(
  service: Pick<ProxyService, "listProxies">,
  clock: Pick<Clock, "now" | "elapsedMs">,
): PageReader {
  const extents = new Map<ProxyType, Extent>();
  return {
    async read(proxyType, page) {
      const answer = await service.listProxies({ proxyType, page, size: PAGE_SIZE });
      const { answeredAt: told, content, totalElements: total, totalPages } = answer;
      const readAtMs = clock.elapsedMs();
      const isFull = page < totalPages - 1;
      const pageSize = isFull ? content.length : (extents.get(proxyType)?.pageSize ?? PAGE_SIZE);
      extents.set(proxyType, { total, pageSize });
      return { ...answer, readAtMs, clock: told ? [{ told, readAtMs, ownTime: clock.now() }] : [] };
    },
    extentOf: (proxyType) => extents.get(proxyType),
  };
}
