import { expect, test } from "vitest";
import { type ClockReading, doubtClock } from "../../../provider/core/account/service-clock.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const BEGINNING = Date.UTC(2026, 2, 1);

/** The service's clock and our own clock, as times since the beginning. */
function reading(toldMs: number, passedMs: number): ClockReading {
  return {
    told: new Date(BEGINNING + toldMs),
    readAtMs: 5_000 + passedMs,
    ownTime: new Date(BEGINNING + passedMs),
  };
}

test.each<[string, ClockReading[]]>([
  ["none", []],
  ["one", [reading(0, 0)]],
  [
    "two that differ by the time between them",
    [reading(0, 0), reading(10 * SECOND_MS, 10 * SECOND_MS)],
  ],
  ["two within the tolerance", [reading(0, 0), reading(4 * MINUTE_MS, 0)]],
  ["two five hours ahead of us", [reading(5 * HOUR_MS, 0), reading(5 * HOUR_MS + 1, SECOND_MS)]],
  ["two a day behind us", [reading(-24 * HOUR_MS, 0), reading(-24 * HOUR_MS, SECOND_MS)]],
])("%s may be believed", (_what, readings) => {
  expect(doubtClock(readings)).toBeUndefined();
});

test.each<[string, ClockReading[], string]>([
  [
    "a jump ahead",
    [reading(0, 0), reading(HOUR_MS, SECOND_MS)],
    "said 2026-03-01T00:00:00.000Z, and 1 s later 2026-03-01T01:00:00.000Z",
  ],
  [
    "a jump back",
    [reading(HOUR_MS, 0), reading(0, SECOND_MS)],
    "said 2026-03-01T01:00:00.000Z, and 1 s later 2026-03-01T00:00:00.000Z",
  ],
  [
    "one of three pages",
    [reading(0, 0), reading(HOUR_MS, 0), reading(SECOND_MS, SECOND_MS)],
    "and 0 s later 2026-03-01T01:00:00.000Z",
  ],
  [
    "a stopped clock while ours goes on",
    [reading(0, 0), reading(0, HOUR_MS)],
    "and 3600 s later 2026-03-01T00:00:00.000Z",
  ],
  [
    "two days ahead, even if steady",
    [reading(48 * HOUR_MS, 0), reading(48 * HOUR_MS, SECOND_MS)],
    "says 2026-03-03T00:00:00.000Z and this machine's 2026-03-01T00:00:00.000Z",
  ],
  ["two days behind, from one answer only", [reading(-48 * HOUR_MS, 0)], "more than a day"],
])("%s is a doubt that names both", (_what, readings, said) => {
  expect(doubtClock(readings)).toContain(said);
});
