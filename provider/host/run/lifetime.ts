/** Whether the engine itself said that it ends; of one that was killed nobody knows what it has saved. */
export type Ending = "told" | "noticed";

/** How a process hears the engine's word that it ends. */
export interface SignalledProcess {
  on(event: "SIGINT", end: () => void): unknown;
}

/** The engine's calls, as the end of a process must know them. */
export interface CallsUnderWay {
  areUnderWay(): boolean;
  /** Ends when all are answered. */
  drain(): Promise<void>;
}

/**
 * Calls `end` once, when the engine says by SIGINT that it ends, or is found to have gone without a word.
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
  // Not `once`: the journal's locks kill a process by the signal for which they find no listener but their own, and
  // a listener that is called once is gone by then.
  process.on("SIGINT", () => endOnce("told"));
  watch(() => endOnce("noticed"));
}

/**
 * What was sent is finished and written down; nothing further is sent, and nothing is waited for.
 * @param endRun writes down that the engine has had every answer. What can no longer be written is taken for a run that
 * was cut off.
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
