import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportWhile } from "../../toolchain/progress.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("reports every ten seconds how long the work takes and what it does", async () => {
  const lines: string[] = [];
  const work = reportWhile(
    "building",
    (line) => lines.push(line),
    async (tell) => {
      tell("downloading a");
      await new Promise((resolve) => setTimeout(resolve, 25_000));
      return "result";
    },
  );
  await vi.advanceTimersByTimeAsync(25_000);
  expect(await work).toBe("result");
  expect(lines).toEqual([
    "building ...",
    "building: 10 s (downloading a)",
    "building: 20 s",
    "building: done in 25 s",
  ]);
});

test("stops reporting when the work fails", async () => {
  const lines: string[] = [];
  const work = reportWhile(
    "building",
    (line) => lines.push(line),
    () => Promise.reject(new Error("broken")),
  );
  await expect(work).rejects.toThrow("broken");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual(["building ..."]);
});
