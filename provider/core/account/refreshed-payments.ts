import type { AccountFact } from "../records/run-fact.ts";
import type { RunTalk } from "./run-talk.ts";

/**
 * The payments that a refresh of this run has put into states. Nobody knows whether those are saved: a preview saves nothing.
 * So what the run is shown of them afterwards, by whichever of its processes, confirms nothing.
 */
export interface RefreshedPayments {
  note(requestId: string): Promise<void>;
  /** Take in what the other processes have told before you ask. */
  has(requestId: string): boolean;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** Makes the memory of one run. */
export function createRefreshedPayments({ tell }: Pick<RunTalk, "tell">): RefreshedPayments {
  const refreshed = new Set<string>();
  return {
    async note(requestId) {
      refreshed.add(requestId);
      // If it can't be told, the payment counts as saved once another process is shown it.
      await tell({ kind: "refreshed", requestId }).catch(() => undefined);
    },

    has: (requestId) => refreshed.has(requestId),

    hear(fact) {
      if (fact.kind === "refreshed") refreshed.add(fact.requestId);
    },
  };
}
