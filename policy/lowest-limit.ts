/** A limit and where it stands in the config. */
export interface Limit {
  key: string;
  amount: number;
}

/** The limits for a key. While the key is not known, any of the limits may be the one. */
export function limitsFor(
  key: string,
  limits: Readonly<Record<string, number>>,
  wanted: string | undefined,
): Limit[] {
  return Object.entries(limits)
    .filter(([name]) => wanted === undefined || name === wanted)
    .map(([name, amount]) => ({ key: `${key}.${name}`, amount }));
}

/** The lowest limit, which holds; undefined if there is none. */
export function findLowest(limits: readonly Limit[]): Limit | undefined {
  return limits.toSorted((a, b) => a.amount - b.amount)[0];
}
