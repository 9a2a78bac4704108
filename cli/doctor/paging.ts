import { isDeepStrictEqual } from "node:util";
import { countOf, type Found } from "./findings.ts";
import { notSeen, type OpenAnswers } from "./open-answers.ts";
import { findCap, type Reading, type TypeReading } from "./page-reading.ts";

/** How large a page may be, as far as the account's listings show it. */
interface PageSizes {
  /** The largest page that the service gives; undefined if no listing was longer than what was asked for. */
  cap: number | undefined;
  /** The largest page that came. */
  largest: number;
}

/** What the listings show of the size of a page. */
function measurePages(readings: readonly TypeReading[]): PageSizes {
  const firsts = readings.flatMap(({ first }) => (first ? [first] : []));
  const caps = firsts.flatMap((reading) => findCap(reading) ?? []);
  return {
    cap: caps.length === 0 ? undefined : Math.min(...caps),
    largest: Math.max(0, ...firsts.flatMap(({ pageLengths }) => pageLengths)),
  };
}

/** Whether the listings are whole, and the same in two readings. */
export function judgePaging(readings: readonly TypeReading[]): Found[] {
  const unreadable = readings.flatMap(({ proxyType, error }): Found[] =>
    error === undefined
      ? []
      : [
          {
            about: "listing",
            mark: "wrong",
            text: `The listing of ${proxyType} can't be read: ${error.message}.`,
          },
        ],
  );
  const found = readings.flatMap(judgeReadings);
  const rows = readings.reduce((sum, { first }) => sum + (first?.records.length ?? 0), 0);
  if (rows === 0) {
    const text =
      "The account lists no proxies, so pages, dates, ids and fields of the listing were not seen.";
    return [...unreadable, ...found, { about: "paging", mark: "notAsked", text }];
  }
  if (found.length > 0 || unreadable.length > 0) return [...unreadable, ...found];
  return [
    {
      about: "paging",
      mark: "well",
      text: `The listing is whole and stable: two readings gave the same ${countOf(rows, "proxy", "proxies")} in the same order${describePart(readings)}.`,
    },
  ];
}

function describePart(readings: readonly TypeReading[]): string {
  const isWhole = readings.every(({ second }) => second === undefined || second.isWhole);
  return isWhole ? "" : " (of a long listing, the first pages)";
}

/** The page size as the answer to an open question. */
export function answerPageCap(readings: readonly TypeReading[]): OpenAnswers["pageCap"] {
  const { cap, largest } = measurePages(readings);
  if (cap !== undefined) return { answer: cap, how: "a longer listing came in pages of this size" };
  if (largest === 0) return notSeen("the account lists no proxies");
  return { ...notSeen("no listing was longer than a page"), atLeast: largest };
}

/** The page size as a finding. */
export function judgePageSize(readings: readonly TypeReading[]): Found[] {
  const { cap, largest } = measurePages(readings);
  if (largest === 0) return [];
  const asked = Math.max(...readings.flatMap(({ first }) => first?.size ?? []));
  const text =
    cap === undefined
      ? `Pages of ${asked} were asked for, and the largest listing came in pages of up to ${largest}: no smaller limit was seen.`
      : `The largest page is ${cap}, where ${asked} were asked for. The provider reads on until it has all.`;
  return [{ about: "pageSize", mark: "well", text }];
}

function judgeReadings({ proxyType, first, second }: TypeReading): Found[] {
  if (first === undefined) return [];
  const troubles = [...findTroubles(first), ...findTroubles(second)];
  const again = idsOf(second);
  if (troubles.length === 0 && !isDeepStrictEqual(idsOf(first).slice(0, again.length), again)) {
    troubles.push(
      "two readings, one right after the other, gave different proxies or another order",
    );
  }
  return [...new Set(troubles)].map((trouble) => ({
    about: "paging",
    mark: "look",
    text: `The listing of ${proxyType}: ${trouble}.`,
    todo: "Run doctor again when nothing is bought, delivered or ending. If it stays so, the provider can't rely on the listing.",
  }));
}

/** Why a reading can't be the whole listing. */
function findTroubles({ records, isWhole, total, totalPages, pageLengths }: Reading): string[] {
  const different = new Set(records.map(({ ipAddressId }) => ipAddressId)).size;
  const [length = 0] = pageLengths;
  const pages = length === 0 ? 0 : Math.ceil(total / length);
  return [
    ...(records.length === total || !isWhole
      ? []
      : [`it promised ${total} records and gave ${records.length}`]),
    ...(different === records.length ? [] : ["a proxy is listed twice"]),
    ...(totalPages === pages
      ? []
      : [
          `it promised ${countOf(totalPages, "page")} where ${total} records in pages of ${length} need ${pages}`,
        ]),
    ...(isGrouped(records.map(({ orderId }) => orderId))
      ? []
      : ["records are not grouped by order, as the document says"]),
  ];
}

/** Whether equal ones stand together. */
function isGrouped(orderIds: readonly string[]): boolean {
  const starts = orderIds.filter((id, index) => id !== orderIds[index - 1]);
  return starts.length === new Set(starts).size;
}

function idsOf({ records }: Reading): string[] {
  return records.map(({ ipAddressId }) => ipAddressId);
}
