import type { RunTalk } from "../account/run-talk.ts";
import type { Clock, Log, RunIdentity } from "../ports.ts";
import type { AccountFact, Deed, ShownPlan } from "../records/run-fact.ts";
import type { Budget } from "./budget.ts";
import { describeDeeds, describePlans } from "./summary.ts";

/**
 * What a run tells people: each thing once, at its resource, and all of it once more in the last words. A preview tells
 * of plans, and an update of what was done. All provider processes of a run tell one story.
 */
export interface RunStory {
  /** Tells the plan of a resource, in place of what was told of it before. */
  plan(owner: string, shown: ShownPlan): Promise<void>;
  /** Tells what was done for a resource. Call this when it is done. The same deed may be told again, with more. */
  did(owner: string, deed: Omit<Deed, "atMs">): Promise<void>;
  /**
   * Warns of something that is the affair of a resource, which the program may not have declared yet. At the end of the
   * run, people are told if the program has not declared it. The same id is told once. Call this only if the engine waits
   * for the last words.
   * @param find gives the words; undefined if nobody needs them by then.
   */
  warnAtEnd(owner: string, warning: { id: string; find(): Promise<string | undefined> }): void;
  /** Call this when the run has told its phase late. Then what was held back is told at last. */
  phaseIsKnown(): void;
  /**
   * The last words of the run; undefined if there is nothing to say, or another process has said it. Call this when the
   * engine ends the run.
   */
  lastWords(): Promise<string | undefined>;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

interface StoryParts {
  clock: Pick<Clock, "now">;
  log: Pick<Log, "remark" | "warn">;
  run: Pick<RunIdentity, "run" | "phase">;
  talk: RunTalk;
  budget: Pick<Budget, "beforeRun">;
  showBalance: boolean;
  isJournalAtRisk: boolean;
}

/** Makes the story of one run on one account. */
export function createRunStory({
  clock,
  log,
  run,
  talk,
  budget,
  showBalance,
  isJournalAtRisk,
}: StoryParts): RunStory {
  const plans = new Map<string, ShownPlan>();
  /** By owner, and by the id of the deed. */
  const deeds = new Map<string, Map<string, Deed>>();
  /** Lines that this process has told, or will tell in a preview. */
  const remarked = new Set<string>();
  let held: { owner: string; line: string }[] = [];
  /** The owners of whom this process has told something. */
  const own = new Set<string>();
  const concluded = new Set<string>();
  /** By their ids. */
  const warnings = new Map<string, () => Promise<void>>();

  function remarkPlan(owner: string, line: string): void {
    const key = `${owner} ${line}`;
    if (remarked.has(key)) return;
    remarked.add(key);
    held.push({ owner, line });
    phaseIsKnown();
  }

  function phaseIsKnown(): void {
    const phase = run.phase();
    // Where no engine is known, nobody will tell.
    if (phase === "unknown" && run.run !== undefined) return;
    const lines = held;
    held = [];
    if (phase === "update") return;
    for (const { owner, line } of lines) log.remark(owner, line);
  }

  function addDeed(owner: string, deed: Deed): void {
    deeds.set(owner, new Map(deeds.get(owner)).set(deed.id, deed));
  }

  function listDeeds(): Map<string, Deed[]> {
    return new Map([...deeds].map(([owner, own]) => [owner, [...own.values()]]));
  }

  async function describe(): Promise<string | undefined> {
    if (deeds.size > 0) return describeDeeds(listDeeds(), { showBalance });
    const phase = run.phase();
    // If nobody has told the phase, nothing was carried out. Then it is a preview if something is left to buy.
    const isPreview =
      phase === "preview" ||
      (phase === "unknown" && [...plans.values()].some(({ spend }) => spend !== undefined));
    if (!isPreview) return undefined;
    const use = await budget.beforeRun().catch(() => undefined);
    return describePlans(plans, { budget: use, showBalance, isJournalAtRisk });
  }

  return {
    async plan(owner, shown) {
      plans.set(owner, shown);
      own.add(owner);
      for (const line of shown.lines) remarkPlan(owner, line);
      await talk.tell({ kind: "shows", owner, plan: shown }).catch(() => undefined);
    },

    async did(owner, done) {
      const deed = { ...done, atMs: clock.now().getTime() };
      addDeed(owner, deed);
      own.add(owner);
      log.remark(owner, deed.line);
      await talk.tell({ kind: "did", owner, deed }).catch(() => undefined);
    },

    warnAtEnd(owner, { id, find }) {
      warnings.set(id, async () => {
        // Each plan is told, whichever process has checked it, also one that is refused.
        const line = plans.has(owner) ? undefined : await find();
        if (line !== undefined) log.warn(line);
      });
    },

    phaseIsKnown,

    async lastWords() {
      await talk.hear().catch(() => undefined);
      const held = [...warnings.values()];
      warnings.clear();
      for (const warn of held) await warn();
      if ([...own].every((owner) => concluded.has(owner))) return undefined;
      const owners = [...new Set([...plans.keys(), ...deeds.keys()])];
      await talk.tell({ kind: "concluded", owners }).catch(() => undefined);
      return describe();
    },

    hear(fact) {
      if (fact.kind === "shows") plans.set(fact.owner, fact.plan);
      if (fact.kind === "did") addDeed(fact.owner, fact.deed);
      if (fact.kind === "concluded") for (const owner of fact.owners) concluded.add(owner);
    },
  };
}
