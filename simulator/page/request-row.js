import { element, setText } from "./elements.js";
import { makeOpener } from "./opener.js";
import { formatSecond, makeTimeCell } from "./times.js";

/** @import { RequestSummary } from "./answers.d.ts" */

/** The calls that are charged. @type {ReadonlySet<string | undefined>} */
const paidEndpoints = new Set(["createOrder", "extend"]);

/**
 * One request: a line, and below it what was sent and what the service answered, when somebody opens it.
 * @param {RequestSummary} request
 */
export function makeRequestRow({ at, method, endpoint, path, account }) {
  const status = element("td");
  const took = element("td", { className: "number" });
  /** @type {RequestSummary} */
  let latest;
  const label = [method, " ", endpoint ?? element("code", {}, path)];
  const { button, details, refill } = makeOpener(label, 5, () => describe(latest));
  const row = element(
    "tbody",
    {},
    element(
      "tr",
      { className: paidEndpoints.has(endpoint) ? "paid" : "" },
      makeTimeCell(formatSecond(at)),
      element("th", { scope: "row" }, button, ...tellKind(endpoint, account)),
      element("td", { className: "account" }, account ?? "nobody"),
      status,
      took,
    ),
    details,
  );
  return {
    element: row,
    /** @param {RequestSummary} request */
    update(request) {
      // Each fetch makes new objects. An object that is kept has not changed.
      if (request === latest) return;
      latest = request;
      const { tookMs } = request;
      status.replaceChildren(...showOutcome(request));
      setText(took, tookMs === null ? "…" : tookMs.toFixed(tookMs < 10 ? 1 : 0));
      refill();
    },
  };
}

/** @param {string | undefined} endpoint @param {string | undefined} account */
function tellKind(endpoint, account) {
  const isPaid = paidEndpoints.has(endpoint);
  return [
    ...(isPaid ? [" ", element("span", { className: "price" }, "paid call")] : []),
    ...(account === undefined
      ? [" ", element("span", { className: "struck" }, nobody(endpoint))]
      : []),
  ];
}

/** Whose call it is, if it is nobody's. @param {string | undefined} endpoint */
function nobody(endpoint) {
  return endpoint === undefined ? "unknown path" : "unknown key";
}

/** @param {RequestSummary} request */
function showOutcome(request) {
  return [
    element("span", { className: isRefused(request) ? "refused" : "" }, tellStatus(request)),
    ...request.faults.flatMap((kind) => [" ", element("span", { className: "struck" }, kind)]),
  ];
}

/** @param {RequestSummary} request */
function tellStatus({ status, tookMs, answer }) {
  if (tookMs === null) return "under way";
  if (status === undefined) return "no answer";
  const code = readRefusal(answer);
  return code === undefined ? `${status}` : `${status} code ${code}`;
}

/** @param {RequestSummary} request */
function isRefused({ status = 0, answer, tookMs }) {
  return tookMs !== null && (status !== 200 || readRefusal(answer) !== undefined);
}

/** The service answers 200 to a refusal too. @param {unknown} answer */
function readRefusal(answer) {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  const { error } = answer;
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return Number(error.code);
}

/** @param {RequestSummary} request */
function describe({ path, endpoint, proxyType, account, body, answer }) {
  const query = proxyType ? `?proxyType=${proxyType}` : "";
  return [
    element("p", {}, element("code", {}, path + query)),
    element(
      "p",
      {},
      account === undefined ? `Nobody's: ${nobody(endpoint)}` : `Account ${account}`,
    ),
    ...showJson("Body", body),
    ...showJson("What the service answered", answer),
  ];
}

/** @param {string} title @param {unknown} value */
function showJson(title, value) {
  if (value === undefined) return [];
  return [
    element("h3", {}, title),
    element("pre", { tabIndex: 0 }, JSON.stringify(value, null, 2)),
  ];
}
