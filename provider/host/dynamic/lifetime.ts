/** Whether the engine itself said that it ends; of one that was killed nobody knows what it has saved. */
export type Ending = "told" | "noticed";

/** How a process learns that it is to end. */
export interface EndOfProcess {
  on(event: "SIGINT", end: () => void): unknown;
}

/** The calls that the engine has made and waits for. */
export interface Calls {
  follow<Answer>(work: () => Promise<Answer>): Promise<Answer>;
  areUnderWay(): boolean;
  /** Ends when all are answered. */
  drain(): Promise<void>;
}

/** Counts the calls of one process. */
export function createCalls(): Calls {
  const underWay = new Set<Promise<unknown>>();
  return {
    follow(work) {
      const answer = work();
      underWay.add(answer);
      const forget = () => void underWay.delete(answer);
      answer.then(forget, forget);
      return answer;
    },
    areUnderWay: () => underWay.size > 0,
    async drain() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** Calls `end` once, when the engine says by SIGINT that it ends, or is found to have gone without a word. */
export function whenEngineEnds(
  process: EndOfProcess,
  gone: Promise<void> | undefined,
  end: (how: Ending) => void,
): void {
  let isEnding = false;
  const endOnce = (how: Ending) => {
    if (isEnding) return;
    isEnding = true;
    end(how);
  };
  // Not `once`: the journal's locks kill a process by the signal for which they find no listener but their own, and
  // a listener that is called once is gone by then.
  process.on("SIGINT", () => endOnce("told"));
  gone?.then(() => endOnce("noticed"));
}
