/** Milliseconds of a day. */
export const DAY_MS: number = 24 * 60 * 60 * 1000;
