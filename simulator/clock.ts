/** How far to move a clock. A unit that is not named is 0, and a fraction counts to the millisecond. */
export interface TimeSpan {
  /** Days of 24 hours. */
  days?: number | undefined;
  hours?: number | undefined;
  minutes?: number | undefined;
  seconds?: number | undefined;
}

const unitMs = new Map<string, number>([
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1000],
]);

/** Timestamps of later years have another form. */
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

/** The service's clock. It follows another clock, and is ahead of it by as much as it was moved. */
export class Clock {
  readonly #base: () => Date;
  #aheadMs = 0;

  constructor(base: () => Date) {
    this.#base = base;
  }

  now(): Date {
    return new Date(this.#base().getTime() + this.#aheadMs);
  }

  /** Throws a TypeError that names what makes no sense. Then the clock has not moved. */
  advance(span: TimeSpan): void {
    const spanMs = Object.entries(span).reduce(
      (sum, [unit, count]) => sum + toMs(unit, count ?? 0),
      0,
    );
    if (this.now().getTime() + spanMs > lastMs) {
      throw new TypeError(`advance ${JSON.stringify(span)} leads beyond the year 9999`);
    }
    this.#aheadMs += Math.round(spanMs);
  }

  /** Sets the clock to an earlier or later moment, for accounts that replace all others. */
  setTo(moment: Date): void {
    this.#aheadMs = moment.getTime() - this.#base().getTime();
  }

  /** Sets the clock as it was at the start. */
  reset(): void {
    this.#aheadMs = 0;
  }
}

function toMs(unit: string, count: unknown): number {
  const ms = unitMs.get(unit);
  if (ms === undefined) {
    throw new TypeError(`advance takes ${[...unitMs.keys()].join(", ")}, not "${unit}"`);
  }
  if (typeof count !== "number" || !Number.isFinite(count) || count < 0) {
    throw new TypeError(`advance.${unit} must be a number of at least 0, not ${count}`);
  }
  return count * ms;
}
