import { z } from "zod";
import type { ProxyRecord, ProxyType, ServiceError } from "../../provider/client/index.ts";
import type { Exchange, RawCaller } from "./raw-calls.ts";

/** Page sizes to ask for, the largest first: one that is refused is followed by the next. */
const SIZES = [1000, 500, 100, 50, 25, 10];

/** Of a listing in many pages the first ones are read again. */
const MAX_PAGES_AGAIN = 20;

/** One reading of all that the account holds of a type. */
export interface Reading {
  /** The page size that was asked for. */
  size: number;
  /** How many records each page had. */
  pageLengths: number[];
  /** How many records and pages the first page promised. */
  total: number;
  totalPages: number;
  /** Whether all pages were asked for. */
  isWhole: boolean;
  records: ProxyRecord[];
  /** The same records as they came. */
  raw: unknown[];
}

/** What the account holds of a type, read twice in different pages where that is possible. */
export type TypeReading = { proxyType: ProxyType } & (
  | { first: Reading; second: Reading; error?: never }
  | { first?: never; second?: never; error: ServiceError }
);

/** Reads the listing of a type twice. */
export async function readTwice(calls: RawCaller, proxyType: ProxyType): Promise<TypeReading> {
  const first = await readLargest(calls, proxyType);
  if ("error" in first) return { proxyType, error: first.error };
  const second = await readAll(calls, proxyType, otherSize(first.reading), MAX_PAGES_AGAIN);
  if ("error" in second) return { proxyType, error: second.error };
  return { proxyType, first: first.reading, second: second.reading };
}

/** How many records one page may have, as far as this reading shows it: fewer came than were asked for and were there. */
export function findCap({ size, pageLengths: [first = 0], total }: Reading): number | undefined {
  return first < size && first < total ? first : undefined;
}

type Attempt = { reading: Reading } | { error: ServiceError };

async function readLargest(calls: RawCaller, proxyType: ProxyType): Promise<Attempt> {
  let attempt = await readAll(calls, proxyType, SIZES[0] ?? 1);
  for (const size of SIZES.slice(1)) {
    if (!("error" in attempt) || attempt.error.code !== "SERVICE_REFUSED") break;
    attempt = await readAll(calls, proxyType, size);
  }
  return attempt;
}

/** What came in one page is asked for in two. */
function otherSize({ size, records, pageLengths }: Reading): number {
  return pageLengths.length > 1 || records.length < 2 ? size : Math.ceil(records.length / 2);
}

async function readAll(
  calls: RawCaller,
  proxyType: ProxyType,
  size: number,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<Attempt> {
  const ask = (page: number) =>
    calls.ask("listProxies", { proxyType, body: { proxyType, page, size } });
  const first = await ask(0);
  if (first.error) return { error: first.error };
  const { totalElements: total, totalPages, content } = first.answer;
  const reading: Reading = {
    size,
    isWhole: true,
    total,
    totalPages,
    pageLengths: [],
    records: [],
    raw: [],
  };
  add(reading, first);
  // As many pages as there must be, whatever the service says how many there are.
  const pages = Math.max(totalPages, Math.ceil(total / Math.max(1, content.length)));
  reading.isWhole = pages <= maxPages;
  for (let page = 1; page < Math.min(pages, maxPages) && reading.records.length < total; page++) {
    const next = await ask(page);
    if (next.error) return { error: next.error };
    add(reading, next);
  }
  return { reading };
}

const rawPage = z.object({ data: z.object({ content: z.array(z.unknown()) }) });

function add(reading: Reading, { answer, body }: Exchange<"listProxies">): void {
  if (answer === undefined) return;
  reading.pageLengths.push(answer.content.length);
  reading.records.push(...answer.content);
  reading.raw.push(...rawPage.parse(body).data.content);
}
