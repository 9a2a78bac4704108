import { type Ending, endWithEngine, type SignalledProcess } from "../run/lifetime.ts";

/** How a plugin learns that it is to end. */
export interface EndOfPlugin extends SignalledProcess {
  on(event: "SIGINT" | "SIGTERM", end: () => void): unknown;
  stdin: { resume(): unknown; once(event: "end" | "error", end: () => void): unknown };
}

/**
 * Calls `end` once: when the engine says that it ends, or, if it was killed, when its end of our standard input
 * closes.
 * @param awaitGone notices the engine's end where nobody holds our input. It is at its end from the beginning if the
 * language host has started the plugin, and would end it at once.
 */
export function whenEngineEnds(
  process: EndOfPlugin,
  end: (how: Ending) => void,
  awaitGone?: () => Promise<void>,
): void {
  const { stdin } = process;
  const watch = (notice: () => void) => {
    process.on("SIGTERM", notice);
    if (awaitGone !== undefined) {
      void awaitGone().then(notice);
      return;
    }
    stdin.once("end", notice);
    stdin.once("error", notice);
    stdin.resume();
  };
  endWithEngine(process, watch, end);
}
