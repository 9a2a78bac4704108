import type { Journal } from "../journal/journal.ts";
import type { RunFact } from "../records/run-fact.ts";
import { remember } from "../values/remember.ts";

/**
 * When this run of the engine began, as the journal counts: the sequence that the next purchase would have had. What has that
 * one, or a later one, was sent since then.
 */
export interface RunBeginning {
  /**
   * Call this with the first thing that the engine asks of this process: a purchase may be planned much later. Never fails: a
   * run that buys nothing needs no journal.
   */
  note(): Promise<void>;
  /**
   * The earliest that any process of this run has noted, or the preview inside this command. Throws if the journal can't be
   * read.
   */
  sequence(owner: string): Promise<number>;
  /** Call this with what another process of the run has told. */
  hear(fact: RunFact): void;
}

/** Makes the beginning of a run. */
export function createRunBeginning({
  memory,
  previewed,
  sequenceAtBeginning,
}: Pick<Journal, "memory" | "previewed" | "sequenceAtBeginning">): RunBeginning {
  let earliestTold = Number.POSITIVE_INFINITY;

  const noted = remember(async () => {
    const sequence = await sequenceAtBeginning();
    if (memory.isShared) await memory.tell({ kind: "began", sequence }).catch(() => undefined);
    return sequence;
  });

  return {
    async note() {
      await noted().catch(() => undefined);
    },

    async sequence(owner) {
      const inside = (await previewed.ofStack(owner)).filter(({ from }) => from === "thisUp");
      const shown = inside.flatMap(({ plans }) =>
        Array.from(plans.values()).flatMap(({ sequence }) => sequence ?? []),
      );
      return Math.min(await noted(), earliestTold, ...shown);
    },

    hear(fact) {
      if (fact.kind === "began") earliestTold = Math.min(earliestTold, fact.sequence);
    },
  };
}
