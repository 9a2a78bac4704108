import { expect, test } from "vitest";
import { awaitOtherRun } from "../../../provider/core/account/await-other-run.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

function makeRun(isShared: boolean) {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const log = { progress: (line: string) => void lines.push(line) };
  /** When what was listed was forgotten. */
  const forgottenMs: number[] = [];
  const listing = { invalidate: () => void forgottenMs.push(clock.elapsedMs()) };
  const cancellation = new AbortController();
  const cancelled = cancellation.signal;
  const account = { clock, log, cancelled, listing, journal: { isShared } };
  const settings = { timeoutMs: 30_000, settlingMs: 60_000 };
  return { account: { ...account, settings }, cancellation, lines, forgottenMs };
}

/** Another run is seen so many times. */
function seen(times: number) {
  let looks = 0;
  return async () => (looks++ < times ? "purchase" : undefined);
}

test("on this machine's journal another run is believed at once", async () => {
  const { account, lines } = makeRun(false);
  expect(await awaitOtherRun(account, seen(1))).toBe("purchase");
  expect(lines).toEqual([]);
});

test("on a shared journal a run waits until the other one can't be at work any more", async () => {
  const { account, lines, forgottenMs } = makeRun(true);
  expect(await awaitOtherRun(account, seen(20))).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining("at most 92 s")]);
  expect(forgottenMs).toEqual([account.clock.elapsedMs()]);
});

test("nobody waits if there is no other run", async () => {
  const { account, lines, forgottenMs } = makeRun(true);
  expect(await awaitOtherRun(account, seen(0))).toBeUndefined();
  expect(lines).toEqual([]);
  expect(forgottenMs).toEqual([]);
});

test("a run that is still at work after all its time is told", async () => {
  const { account } = makeRun(true);
  const { clock } = account;
  const beganMs = clock.elapsedMs();
  expect(await awaitOtherRun(account, seen(1_000))).toBe("purchase");
  expect(clock.elapsedMs() - beganMs).toBeLessThan(95_000);
});

test("a run that is cancelled waits no longer", async () => {
  const { account, cancellation } = makeRun(true);
  const { clock } = account;
  const beganMs = clock.elapsedMs();
  const look = async () => {
    if (clock.elapsedMs() - beganMs > 3_000) cancellation.abort();
    return "purchase";
  };
  await expect(awaitOtherRun(account, look)).rejects.toThrow("the run was cancelled");
  expect(clock.elapsedMs() - beganMs).toBeLessThan(6_000);
});
