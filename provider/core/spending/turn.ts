import { beginAge } from "../account/age.ts";
import { assertNotCancelled } from "../account/cancellation.ts";
import type { Journal } from "../journal/journal.ts";
import type { Clock, HeldLock } from "../ports.ts";
import { ProxyRentalError } from "../values/errors.ts";

/** A turn on the account. While it is held, no other purchase is in flight in any process that uses this journal. */
export interface Turn extends HeldLock {
  /** No other process can have bought since then, so a balance that was told later is current. */
  quietSinceMs: number;
}

/** What taking a turn needs. */
interface TurnParts {
  clock: Clock;
  cancelled: AbortSignal;
  journal: Pick<Journal, "withAccount">;
}

/** Gives purchases their turns, one after the other. */
export type TakeTurn = <Result>(
  /** Called when the turn of this process has come, before it waits for other processes, and while it does. */
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
    const assertHeld = () => {
      assertNotCancelled(cancelled);
      lock.assertHeld();
    };
    const quietSinceMs = Math.max(lock.contended ? beganMs : queuedAtMs, beganMs - QUIET_MS);
    return { ...lock, assertHeld, quietSinceMs };
  }

  return (assertWanted, work) => {
    const queuedAtMs = clock.elapsedMs();
    return journal.withAccount((lock) => work(openTurn(lock, queuedAtMs)), assertWanted);
  };
}

/** With less of its time left, a purchase is not sent: its answer would too easily be lost. */
const LEAST_LEFT = 1 / 2;

/**
 * Makes the last check before a purchase leaves. Gives for how many milliseconds its answer may be awaited from then on:
 * in the time that was written down for it, call and late effects must both be over, by this machine's clocks and by the
 * journal's. Make it before the intent is drafted.
 */
export function createSendCheck(
  { clock, timeoutMs, settlingMs }: { clock: Clock; timeoutMs: number; settlingMs: number },
  turn: Pick<Turn, "assertHeld" | "lastsMs">,
): () => number {
  const age = beginAge(clock);
  return () => {
    turn.assertHeld();
    const leftMs = Math.min(timeoutMs - age(), turn.lastsMs() - settlingMs);
    if (leftMs >= timeoutMs * LEAST_LEFT) return leftMs;
    const heldUpSeconds = Math.round((timeoutMs - leftMs) / 1000);
    throw new ProxyRentalError(
      "SERVICE_TIMEOUT",
      `this purchase was held up for ${heldUpSeconds} s right before it would have been sent, by a slow connection, a slow journal or a machine that slept. So less than half of proxyrental:timeoutSeconds (${timeoutMs / 1000} s) was left for its answer. It was not sent. Run again.`,
    );
  };
}
