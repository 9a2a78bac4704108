import type { Mortality } from "./mortality.ts";
import type { Steps } from "./steps.ts";
import type { ProcessMarks, VirtualPresence } from "./virtual-presence.ts";

/** Runs that were cancelled, and still do what they have begun. */
export interface CancelledRuns {
  add(life: Mortality, marks: ProcessMarks): void;
  any(): boolean;
  /** Whether a process is of such a run. */
  isGoingOn(runId: string): boolean;
  /** Waits until they have done what they were about to do. */
  settle(): Promise<void>;
}

export function createCancelledRuns(steps: Steps, presence: VirtualPresence): CancelledRuns {
  const going = new Map<Mortality, ProcessMarks>();
  return {
    add: (life, marks) => void going.set(life, marks),
    any: () => going.size > 0,
    isGoingOn: (runId) => [...going.values()].some(({ runIds }) => runIds.has(runId)),
    async settle() {
      for (const [life, marks] of going) {
        await steps.until(life.idle());
        presence.release(marks);
      }
      going.clear();
    },
  };
}
