/**
 * A decimal of the control API with its thousands separated. It stays a text, so that no cent is lost.
 * @param {string} decimal
 */
export function formatAmount(decimal) {
  return decimal.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",").replace("-", "−");
}

/** Whole cents, in which sums are exact. @param {string} decimal */
export function toCents(decimal) {
  return Math.round(Number(decimal) * 100);
}

/** @param {number} count @param {string} one @param {string} many */
export function countOf(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
