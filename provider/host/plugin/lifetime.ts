/** How a process learns that it is to end. */
export interface EndOfProcess {
  on(event: "SIGINT" | "SIGTERM", end: () => void): unknown;
  stdin: { resume(): unknown; once(event: "end" | "error", end: () => void): unknown };
}

/**
 * Calls `end` once, when the engine ends: it says so by SIGINT, and where it was killed, its end of our standard
 * input closes.
 */
export function whenEngineEnds(process: EndOfProcess, end: () => void): void {
  let isEnding = false;
  const endOnce = () => {
    if (isEnding) return;
    isEnding = true;
    end();
  };
  // Not `once`: the journal's locks kill a process by the signal for which they find no listener but their own, and
  // a listener that is called once is gone by then.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, endOnce);
  process.stdin.once("end", endOnce);
  process.stdin.once("error", endOnce);
  process.stdin.resume();
}
