import { countOf, formatAmount } from "./amounts.js";
import { element, find } from "./elements.js";
import { makeMark } from "./movement-marks.js";
import { describeItem, movementNames } from "./movements.js";
import { formatMinute, formatTime } from "./times.js";

/** @import uPlot from "/assets/uplot.js" */
/** @import { BalanceStep } from "./balance-line.js" */
/** @import { Movement } from "./movements.js" */

/** How near to the cursor a movement must be. */
const reachPx = 8;
const mostLines = 5;
const distancePx = 14;

const tip = find("balance-tip", HTMLElement);

/** What was charged where the cursor is. @param {uPlot} plot @param {readonly BalanceStep[]} steps */
export function showBalanceTip(plot, steps) {
  const { left = -1 } = plot.cursor;
  const balance = left < 0 ? undefined : findBalance(plot, steps, left);
  tip.hidden = balance === undefined;
  if (balance === undefined) return;
  const [fromMs, toMs] = [left - reachPx, left + reachPx].map((px) => toMoment(plot, px));
  const near = steps
    .filter(({ atMs }) => atMs >= Number(fromMs) && atMs <= Number(toMs))
    .flatMap(({ movements }) => movements);
  const at = near.at(-1)?.at ?? new Date(toMoment(plot, left)).toISOString();
  tip.replaceChildren(
    element(
      "p",
      {},
      formatMinute(at),
      element("b", {}, formatAmount(near.at(-1)?.balanceAfter ?? balance)),
    ),
    ...near.slice(-mostLines).map((movement) => makeLine(movement, near.length > 1)),
    ...(near.length > mostLines ? [makeRest(near.slice(0, -mostLines))] : []),
  );
  placeTip(plot, left, plot.valToPos(Number(balance), "y"));
}

/** @param {uPlot} plot @param {readonly BalanceStep[]} steps @param {number} left */
function findBalance(plot, steps, left) {
  const moment = toMoment(plot, left);
  return steps.findLast(({ atMs }) => atMs <= moment)?.balance.toFixed(2);
}

/** Several have their times, which tell them apart. @param {Movement} movement @param {boolean} isTimed */
function makeLine({ kind, cents, charge, at }, isTimed) {
  const details = [...(isTimed ? [formatTime(at)] : []), ...(charge ? [describeItem(charge)] : [])];
  return element(
    "p",
    {},
    makeMark(kind),
    charge ? `${movementNames[kind]} ${charge.orderNumber}` : movementNames[kind],
    element("b", {}, formatAmount((cents / 100).toFixed(2))),
    ...(details.length > 0 ? [element("small", {}, details.join(" · "))] : []),
  );
}

/** @param {readonly Movement[]} movements */
function makeRest(movements) {
  const cents = movements.reduce((sum, movement) => sum + movement.cents, 0);
  return element(
    "p",
    {},
    `and ${countOf(movements.length, "more")}`,
    element("b", {}, formatAmount((cents / 100).toFixed(2))),
  );
}

/** Puts it where it covers least of the line. @param {uPlot} plot @param {number} left @param {number} top */
function placeTip(plot, left, top) {
  const isRight = left > plot.over.clientWidth / 2;
  const cursorPx = plot.over.offsetLeft + left;
  const room = plot.root.clientWidth;
  tip.classList.toggle("low", top < plot.over.clientHeight / 2);
  tip.style.left = isRight ? "auto" : `${cursorPx + distancePx}px`;
  tip.style.right = isRight ? `${room - cursorPx + distancePx}px` : "auto";
}

/** @param {uPlot} plot @param {number} leftPx */
function toMoment(plot, leftPx) {
  return plot.posToVal(leftPx, "x") * 1000;
}
