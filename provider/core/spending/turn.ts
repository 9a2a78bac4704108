import { beginAge } from "../account/age.ts";
import { assertNotCancelled } from "../account/cancellation.ts";
import type { Journal } from "../journal/journal.ts";
import type { Clock, HeldLock } from "../ports.ts";
import { ProxyRentalError } from "../values/errors.ts";

/** A turn on the account. While it is held, no other purchase is in flight in any process that uses this journal. */
export interface Turn extends HeldLock {
  /** No other process can have bought since then, so a balance that was told later is current. */
  quietSinceMs: number;
  /** Throws where the turn was lost, also in a run that was cancelled: what was seen meanwhile may be another one's doing. */
  assertAlone(): void;
}

/** What taking a turn needs. */
interface TurnParts {
  clock: Clock;
  cancelled: AbortSignal;
  journal: Pick<Journal, "withAccount">;
}

/** Gives purchases their turns, one after the other. */
export type TakeTurn = <Result>(
  /** Called when the turn of this process has come, before it waits for other processes. */
  assertWanted: () => void,
  work: (turn: Turn) => Promise<Result>,
) => Promise<Result>;

/** For how long a purchase by another person is not expected. */
const QUIET_MS = 1_000;

/** Makes the queue of one process, which takes its turn among all processes. */
export function createTurns({ clock, cancelled, journal }: TurnParts): TakeTurn {
  /**
   * A person may cancel while a purchase is written down, so `assertHeld` asks that again right before it is sent. A
   * process that had to wait for another one can't trust what it knew before its turn. One that waited only for its
   * own purchases got its turn as soon as the last of them was over.
   */
  function openTurn(lock: HeldLock, queuedAtMs: number): Turn {
    const beganMs = clock.elapsedMs();
    const assertHeld = (forMs?: number) => {
      assertNotCancelled(cancelled);
      lock.assertHeld(forMs);
    };
    const quietSinceMs = Math.max(lock.contended ? beganMs : queuedAtMs, beganMs - QUIET_MS);
    return { ...lock, assertHeld, assertAlone: lock.assertHeld, quietSinceMs };
  }

  return (assertWanted, work) => {
    const queuedAtMs = clock.elapsedMs();
    return journal.withAccount((lock) => work(openTurn(lock, queuedAtMs)), assertWanted);
  };
}

/**
 * Makes the last check before a purchase leaves: whether the answer can still come in the time that was written down for
 * it, and whether the turn is still held, for as long as late effects may take. Make it when the intent is drafted.
 */
export function createSendCheck(
  { clock, timeoutMs, settlingMs }: { clock: Clock; timeoutMs: number; settlingMs: number },
  turn: Pick<Turn, "assertHeld">,
): () => void {
  const age = beginAge(clock);
  return () => {
    const heldUpMs = age();
    if (heldUpMs <= timeoutMs) return turn.assertHeld(settlingMs);
    throw new ProxyRentalError(
      "SERVICE_TIMEOUT",
      `this purchase was held up for ${Math.round(heldUpMs / 1000)} s right before it would have been sent, by a slow connection or a machine that slept. That is longer than proxyrental:timeoutSeconds (${timeoutMs / 1000} s). It was not sent. Run again.`,
    );
  };
}
