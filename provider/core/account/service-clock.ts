import { MOST_APART_MS } from "../values/dates.ts";

/** What the service's clock said with one answer, and when that answer came by our own clocks. */
export interface ClockReading {
  /** The `Date` header. */
  told: Date;
  /** By `Clock.elapsedMs`. */
  readAtMs: number;
  /** By `Clock.now`. */
  ownTime: Date;
}

/** Answers take time, the header has whole seconds, and a load balancer may hide several clocks. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Why these readings can't be one clock that is to be believed; undefined where they can. */
export function doubtClock(readings: readonly ClockReading[]): string | undefined {
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  for (const { told, readAtMs } of others) {
    const jumpedMs = told.getTime() - first.told.getTime() - (readAtMs - first.readAtMs);
    if (Math.abs(jumpedMs) <= CLOCK_TOLERANCE_MS) continue;
    const passed = Math.round((readAtMs - first.readAtMs) / 1000);
    return `the service's clock said ${first.told.toISOString()}, and ${passed} s later ${told.toISOString()}`;
  }
  const apart = readings.find((one) => Math.abs(aheadMs(one)) > MOST_APART_MS + CLOCK_TOLERANCE_MS);
  if (apart === undefined) return undefined;
  return `the service's clock says ${apart.told.toISOString()} and this machine's ${apart.ownTime.toISOString()}: they are more than a day apart`;
}

/** How far the service's clock is ahead of ours; less than 0 if it is behind. */
export function aheadMs({ told, ownTime }: ClockReading): number {
  return told.getTime() - ownTime.getTime();
}

/** Whether the service's clock and ours say the same. Then each confirms the other. */
export function isBorneOut(reading: ClockReading): boolean {
  return Math.abs(aheadMs(reading)) <= CLOCK_TOLERANCE_MS;
}
