/** @import { Movement } from "./movements.js" */

/** Nearer than this, two marks cover each other. */
const markPx = 10;

/** @typedef {{ x: number, y: number, atMs: number, movement: Movement }} PlacedMovement */

/**
 * The movements whose marks would cover each other, together, in their order. One that stands alone is a group too.
 * @param {readonly PlacedMovement[]} placed
 * @param {number} [pixels] of the canvas in one of the page
 * @returns {PlacedMovement[][]}
 */
export function groupMarks(placed, pixels = 1) {
  /** @type {PlacedMovement[][]} */
  const groups = [];
  for (const one of placed) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first && Math.hypot(one.x - first.x, one.y - first.y) < markPx * pixels) {
      group.push(one);
    } else {
      groups.push([one]);
    }
  }
  return groups;
}
