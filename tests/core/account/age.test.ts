import { expect, test } from "vitest";
import { beginAge } from "../../../provider/core/account/age.ts";

test.each([
  ["both clocks go on", 5_000, 5_000, 5_000],
  ["the machine sleeps, so the clock that never jumps stands still", 1_000, 9_000, 9_000],
  ["this machine's time is set back", 5_000, -3_600_000, 5_000],
])("an age is the longer one by two clocks: %s", (_what, elapsedMs, passedMs, expected) => {
  let [elapsed, now] = [100, 1_000_000];
  const age = beginAge({ elapsedMs: () => elapsed, now: () => new Date(now) });
  elapsed += elapsedMs;
  now += passedMs;
  expect(age()).toBe(expected);
});
