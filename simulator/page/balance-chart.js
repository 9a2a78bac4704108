import uPlot from "/assets/uplot.js";
import { formatAmount } from "./amounts.js";
import { drawBalanceLine } from "./balance-line.js";
import { showBalanceTip } from "./balance-tip.js";
import { find } from "./elements.js";
import { drawMark, makeLegend } from "./movement-marks.js";

/** @import { BalanceStep } from "./balance-line.js" */
/** @import { Movement } from "./movements.js" */

const heightPx = 220;
const font = "12px system-ui, sans-serif";

const place = find("balance-chart", HTMLElement);
const wholeTime = find("whole-time", HTMLButtonElement);
find("legend", HTMLElement).append(...makeLegend());

/** @type {BalanceStep[]} */
let steps = [];
/** Whether somebody has drawn a box around a part. The part stays while time goes on. */
let isZoomed = false;

const chart = new uPlot(
  {
    width: place.clientWidth,
    height: heightPx,
    padding: [12, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    axes: [makeAxis({ values: timeLabels() }), makeAxis({ values: labelAmounts, size: 66 })],
    series: [
      {},
      {
        stroke: () => readColor("--line"),
        fill: () => readColor("--line-fill"),
        width: 1.5,
        ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
        points: { show: false },
      },
    ],
    hooks: {
      draw: [drawMarks],
      setCursor: [(plot) => showBalanceTip(plot, steps)],
      setSelect: [(plot) => setZoomed(plot.select.width > 0)],
    },
  },
  [[], []],
  place,
);

chart.over.addEventListener("dblclick", () => setZoomed(false));
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
function drawMarks(plot) {
  const { left, top, width, height } = plot.bbox;
  const rim = readColor("--panel");
  const drawn = new Set();
  for (const { atMs, balance, movements } of steps) {
    const x = Math.round(plot.valToPos(atMs / 1000, "x", true));
    const y = Math.round(plot.valToPos(balance, "y", true));
    if (x < left || x > left + width || y < top || y > top + height) continue;
    for (const { kind } of movements) {
      // Thousands at one place look like one.
      const spot = `${kind} ${x} ${y}`;
      if (drawn.has(spot)) continue;
      drawn.add(spot);
      drawMark(plot.ctx, kind, { x, y, scale: uPlot.pxRatio, color: readColor(`--${kind}`), rim });
    }
  }
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
