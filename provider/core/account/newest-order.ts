import type { ProxyType } from "../../client/index.ts";
import type { Sighting, Snapshot } from "./listing-pages.ts";
import type { PageReader, ReadPage } from "./page-reader.ts";

/**
 * Finds an order that was just bought without reading the whole listing. Records are grouped by order (source: endpoint
 * 12), and the document does not say by what the orders are sorted. So this learns at which end new ones appear.
 */
export interface NewestOrder {
  /** Reads at most three pages. Undefined if these do not show so many proxies of the order: it may be elsewhere. */
  look(proxyType: ProxyType, orderId: string, count: number): Promise<Sighting | undefined>;
  /** Call this with a whole listing in which such an order was found. */
  learn(proxyType: ProxyType, orderId: string, whole: Pick<Snapshot, "records">): void;
}

/** Makes the finder of one process. */
export function createNewestOrder(pages: PageReader): NewestOrder {
  const isAtBegin = new Map<ProxyType, boolean>();

  /** The page that most likely has it. The listing may have gone on, or have become shorter, since its end was seen. */
  async function readLikeliest(proxyType: ProxyType, seen: number, pageSize: number) {
    if (isAtBegin.get(proxyType)) return { number: 0, page: await pages.read(proxyType, 0) };
    const number = Math.floor(seen / pageSize);
    const page = await pages.read(proxyType, number);
    const last = Math.max(0, page.totalPages - 1);
    if (page.content.length > 0 || last === number) return { number, page };
    return { number: last, page: await pages.read(proxyType, last) };
  }

  return {
    async look(proxyType, orderId, count) {
      const extent = pages.extentOf(proxyType);
      // A whole listing of one page costs no more.
      if (extent === undefined || extent.total < extent.pageSize) return undefined;
      const { number, page } = await readLikeliest(proxyType, extent.total, extent.pageSize);
      const beside = findRest(page, number, orderId, count);
      const read = beside === undefined ? [page] : [page, await pages.read(proxyType, beside)];
      const found = read.flatMap(({ content }) => content.filter((one) => one.orderId === orderId));
      if (new Set(found.map(({ ipAddressId }) => ipAddressId)).size < count) return undefined;
      return {
        records: read.flatMap(({ content }) => content),
        pages: read.length,
        asOf: page.answeredAt,
        readAtMs: page.readAtMs,
        contradiction: "only a part of it was read",
        clock: read.flatMap(({ clock }) => clock),
      };
    },

    learn(proxyType, orderId, { records }) {
      const before = records.findIndex((record) => record.orderId === orderId);
      if (before === -1) return;
      const after = records.length - 1 - records.findLastIndex((one) => one.orderId === orderId);
      if (before !== after) isAtBegin.set(proxyType, before < after);
    },
  };
}

/** The page that has the rest of an order, if a part of it is at the edge of this one. */
function findRest(
  { content, totalPages }: ReadPage,
  number: number,
  orderId: string,
  count: number,
): number | undefined {
  const found = content.filter((record) => record.orderId === orderId).length;
  if (found === 0 || found >= count) return undefined;
  if (content[0]?.orderId === orderId && number > 0) return number - 1;
  return number + 1 < totalPages ? number + 1 : undefined;
}
