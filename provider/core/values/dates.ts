/** Milliseconds of a day. */
export const DAY_MS: number = 24 * 60 * 60 * 1000;

/** Whose clock is wrong by some hours need not be asked. What is further off may be anything. */
export const MOST_APART_MS: number = 24 * 60 * 60 * 1000;

/** Something that is paid until an end, which the service may not have told yet. ISO 8601 with offset. */
export interface Ending {
  dateEnd?: string | undefined;
}

/** Whether the end has passed, by the service's own clock. Without that clock, or without an end, nothing has ended. */
export function hasEnded({ dateEnd }: Ending, asOf: Date | undefined): boolean {
  if (asOf === undefined || dateEnd === undefined) return false;
  return Date.parse(dateEnd) <= asOf.getTime();
}

/** The end as a number to sort by. What has no end yet comes last. Never infinite, because differences are sorted. */
export function endOf({ dateEnd }: Ending): number {
  return dateEnd === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(dateEnd);
}

/** The first moment at which one of these is no longer paid; undefined while none is known. */
export function findEarliestEnd(things: readonly Ending[]): string | undefined {
  return things.toSorted((a, b) => endOf(a) - endOf(b))[0]?.dateEnd;
}

/** The last moment at which one of these is paid; undefined while it is not known of all. */
export function findLatestEnd(things: readonly Ending[]): string | undefined {
  return things.toSorted((a, b) => endOf(b) - endOf(a))[0]?.dateEnd;
}

/** The later of two ends. If only one is told, that one. */
export function laterEnd(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(b) > Date.parse(a) ? b : a;
}

/** The service may tell one end with and without seconds. */
const SAME_END_MS = 60_000;

/** Whether two ends are one, as far as the service tells it. One that is not told is the same as one that is not told. */
export function isSameEnd({ dateEnd: a }: Ending, { dateEnd: b }: Ending): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(Date.parse(a) - Date.parse(b)) <= SAME_END_MS;
}

/** Whether a listed end is before the recorded one. No end moves backwards, so this is a doubt. */
export function isBackwards(listed: Ending, recorded: Ending): boolean {
  if (listed.dateEnd === undefined || recorded.dateEnd === undefined) return false;
  return Date.parse(listed.dateEnd) + SAME_END_MS < Date.parse(recorded.dateEnd);
}

/**
 * Between which moments a paid period ends. Its days may be calendar days, its beginning may be told by another clock,
 * and a month's end or a summer time may shift it. A listing that says an earlier end is not believed.
 */
export function endOfPeriod(begin: Date, days: number): { earliest: string; latest: string } {
  const inDays = (count: number) => new Date(begin.getTime() + count * DAY_MS).toISOString();
  return { earliest: inDays(days - 2), latest: inDays(days + 1) };
}
