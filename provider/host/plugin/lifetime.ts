import { type Ending, endWithEngine, type SignalledProcess } from "../run/lifetime.ts";

/** How a plugin learns that it is to end. */
export interface EndOfPlugin extends SignalledProcess {
  on(event: "SIGINT" | "SIGTERM", end: () => void): unknown;
  stdin: { resume(): unknown; once(event: "end" | "error", end: () => void): unknown };
}

/**
 * Calls `end` once: when the engine says that it ends, or, if it was killed, when its end of our standard input
 * closes.
 */
export function whenEngineEnds(process: EndOfPlugin, end: (how: Ending) => void): void {
  const { stdin } = process;
  const watch = (notice: () => void) => {
    process.on("SIGTERM", notice);
    stdin.once("end", notice);
    stdin.once("error", notice);
    stdin.resume();
  };
  endWithEngine(process, watch, end);
}
