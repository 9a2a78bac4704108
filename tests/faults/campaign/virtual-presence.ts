import type { Presence } from "../../../provider/core/ports.ts";

/** Signs of life of all runs of a machine, in the time of the schedule. */
export interface VirtualPresence {
  /** What one process is given. */
  forProcess(processes: ProcessMarks): Presence;
  /** Whoever was killed gives no sign of life. */
  release(processes: ProcessMarks): void;
}

/** What belongs to one run of the engine. */
export interface ProcessMarks {
  /** Names of its processes. */
  readonly runIds: Set<string>;
}

/** Marks of a run that begins. */
export function beginMarks(): ProcessMarks {
  return { runIds: new Set() };
}

export function createVirtualPresence(): VirtualPresence {
  const living = new Set<string>();

  return {
    forProcess: (processes) => ({
      async show(runId) {
        living.add(runId);
        processes.runIds.add(runId);
      },
      // A run lives as long as its process, which ends right after it.
      hide: async () => undefined,
      isAlive: async (runId) => living.has(runId),
      isGone: async ({ runId }) => !living.has(runId),
      isShown: ({ runId }) => living.has(runId),
    }),

    release(processes) {
      for (const runId of processes.runIds) living.delete(runId);
    },
  };
}
