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

/** Calls `end` once, when the engine says by SIGINT that it ends. */
export function whenEngineEnds(process: EndOfProcess, end: () => void): void {
  let isEnding = false;
  // Not `once`: the journal's locks kill a process by the signal for which they find no listener but their own, and
  // a listener that is called once is gone by then.
  process.on("SIGINT", () => {
    if (isEnding) return;
    isEnding = true;
    end();
  });
}
