/** Whether the engine itself said that it ends. Nobody knows what a killed engine has saved. */
export type Ending = "told" | "noticed";

/** How a process hears from the engine that it ends. */
export interface SignalledProcess {
  on(event: "SIGINT", end: () => void): unknown;
}

/** What the end of a process must know of the engine's calls. */
export interface CallsUnderWay {
  areUnderWay(): boolean;
  /** Resolves when all are answered. */
  drain(): Promise<void>;
}

/**
 * Calls `end` once: when the engine says by SIGINT that it ends, or when it is found to be gone.
 * @param watch calls its argument when that is found.
 */
export function endWithEngine(
  process: SignalledProcess,
  watch: (notice: () => void) => void,
  end: (how: Ending) => void,
): void {
  let isEnding = false;
  const endOnce = (how: Ending) => {
    if (isEnding) return;
    isEnding = true;
    end(how);
  };
  // Not `once`: the journal's locks kill a process by a signal that only they listen to, and a listener that is
  // called once is gone by then.
  process.on("SIGINT", () => endOnce("told"));
  watch(() => endOnce("noticed"));
}

/**
 * Finishes what was sent, and writes it down. Nothing more is sent, and nothing is waited for.
 * @param endRun writes down that the engine has had every answer. If that can't be written, the run counts as cut
 * off.
 */
export async function finishCalls(
  how: Ending,
  calls: CallsUnderWay,
  cancellation: AbortController,
  endRun: () => Promise<void>,
): Promise<void> {
  const isOrderly = how === "told" && !calls.areUnderWay();
  cancellation.abort();
  await calls.drain();
  if (isOrderly) await endRun().catch(() => undefined);
}
