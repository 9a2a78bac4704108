/** Undefined if there are no values, or if one of them is not known. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (known.length < values.length) return undefined;
  const middle = (known.length - 1) / 2;
  const [lower, upper] = [known[Math.floor(middle)], known[Math.ceil(middle)]];
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2;
}
