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
  /** The same for flags: the turn that the next note of one would have had. */
  turn(): Promise<number>;
  /** Call this with what another process of the run has told. */
  hear(fact: RunFact): void;
}

/** Makes the beginning of a run. */
export function createRunBeginning({
  memory,
  previewed,
  flags,
  sequenceAtBeginning,
}: Pick<Journal, "memory" | "previewed" | "flags" | "sequenceAtBeginning">): RunBeginning {
  let earliestTold = Number.POSITIVE_INFINITY;
  let earliestTurn = Number.POSITIVE_INFINITY;

  const noted = remember(async () => {
    const sequence = await sequenceAtBeginning();
    if (memory.isShared) await memory.tell({ kind: "began", sequence }).catch(() => undefined);
    return sequence;
  });

  const notedTurn = remember(async () => {
    const turn = await flags.turnAtBeginning();
    if (memory.isShared) await memory.tell({ kind: "beganSwitching", turn }).catch(() => undefined);
    return turn;
  });

  return {
    async note() {
      // No purchase waits for the flags.
      void notedTurn().catch(() => undefined);
      await noted().catch(() => undefined);
    },

    async sequence(owner) {
      const inside = (await previewed.ofStack(owner)).filter(({ from }) => from === "thisUp");
      const shown = inside.flatMap(({ plans }) =>
        Array.from(plans.values()).flatMap(({ sequence }) => sequence ?? []),
      );
      return Math.min(await noted(), earliestTold, ...shown);
    },

    // A switch holds for the preview of its own update, so the preview inside the command does not count.
    turn: async () => Math.min(await notedTurn(), earliestTurn),

    hear(fact) {
      if (fact.kind === "beganSwitching") earliestTurn = Math.min(earliestTurn, fact.turn);
      if (fact.kind === "began") earliestTold = Math.min(earliestTold, fact.sequence);
    },
  };
}
