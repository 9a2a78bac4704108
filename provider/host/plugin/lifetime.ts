/** How a process learns that it is to end. */
export interface EndOfProcess {
  on(event: "SIGINT" | "SIGTERM", end: () => void): unknown;
  stdin: { resume(): unknown; once(event: "end" | "error", end: () => void): unknown };
}

/** Whether the engine itself said that it ends; it may have been killed otherwise, and nobody knows what it saved. */
export type Ending = "told" | "noticed";

/**
 * Calls `end` once, when the engine ends: it says so by SIGINT, and where it was killed, its end of our standard
 * input closes.
 */
export function whenEngineEnds(process: EndOfProcess, end: (how: Ending) => void): void {
  let isEnding = false;
  const endOnce = (how: Ending) => {
    if (isEnding) return;
    isEnding = true;
    end(how);
  };
  // Not `once`: the journal's locks kill a process by the signal for which they find no listener but their own, and
  // a listener that is called once is gone by then.
  process.on("SIGINT", () => endOnce("told"));
  const notice = () => endOnce("noticed");
  process.on("SIGTERM", notice);
  process.stdin.once("end", notice);
  process.stdin.once("error", notice);
  process.stdin.resume();
}
