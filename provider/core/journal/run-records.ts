import { z } from "zod";
import type { RunHolder, RunRecords } from "../ports.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

const runSchema = z.object({
  runId: z.string(),
  /** Where its process is, or was. */
  pid: z.number(),
  host: z.string(),
  beganAt: z.string(),
  ended: z.boolean(),
});

const runsSchema = z.object({ version: z.literal(1), runs: z.array(runSchema) });

type Runs = z.infer<typeof runsSchema>;

const runsFormat = jsonFormat(runsSchema, { version: 1, runs: [] }, 1);

/** Longer than any order lives without an extension: older records say nothing that matters. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** What the document of all runs is called. */
export const RUNS = "runs.json";

/** The same, with what the journal itself asks. */
export interface OpenRunRecords extends RunRecords {
  /** When a run began to buy, and whether it has ended; undefined if nobody wrote it down. */
  find(runId: string): Promise<{ beganAt: string; ended: boolean } | undefined>;
}

/** The runs that have bought something, in one document. */
export function openRunRecords(store: TimedStore, holder: RunHolder): OpenRunRecords {
  const record = openRecord(store, RUNS, runsFormat);
  /** Undefined while it is not written down: the next purchase tries that again. */
  let begun: Promise<void> | undefined;
  let hasBought = false;

  async function find(runId: string) {
    const isNamed = (run: { runId: string }) => run.runId === runId;
    const known = (await record.seen()).runs.find(isNamed);
    // A run may have ended since this process looked.
    if (known?.ended === true) return known;
    return (await record.read()).runs.find(isNamed);
  }

  function writeDown(runId: string): Promise<void> {
    return record.update(({ version, runs }, now) => {
      const kept = runs.filter(({ beganAt }) => now.getTime() - Date.parse(beganAt) < KEPT_MS);
      return { state: { version, runs: withRun(kept, runId, now) }, result: undefined };
    });
  }

  /** An earlier write may have been carried out, although it failed. */
  function withRun(runs: Runs["runs"], runId: string, now: Date): Runs["runs"] {
    if (runs.some((run) => run.runId === runId)) return runs;
    return [...runs, { ...holder, runId, beganAt: now.toISOString(), ended: false }];
  }

  return {
    async begin(runId) {
      hasBought = true;
      begun ??= writeDown(runId).catch(() => {
        begun = undefined;
      });
      await begun;
    },

    async end(runId) {
      // A run that has bought nothing has nothing to tell.
      if (!hasBought) return;
      const change = ({ version, runs }: Runs, now: Date) => {
        const all = withRun(runs, runId, now);
        const next = all.map((run) => (run.runId === runId ? { ...run, ended: true } : run));
        return { state: { version, runs: next }, result: undefined };
      };
      await record.update(change, "insistent").catch(() => undefined);
    },

    hasEnded: async (runId) => (await find(runId).catch(() => undefined))?.ended === true,

    find,

    holderOf: (runId) => find(runId).catch(() => undefined),
  };
}
