/** From which share of the highest balance on the lowest one is told apart also with an axis that begins at 0. */
const flatFrom = 0.5;
/** The room above and below a line that does not begin at 0, as a share of its height. */
const roomShare = 0.15;

/**
 * Where the axis of the balance begins and ends. It begins at 0 unless the line would be nearly flat.
 * @param {number | null} least the lowest balance that is shown; null if none is
 * @param {number | null} most
 * @returns {[number, number]}
 */
export function chooseAxis(least, most) {
  const top = most ?? 0;
  const bottom = least ?? 0;
  const spread = top - bottom;
  if (bottom < 0) return [bottom - spread * roomShare, Math.max(0, top + spread * roomShare)];
  if (spread === 0 || bottom < top * flatFrom) return [0, top * (1 + roomShare) || 1];
  const unit = 10 ** Math.floor(Math.log10(spread));
  const start = Math.floor((bottom - spread * roomShare) / unit) * unit;
  return [Math.max(0, start), top + spread * roomShare];
}
