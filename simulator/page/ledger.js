import { countOf, formatAmount } from "./amounts.js";
import { element, find, setText } from "./elements.js";
import { makeMark } from "./movement-marks.js";
import { describeItem, movementNames } from "./movements.js";
import { keepReachable } from "./reachable.js";
import { keepRows } from "./rows.js";
import { formatSecond, makeTimeCell } from "./times.js";

/** @import { Movement } from "./movements.js" */

const latestCount = 50;

const body = find("ledger-rows", HTMLElement);
const summary = find("ledger-count", HTMLElement);
const showAll = find("ledger-all", HTMLButtonElement);
const empty = find("no-movements", HTMLElement);
const showRows = keepRows(body, keyOf, makeRow);

const table = find("ledger", HTMLTableElement);
if (table.parentElement) keepReachable(table.parentElement, table);

/** @type {readonly Movement[]} */
let movements = [];
let isComplete = false;

showAll.addEventListener("click", () => {
  isComplete = !isComplete;
  show();
});

/** The newest first. @param {readonly Movement[]} listed */
export function showLedger(listed) {
  movements = listed;
  show();
}

function show() {
  const shown = isComplete ? movements : movements.slice(-latestCount);
  showRows(shown.toReversed());
  setText(
    summary,
    shown.length < movements.length
      ? `latest ${shown.length} of ${countOf(movements.length, "movement")}`
      : countOf(movements.length, "movement"),
  );
  empty.hidden = movements.length > 0;
  showAll.hidden = movements.length <= latestCount;
  setText(showAll, isComplete ? `Show latest ${latestCount}` : "Show all");
}

/** A movement never changes after it was written down. @param {Movement} movement */
function keyOf({ number, at, kind, balanceAfter, charge }) {
  return [number, at, kind, balanceAfter, charge?.orderNumber].join(" ");
}

/** @param {Movement} movement */
function makeRow({ kind, at, cents, balanceAfter, charge }) {
  const row = element(
    "tr",
    {},
    makeTimeCell(formatSecond(at)),
    element(
      "td",
      {},
      makeMark(kind),
      charge ? `${movementNames[kind]} ${charge.orderNumber}` : movementNames[kind],
      ...(charge ? [" ", element("small", {}, describeItem(charge))] : []),
    ),
    element("td", { className: "number" }, formatAmount((cents / 100).toFixed(2))),
    element("td", { className: "number" }, formatAmount(balanceAfter)),
  );
  return { element: row, update: () => {} };
}
