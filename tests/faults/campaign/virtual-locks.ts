import type { Clock } from "../../../provider/core/ports.ts";
import { JournalError, type Locks } from "../../../provider/core/ports.ts";

/** Turns and signs of life of all runs of a machine, in the time of the schedule. */
export interface VirtualLocks {
  /** What one process is given. Its waits are those of its own clock. */
  forProcess(clock: Clock, processes: ProcessMarks): Locks;
  /** Whoever was killed holds nothing, and gives no sign of life. */
  release(processes: ProcessMarks): void;
}

/** What belongs to one run of the engine. */
export interface ProcessMarks {
  /** Names of its processes that have shown that they live. */
  readonly runIds: Set<string>;
  /** Whoever is dead takes no turn any more. */
  isOver: boolean;
}

/** Marks of a run that begins. */
export function beginMarks(): ProcessMarks {
  return { runIds: new Set(), isOver: false };
}

const PAUSE_MS = 250;

export function createVirtualLocks(): VirtualLocks {
  const living = new Set<string>();
  let holder: ProcessMarks | undefined;

  return {
    forProcess: (clock, processes) => ({
      async holdRun(runId) {
        living.add(runId);
        processes.runIds.add(runId);
      },

      // A run lives as long as its process, which ends right after it.
      letRunGo: async () => undefined,

      isRunAlive: async (runId) => living.has(runId),

      async withAccount(waitMs, work) {
        const giveUpMs = clock.elapsedMs() + waitMs;
        let contended = false;
        while (holder !== undefined) {
          contended = true;
          if (clock.elapsedMs() > giveUpMs) {
            throw new JournalError("busy", "another run keeps buying from the same account");
          }
          await clock.sleep(PAUSE_MS);
        }
        if (processes.isOver) return new Promise<never>(() => undefined);
        holder = processes;
        try {
          return await work({ contended, assertHeld: () => undefined });
        } finally {
          holder = undefined;
        }
      },
    }),

    release(processes) {
      processes.isOver = true;
      for (const runId of processes.runIds) living.delete(runId);
      if (holder === processes) holder = undefined;
    },
  };
}
