/** @import { Movement } from "./movements.js" */

const dayMs = 86_400_000;
/** How much of the line comes before the first movement. */
const leadShare = 0.04;

/**
 * A moment at which the balance moved, as far as a clock can tell moments apart.
 * @typedef {object} BalanceStep
 * @property {number} atMs
 * @property {number} balance after all of them
 * @property {readonly Movement[]} movements none at both ends of the line
 */

/**
 * The balance over the service's time, up to now. The account does not say when it began, so the line begins a little
 * before the first movement.
 * @param {string} opening
 * @param {readonly Movement[]} movements
 * @param {number} nowMs
 * @returns {BalanceStep[]}
 */
export function drawBalanceLine(opening, movements, nowMs) {
  const steps = [...groupByMoment(movements)].map(([atMs, together]) => ({
    atMs,
    balance: Number(together.at(-1)?.balanceAfter),
    movements: together,
  }));
  const firstMs = steps[0]?.atMs ?? nowMs;
  const leadMs = (nowMs - firstMs) * leadShare || dayMs;
  const [start, end] = [firstMs - leadMs, Math.max(nowMs, (steps.at(-1)?.atMs ?? 0) + 1)];
  return [
    { atMs: start, balance: Number(opening), movements: [] },
    ...steps,
    { atMs: end, balance: steps.at(-1)?.balance ?? Number(opening), movements: [] },
  ];
}

/** @param {readonly Movement[]} movements */
function groupByMoment(movements) {
  return Map.groupBy(movements, ({ at }) => Date.parse(at));
}
