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

/** What a process does at its end. */
export interface Farewell {
  /** Says what the run comes to. */
  conclude(): Promise<void>;
  /** Writes down that the engine has had every answer. If that can't be written, the run counts as cut off. */
  endRun(): Promise<void>;
}

/** Finishes what was sent, and writes it down. Nothing more is sent, and nothing is waited for. */
export async function finishCalls(
  how: Ending,
  calls: CallsUnderWay,
  cancellation: AbortController,
  { conclude, endRun }: Farewell,
): Promise<void> {
  const isOrderly = how === "told" && !calls.areUnderWay();
  cancellation.abort();
  await calls.drain();
  // An engine that says that it ends waits for this process, and still shows what it says.
  if (how === "told") await conclude().catch(() => undefined);
  if (isOrderly) await endRun().catch(() => undefined);
}
