import type { Clock } from "../ports.ts";

/** How long the engine may take to check all resources that do not wait for others. */
const DECLARING_MS = 3_000;

const DECLARING_STEP_MS = 100;

/** What the wait needs. */
interface WaitingParts {
  clock: Clock;
  cancelled: AbortSignal;
  /** Takes in what the other processes of the run have told. */
  hearOthers(): Promise<void>;
}

/**
 * Waits until the program has declared something, but no longer than the engine may take for that. The engine checks
 * resources side by side, in any order, and in several processes.
 */
export async function isSoonDeclared(
  { clock, cancelled, hearOthers }: WaitingParts,
  isDeclared: () => boolean,
): Promise<boolean> {
  const untilMs = clock.elapsedMs() + DECLARING_MS;
  await hearOthers();
  while (!isDeclared() && clock.elapsedMs() < untilMs && !cancelled.aborted) {
    await clock.sleep(DECLARING_STEP_MS);
    await hearOthers();
  }
  return isDeclared();
}
