/** How a process learns that it is to end. */
export interface EndOfProcess {
  once(event: "SIGINT" | "SIGTERM", end: () => void): unknown;
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
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, endOnce);
  process.stdin.once("end", endOnce);
  process.stdin.once("error", endOnce);
  process.stdin.resume();
}
