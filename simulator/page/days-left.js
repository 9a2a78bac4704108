import { setText } from "./elements.js";
import { countDaysLeft } from "./times.js";

const fewDays = 3;

/**
 * By the service's clock. What ends soon is marked.
 * @param {HTMLElement} cell
 * @param {string | null} endsAt null if nothing lives any more
 * @param {string} now
 */
export function showDaysLeft(cell, endsAt, now) {
  const days = endsAt === null ? 0 : countDaysLeft(endsAt, now);
  const hasEnded = endsAt === null || Date.parse(endsAt) <= Date.parse(now);
  setText(cell, hasEnded ? "ended" : days.toFixed(1));
  cell.classList.toggle("soon", !hasEnded && days < fewDays);
  cell.classList.toggle("quiet", hasEnded);
}
