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
const choice = find("all-requests-choice", HTMLElement);
const all = find("all-requests", HTMLInputElement);
const showRows = keepRows(table, keyOf, makeRequestRow);

/** Oldest first. @type {RequestSummary[]} */
let held = [];
/** Whose requests are held; all if empty. */
let heldOf = "";

/** @typedef {{ counts: Record<string, number>, total: number, first: number, requests: RequestSummary[] }} RequestsAnswer */

/** Starts again: after a restart, numbers mean other requests. */
export function forgetRequests() {
  held = [];
}

/** @param {() => void} refreshSoon */
export function offerAllRequests(refreshSoon) {
  all.addEventListener("change", refreshSoon);
}

/**
 * Fetches new requests of the account, and those that had not ended before. Tells how often each endpoint was called.
 * @param {string} account
 * @param {number} accountCount
 */
export async function refreshRequests(account, accountCount) {
  choice.hidden = accountCount < 2;
  follow(all.checked && accountCount > 1 ? "" : account);
  const whose = heldOf;
  const newest = held.at(-1)?.number;
  const waiting = held.filter(({ tookMs }) => tookMs === null).map(({ number }) => number);
  const [answer, again] = await Promise.all([
    ask(newest === undefined ? { limit: mostShown } : { after: newest, limit: mostRemembered }),
    waiting.length === 0 ? null : ask({ numbers: `${waiting}`, limit: mostShown }),
  ]);
  // Somebody has chosen another account meanwhile.
  if (whose !== heldOf) return answer.counts;
  const ended = held.filter(({ number, tookMs }) => tookMs !== null && number >= answer.first);
  held = merge([...ended, ...(again?.requests ?? []), ...answer.requests]).slice(-mostShown);
  show(answer.total);
  return answer.counts;
}

/** @param {string} whose */
function follow(whose) {
  if (whose !== heldOf) held = [];
  heldOf = whose;
  table.classList.toggle("of-all", whose === "");
}

/** @param {Record<string, string | number>} window @returns {Promise<RequestsAnswer>} */
function ask(window) {
  const wanted = { ...window, ...(heldOf === "" ? {} : { account: heldOf }) };
  const query = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
  return read(`/requests?${query.join("&")}`);
}

/**
 * The endpoint and the account of a call may become known only after it was first seen. @param {RequestSummary}
 * request
 */
function keyOf({ number, endpoint, account }) {
  return `${number} ${endpoint} ${account}`;
}

/** @param {readonly RequestSummary[]} requests */
function merge(requests) {
  const byNumber = new Map(requests.map((request) => [request.number, request]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}

/** @param {number} total */
function show(total) {
  showRows(held.toReversed());
  const calls = countOf(total, "call");
  setText(summary, held.length < total ? `latest ${held.length} of ${calls}` : calls);
  empty.hidden = held.length > 0;
  table.hidden = held.length === 0;
}
