import {
  type CallsUnderWay,
  type Ending,
  endWithEngine,
  type SignalledProcess,
} from "../run/lifetime.ts";

/** The calls that the engine has made and waits for. */
export interface Calls extends CallsUnderWay {
  follow<Answer>(work: () => Promise<Answer>): Promise<Answer>;
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

/** Calls `end` once: when the engine says that it ends, or when nobody listens at its address any more. */
export function whenEngineEnds(
  process: SignalledProcess,
  gone: Promise<void> | undefined,
  end: (how: Ending) => void,
): void {
  endWithEngine(process, (notice) => void gone?.then(notice), end);
}
