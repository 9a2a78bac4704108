import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../provider/core/ports.ts";

/** A common time for a service and its callers. It passes only while a caller waits, and then at once. */
export interface VirtualClock extends Clock {
  advance(ms: number): void;
  /** The machine sleeps: the time of day goes on, and `elapsedMs` stands still. */
  suspend(ms: number): void;
}

/** Makes a clock that begins at a moment. */
export function createVirtualClock(beginning = "2026-03-01T00:00:00.000Z"): VirtualClock {
  const beganMs = Date.parse(beginning);
  let elapsedMs = 0;
  let suspendedMs = 0;
  return {
    now: () => new Date(beganMs + elapsedMs + suspendedMs),
    elapsedMs: () => elapsedMs,
    async sleep(ms) {
      const untilMs = elapsedMs + ms;
      // Other code that is due at this moment runs first.
      await turn();
      elapsedMs = Math.max(elapsedMs, untilMs);
    },
    advance(ms) {
      elapsedMs += ms;
    },
    suspend(ms) {
      suspendedMs += ms;
    },
  };
}
