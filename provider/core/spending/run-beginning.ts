import type { Journal } from "../journal/journal.ts";
import type { PreviewedPlan } from "../records/previewed-plan.ts";
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
  turn(owner: string): Promise<number>;
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
  /** One count that the processes of the run share, each by what it sees at its own beginning. */
  function createEarliest(ask: () => Promise<number>, factOf: (count: number) => RunFact) {
    let earliestTold = Number.POSITIVE_INFINITY;
    const noted = remember(async () => {
      const count = await ask();
      if (memory.isShared) await memory.tell(factOf(count)).catch(() => undefined);
      return count;
    });
    return {
      noted,
      earliest: async () => Math.min(await noted(), earliestTold),
      hear(count: number) {
        earliestTold = Math.min(earliestTold, count);
      },
    };
  }

  const purchases = createEarliest(sequenceAtBeginning, (sequence) => ({
    kind: "began",
    sequence,
  }));
  const switches = createEarliest(flags.turnAtBeginning, (turn) => ({
    kind: "beganSwitching",
    turn,
  }));

  /** What the preview inside this command has noted of its own beginning. */
  async function shownInside(
    owner: string,
    countOf: (plan: PreviewedPlan) => number | undefined,
  ): Promise<number[]> {
    const inside = (await previewed.ofStack(owner)).filter(({ from }) => from === "thisUp");
    return inside.flatMap(({ plans }) =>
      Array.from(plans.values()).flatMap((plan) => countOf(plan) ?? []),
    );
  }

  return {
    async note() {
      // No purchase waits for the flags.
      void switches.noted().catch(() => undefined);
      await purchases.noted().catch(() => undefined);
    },

    async sequence(owner) {
      const shown = await shownInside(owner, ({ sequence }) => sequence);
      return Math.min(await purchases.earliest(), ...shown);
    },

    async turn(owner) {
      return Math.min(await switches.earliest(), ...(await shownInside(owner, ({ turn }) => turn)));
    },

    hear(fact) {
      if (fact.kind === "began") purchases.hear(fact.sequence);
      if (fact.kind === "beganSwitching") switches.hear(fact.turn);
    },
  };
}
