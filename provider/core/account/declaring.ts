import type { Clock } from "../ports.ts";

/** How long the engine may take until it has checked all resources that wait for nothing. */
const DECLARING_MS = 3_000;

const DECLARING_STEP_MS = 100;

/** What is waited with. */
interface WaitingParts {
  clock: Clock;
  cancelled: AbortSignal;
  /** Takes in what the other processes of the run have told. */
  hearOthers(): Promise<void>;
}

/**
 * Waits until the program has declared what makes something true, for as long as the engine may take for that: it checks
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
