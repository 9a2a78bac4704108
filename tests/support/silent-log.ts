import type { Log } from "../../provider/core/ports.ts";

/** The log of a run of which nobody reads a word. */
export const silentLog: Log = {
  info: () => undefined,
  progress: () => undefined,
  remark: () => undefined,
  warn: () => undefined,
};
