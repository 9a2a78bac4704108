import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../provider/core/ports.ts";

/** The real clock of this machine. */
export const machineClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: async (ms) => void (await sleep(ms)),
};

/** The clock of this machine, on which nobody waits: a wait is skipped, and the clock moves forward by its length. */
export interface FastClock extends Clock {
  skip(ms: number): void;
}

export function createFastClock(): FastClock {
  let skippedMs = 0;
  const skip = (ms: number) => {
    skippedMs += ms;
  };
  return {
    skip,
    now: () => new Date(machineClock.now().getTime() + skippedMs),
    elapsedMs: () => machineClock.elapsedMs() + skippedMs,
    async sleep(ms) {
      skip(ms);
      // Answers that are under way arrive first.
      await turn();
    },
  };
}
