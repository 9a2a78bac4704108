import type { Clock } from "../../../provider/core/ports.ts";
import { JournalError, type Locks } from "../../../provider/core/ports.ts";

/** The locks of all runs on a machine, in the virtual time of the schedule. */
export interface VirtualLocks {
  /** The locks for one process. They wait by that process's own clock. */
  forProcess(clock: Clock, processes: ProcessMarks): Locks;
  /** Notes that a run has ended: it holds no turn, and its processes count as dead. */
  release(processes: ProcessMarks): void;
}

/** What the locks know about one run of the engine. */
export interface ProcessMarks {
  /** The ids of its processes that count as alive. */
  readonly runIds: Set<string>;
  /** Whether the run has ended. Then it takes no turn any more. */
  isOver: boolean;
}

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

      // Nothing to do: the process ends right after its run, and `release` marks both as ended.
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
