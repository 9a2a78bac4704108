import type { Clock } from "../ports.ts";

/** How old something is, in milliseconds. */
export type Age = () => number;

/**
 * Begins an age. It is the longer one by the two clocks: the one that never jumps stands still while a machine sleeps, and
 * the other one may be set back. If the other one is set ahead, something is asked for again that was not old.
 */
export function beginAge(clock: Pick<Clock, "now" | "elapsedMs">): Age {
  const beganMs = clock.elapsedMs();
  const begunAtMs = clock.now().getTime();
  return () => Math.max(clock.elapsedMs() - beganMs, clock.now().getTime() - begunAtMs);
}
