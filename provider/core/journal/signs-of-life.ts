import { z } from "zod";
import type { Clock } from "../ports.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";
import type { OpenRunRecords } from "./run-records.ts";

const signSchema = z.object({ version: z.literal(1), at: z.string() });

const signFormat = jsonFormat(signSchema, { version: 1, at: "" });

/** How often a run that has bought something says that it goes on. */
const SIGN_EVERY_MS = 20_000;

/** A run without a sign for this long was killed: it may have missed one, or two. */
const SIGN_LASTS_MS = 60_000;

const PAUSE_MS = 2_000;

/** The clock of a store may tell whole seconds. */
const ROUNDING_MS = 1_000;

/** A killed run has left its last sign. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Does some work again and again, without keeping the process alive for it. Gives what ends that. */
export type Repeat = (everyMs: number, work: () => Promise<void>) => () => void;

/** Which runs go on, on a journal where nobody can see the processes of the others. */
export interface SignsOfLife {
  /** Says from time to time that this run goes on, until `end`. */
  begin(): void;
  end(): Promise<void>;
  /**
   * Whether a run has gone on after this process began. Then it was not killed before that, and nothing was renamed
   * because of it. Waits for a sign where the last one is from before, until it must have come.
   */
  goesOn(runId: string): Promise<boolean>;
}

/** What signs of life need. */
interface SignParts {
  store: TimedStore;
  runs: Pick<OpenRunRecords, "find">;
  clock: Clock;
  runId: string;
  repeat: Repeat;
}

/** Each run has a document of its own: nobody else writes to it, and it costs no purchase a request. */
export function openSigns({ store, runs, clock, runId, repeat }: SignParts): SignsOfLife {
  const nameOf = (run: string) => `${FOLDER}${run}.json`;
  const own = openRecord(store, nameOf(runId), signFormat);
  let stop: (() => void) | undefined;

  async function sign(): Promise<void> {
    const change = (state: z.infer<typeof signSchema>, now: Date) => ({
      state: { ...state, at: now.toISOString() },
      result: undefined,
    });
    await own.update(change).catch(() => undefined);
  }

  /** When a run was seen last; undefined if it has ended, or nobody knows it. */
  async function lastSeenMs(run: string): Promise<number | undefined> {
    const record = await runs.find(run);
    if (record === undefined || record.ended) return undefined;
    const { at } = await openRecord(store, nameOf(run), signFormat).read();
    return Math.max(Date.parse(record.beganAt), at === "" ? 0 : Date.parse(at));
  }

  /** Takes away what killed runs have left, and the own sign. */
  async function tidyUp(): Promise<void> {
    const { value: names } = await store.documents.list(FOLDER);
    for (const name of names) {
      const { at } = await openRecord(store, name, signFormat).read();
      const isOld = at === "" || store.now().getTime() - Date.parse(at) > KEPT_MS;
      if (isOld || name === nameOf(runId)) await store.documents.erase(name);
    }
  }

  return {
    begin() {
      stop ??= repeat(SIGN_EVERY_MS, sign);
    },

    async end() {
      stop?.();
      if (own.peek() !== undefined) await tidyUp().catch(() => undefined);
    },

    async goesOn(run) {
      for (;;) {
        const seenMs = await lastSeenMs(run);
        if (seenMs === undefined) return false;
        const begunMs = store.firstHeard()?.getTime() ?? Number.POSITIVE_INFINITY;
        if (seenMs > begunMs + ROUNDING_MS) return true;
        if (store.now().getTime() - seenMs > SIGN_LASTS_MS) return false;
        await clock.sleep(PAUSE_MS);
      }
    },
  };
}

const FOLDER = "signs/";

/** Whether a document is about runs that go on: it means nothing in a copy. */
export function isSign(name: string): boolean {
  return name.startsWith(FOLDER);
}
