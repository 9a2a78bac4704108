import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../provider/core/service.ts";

/** The machine's time, in which nobody waits: a wait is skipped, and time is so much later afterwards. */
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
    now: () => new Date(Date.now() + skippedMs),
    elapsedMs: () => performance.now() + skippedMs,
    async sleep(ms) {
      skip(ms);
      // Answers that are on their way arrive first.
      await turn();
    },
  };
}
