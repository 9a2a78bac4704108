import { countOf } from "./amounts.js";
import { read } from "./control-api.js";
import { find, setText } from "./elements.js";
import { makeRequestRow } from "./request-row.js";
import { keepRows } from "./rows.js";

/** @import { RequestSummary } from "./answers.d.ts" */

/** As many as the simulator keeps with their bodies. */
const mostShown = 200;
/** All that the simulator remembers. */
const mostRemembered = 10_000;

const table = find("requests", HTMLTableElement);
const summary = find("request-count", HTMLElement);
const empty = find("no-requests", HTMLElement);
const showRows = keepRows(table, keyOf, makeRequestRow);

/** Oldest first. @type {RequestSummary[]} */
let held = [];

/** @typedef {{ counts: Record<string, number>, requests: RequestSummary[] }} RequestsAnswer */

/** Starts again: after a restart, numbers mean other requests. */
export function forgetRequests() {
  held = [];
}

/** Fetches new requests, and those that had not ended before. Tells how often each endpoint was called. */
export async function refreshRequests() {
  const newest = held.at(-1)?.number;
  const waiting = held.filter(({ tookMs }) => tookMs === null).map(({ number }) => number);
  /** @type {[RequestsAnswer, RequestsAnswer | null]} */
  const [{ counts, requests }, ended] = await Promise.all([
    read(newest === undefined ? `/requests?limit=${mostShown}` : pathFrom(newest)),
    waiting.length === 0 ? null : read(`/requests?numbers=${waiting}&limit=${mostShown}`),
  ]);
  // The newest one is asked for again. If it is gone, all requests were forgotten meanwhile.
  const isSame = newest === undefined || requests[0]?.number === newest;
  held = merge(isSame ? held : [], [...(ended?.requests ?? []), ...requests]).slice(-mostShown);
  show(counts);
  return counts;
}

/**
 * The endpoint and the account of a call may become known only after it was first seen. @param {RequestSummary}
 * request
 */
function keyOf({ number, endpoint, account }) {
  return `${number} ${endpoint} ${account}`;
}

/** @param {number} newest */
function pathFrom(newest) {
  return `/requests?after=${newest - 1}&limit=${mostRemembered}`;
}

/**
 * A request that has ended stays as it is. @param {readonly RequestSummary[]} known @param {readonly
 * RequestSummary[]} news
 */
function merge(known, news) {
  const ended = known.filter(({ tookMs }) => tookMs !== null);
  const byNumber = new Map([...news, ...ended].map((request) => [request.number, request]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}

/** @param {Record<string, number>} counts */
function show(counts) {
  showRows(held.toReversed());
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  setText(summary, countOf(total, "call"));
  empty.hidden = held.length > 0;
  table.hidden = held.length === 0;
}
