import uPlot from "/assets/uplot.js";
import { formatAmount } from "./amounts.js";
import { chooseAxis } from "./balance-axis.js";
import { drawBalanceLine } from "./balance-line.js";
import { showBalanceTip } from "./balance-tip.js";
import { find, setText } from "./elements.js";
import { groupMarks } from "./mark-groups.js";
import { drawGroup, drawMark, makeLegend } from "./movement-marks.js";

/** @import { BalanceStep } from "./balance-line.js" */
/** @import { PlacedMovement } from "./mark-groups.js" */
/** @import { Movement } from "./movements.js" */

const heightPx = 220;
const font = "12px system-ui, sans-serif";
/** How near to a mark a click must be. */
const reachPx = 12;
/** How much time is shown beside an enlarged group, as a share of its own. */
const besideShare = 0.15;

const place = find("balance-chart", HTMLElement);
const wholeTime = find("whole-time", HTMLButtonElement);
const axisNote = find("axis-note", HTMLElement);
find("legend", HTMLElement).append(...makeLegend());

/** @type {BalanceStep[]} */
let steps = [];
/** Movements whose marks are one. @type {PlacedMovement[][]} */
let groups = [];
/** Whether somebody has drawn a box around a part. The part stays while time goes on. */
let isZoomed = false;

const chart = new uPlot(
  {
    width: place.clientWidth,
    height: heightPx,
    padding: [12, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    scales: { y: { range: (_plot, least, most) => chooseAxis(least, most) } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    axes: [makeAxis({ values: timeLabels() }), makeAxis({ values: labelAmounts, size: 66 })],
    series: [
      {},
      {
        stroke: () => readColor("--line"),
        // Filled down to another value than 0, an area would mean nothing.
        fill: (plot) => (plot.scales.y?.min === 0 ? readColor("--line-fill") : "transparent"),
        width: 1.5,
        ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
        points: { show: false },
      },
    ],
    hooks: {
      draw: [drawMarks],
      setCursor: [(plot) => showBalanceTip(plot, steps)],
      setSelect: [(plot) => setZoomed(plot.select.width > 0)],
      setScale: [(plot, name) => name === "y" && tellAxis(plot)],
    },
  },
  [[], []],
  place,
);

chart.over.addEventListener("dblclick", () => setZoomed(false));
chart.over.addEventListener("click", ({ offsetX, offsetY }) => enlarge(offsetX, offsetY));
wholeTime.addEventListener("click", () => {
  setZoomed(false);
  chart.setData(chart.data);
});
new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: heightPx })).observe(
  place,
);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw(false));

/** @param {string} opening @param {readonly Movement[]} movements @param {string} now @param {string} currency */
export function showBalanceChart(opening, movements, now, currency) {
  steps = drawBalanceLine(opening, movements, Date.parse(now));
  chart.setData(
    [steps.map(({ atMs }) => atMs / 1000), steps.map(({ balance }) => balance)],
    !isZoomed,
  );
  if (isZoomed) chart.redraw();
  const last = movements.at(-1)?.balanceAfter ?? opening;
  place.ariaLabel = `Balance over time: from ${formatAmount(opening)} to ${formatAmount(last)} ${currency}`;
}

/** @param {boolean} zoomed */
function setZoomed(zoomed) {
  isZoomed = zoomed;
  wholeTime.hidden = !zoomed;
}

/** @param {uPlot} plot */
function tellAxis(plot) {
  const start = plot.scales.y?.min ?? 0;
  setText(axisNote, start === 0 ? "" : `Axis begins at ${formatAmount(String(start))}, not 0`);
}

/** @param {uPlot} plot */
function drawMarks(plot) {
  const scale = uPlot.pxRatio;
  const rim = readColor("--panel");
  groups = groupMarks(placeMovements(plot), scale);
  for (const group of groups) {
    const last = group.at(-1);
    if (last === undefined) continue;
    const { x, y, movement } = last;
    const color = readColor(group.length > 1 ? "--text" : `--${movement.kind}`);
    const how = { x, y, scale, color, rim };
    if (group.length > 1) drawGroup(plot.ctx, group.length, how);
    else drawMark(plot.ctx, movement.kind, how);
  }
}

/** Each at the balance that it has left, so that those of one moment are apart too. @param {uPlot} plot */
function placeMovements(plot) {
  const { left, top, width, height } = plot.bbox;
  return steps
    .flatMap(({ atMs, movements }) =>
      movements.map((movement) => ({
        x: Math.round(plot.valToPos(atMs / 1000, "x", true)),
        y: Math.round(plot.valToPos(Number(movement.balanceAfter), "y", true)),
        atMs,
        movement,
      })),
    )
    .filter(({ x, y }) => x >= left && x <= left + width && y >= top && y <= top + height);
}

/** Shows the time of a group alone, if its movements have times of their own. @param {number} left @param {number} top */
function enlarge(left, top) {
  const { bbox } = chart;
  const [x, y] = [left * uPlot.pxRatio + bbox.left, top * uPlot.pxRatio + bbox.top];
  const group = groups.find((placed) => {
    const last = placed.at(-1);
    return last && Math.hypot(last.x - x, last.y - y) < reachPx * uPlot.pxRatio;
  });
  const [fromMs = 0, toMs = 0] = [group?.[0]?.atMs, group?.at(-1)?.atMs];
  if (fromMs === toMs) return;
  const besideMs = (toMs - fromMs) * besideShare;
  setZoomed(true);
  chart.setScale("x", { min: (fromMs - besideMs) / 1000, max: (toMs + besideMs) / 1000 });
}

/** @param {Partial<uPlot.Axis>} rest @returns {uPlot.Axis} */
function makeAxis(rest) {
  return {
    font,
    stroke: () => readColor("--muted"),
    grid: { stroke: () => readColor("--grid"), width: 1 },
    ticks: { show: false },
    ...rest,
  };
}

/**
 * By the distance of two labels in seconds. What changes less often is in a second line. @returns {uPlot.Axis.Values}
 */
function timeLabels() {
  const dayS = 86_400;
  const day = "\n{D} {MMM} {YYYY}";
  /** @param {number} seconds @param {string} label @param {string | null} [year] @param {string | null} [newDay] */
  const row = (seconds, label, year = null, newDay = null) => [
    ...[seconds, label, year, null, newDay, null, null, null, 1],
  ];
  return /** @type {uPlot.Axis.Values} */ ([
    row(365 * dayS, "{YYYY}"),
    row(28 * dayS, "{MMM}", "\n{YYYY}"),
    row(dayS, "{D} {MMM}", "\n{YYYY}"),
    row(60, "{HH}:{mm}", day, day),
    row(1, "{HH}:{mm}:{ss}", day, day),
    row(0.001, ":{ss}.{fff}", day, day),
  ]);
}

/** @param {uPlot} _plot @param {number[]} splits */
function labelAmounts(_plot, splits) {
  return splits.map((split) => formatAmount(String(split)));
}

/** @param {string} name */
function readColor(name) {
  return getComputedStyle(place).getPropertyValue(name);
}
