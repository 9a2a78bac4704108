import { element } from "./elements.js";
import { movementNames } from "./movements.js";

/** @import { MovementKind } from "./movements.js" */

/** They differ in shape as well as in colour. @type {Record<MovementKind, string>} */
const shapes = {
  order: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
  extension: "M-3.6-3.6h7.2v7.2h-7.2z",
  automatic: "M0-5L5 0L0 5L-5 0z",
  foreign: "M0-4.8L5 4h-10z",
  payment: "M-1.4-5h2.8v3.6h3.6v2.8h-3.6v3.6h-2.8v-3.6h-3.6v-2.8h3.6z",
};

const paths = new Map(
  Object.entries(shapes).map(([kind, shape]) => /** @type {const} */ ([kind, new Path2D(shape)])),
);

/** The mark as a piece of the page. @param {MovementKind} kind */
export function makeMark(kind) {
  const svgNames = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(svgNames, "svg");
  picture.setAttribute("viewBox", "-6 -6 12 12");
  picture.setAttribute("class", `mark ${kind}`);
  picture.ariaHidden = "true";
  const shape = document.createElementNS(svgNames, "path");
  shape.setAttribute("d", shapes[kind]);
  picture.append(shape);
  return picture;
}

/** The legend of the marks. */
export function makeLegend() {
  return [
    ...Object.entries(movementNames).map(([kind, name]) =>
      element("li", {}, makeMark(/** @type {MovementKind} */ (kind)), name),
    ),
    element("li", {}, element("span", { className: "several" }, "2"), "several: click to enlarge"),
  ];
}

/** @typedef {{ x: number, y: number, scale: number, color: string, rim: string }} MarkStyle */

/**
 * The mark of several movements: their number.
 * @param {CanvasRenderingContext2D} context
 * @param {number} count
 * @param {MarkStyle} how
 */
export function drawGroup(context, count, { x, y, scale, color, rim }) {
  const label = String(count);
  context.save();
  context.translate(x, y);
  context.scale(scale, scale);
  const width = 11 + 6 * label.length;
  context.beginPath();
  context.roundRect(-width / 2, -8, width, 16, 8);
  context.lineWidth = 2.5;
  context.strokeStyle = rim;
  context.stroke();
  context.fillStyle = color;
  context.fill();
  context.fillStyle = rim;
  context.font = "600 11px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(label, 0, 0.5);
  context.restore();
}

/**
 * The mark on a canvas, with a rim that separates it from the line.
 * @param {CanvasRenderingContext2D} context
 * @param {MovementKind} kind
 * @param {MarkStyle} how
 */
export function drawMark(context, kind, { x, y, scale, color, rim }) {
  const path = paths.get(kind);
  if (path === undefined) return;
  context.save();
  context.translate(x, y);
  context.scale(scale, scale);
  context.lineWidth = 2.5;
  context.strokeStyle = rim;
  context.stroke(path);
  context.fillStyle = color;
  context.fill(path);
  context.restore();
}
