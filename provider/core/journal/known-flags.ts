import { z } from "zod";
import type { KnownFlags } from "../ports.ts";
import { type KnownFlag, knownFlagSchema, switchingRunSchema } from "../records/known-flag.ts";
import { DAY_MS } from "../values/dates.ts";
import { remember } from "../values/remember.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

const flagsSchema = z.object({
  version: z.literal(1),
  flags: z.array(knownFlagSchema),
  /** Each run once for each stack. Absent in older documents. */
  runs: z.array(switchingRunSchema).default([]),
});

type FlagsDocument = z.infer<typeof flagsSchema>;

const flagsFormat = jsonFormat<FlagsDocument>(flagsSchema, { version: 1, flags: [], runs: [] });

/** Longer than any proxy is paid for: an older flag says nothing that matters. */
const KEPT_MS = 400 * DAY_MS;

/** Longer than any run goes on. */
const RUNS_KEPT_MS = 30 * DAY_MS;

/** What the document of all flags is called. */
export const FLAGS = "flags.json";

/** A flag that this process has switched and not written down yet. */
interface Unwritten {
  flag: Omit<KnownFlag, "turn" | "at">;
  /** When it was noted, by `elapsedMs`: the store may not have told its time yet, and this machine's may be wrong. */
  notedMs: number;
  /** The highest turn that this process had seen by then. */
  seenTurn: number;
}

/** All flags in one document, because a doubt asks for all of them. */
export function openKnownFlags(store: TimedStore, runId: string, project: string): KnownFlags {
  const record = openRecord(store, FLAGS, flagsFormat);
  /** Read once, and again when something is written. What others switch meanwhile, the listing tells. */
  const readOnce = remember(() => record.read());
  const turnAtBeginning = remember(async () => nextTurn(await readOnce()));
  let unwritten: Unwritten[] = [];

  const noteRunOnce = remember((stack: string) =>
    record.update((document: FlagsDocument, now: Date) => {
      const kept = document.runs.filter(({ at }) => now.getTime() - Date.parse(at) < RUNS_KEPT_MS);
      const own = { stack, project, runId, turn: nextTurn(document), at: now.toISOString() };
      return { state: { ...document, runs: [...kept, own] }, result: undefined };
    }),
  );

  /**
   * Adds what is unwritten, with the store's time at which it was noted: so much has passed since. It is left out where
   * another process has switched the same proxy since, while this one could not write. What this process had seen by
   * then came before, whatever the clock says: it may have been set back.
   */
  function withUnwritten(flags: readonly KnownFlag[], turn: number, now: Date): KnownFlag[] {
    const own = unwritten.flatMap(({ flag, notedMs, seenTurn }) => {
      const at = new Date(now.getTime() - (store.elapsedMs() - notedMs)).toISOString();
      const isSwitchedSince = flags.some(
        (other) => proxyOf(other) === proxyOf(flag) && other.turn > seenTurn && other.at > at,
      );
      return isSwitchedSince ? [] : [{ ...flag, turn, at }];
    });
    return newestOf([...flags, ...own]);
  }

  return {
    async note(noted) {
      if (noted.length === 0) return;
      const notedMs = store.elapsedMs();
      const seenTurn = highestTurn(record.told() ?? flagsFormat.empty);
      unwritten = [...unwritten, ...noted.map((flag) => ({ flag, notedMs, seenTurn }))];
      const change = (document: FlagsDocument, now: Date) => {
        const kept = document.flags.filter(({ at }) => now.getTime() - Date.parse(at) < KEPT_MS);
        const flags = withUnwritten(kept, nextTurn(document), now);
        return { state: { ...document, flags }, result: unwritten };
      };
      const written = await record.update(change).catch((): Unwritten[] => []);
      unwritten = unwritten.filter((one) => !written.includes(one));
    },

    async saw(seen) {
      if (seen.length === 0) return;
      const turns = new Map(seen.map((flag) => [proxyOf(flag), flag.turn]));
      const change = (document: FlagsDocument) => {
        const flags = document.flags.map((flag) => {
          const { unsaved: _saved, ...saved } = flag;
          return turns.get(proxyOf(flag)) === flag.turn ? saved : flag;
        });
        return { state: { ...document, flags }, result: undefined };
      };
      await record.update(change).catch(() => undefined);
    },

    async readAll(proxyType) {
      const document = await readOnce()
        .then(() => record.seen())
        .catch(() => flagsFormat.empty);
      const flags = withUnwritten(document.flags, nextTurn(document), store.now());
      const ofType = flags.filter((flag) => flag.proxyType === proxyType);
      return new Map(ofType.map((flag) => [flag.ipAddressId, flag]));
    },

    async noteRun(stack) {
      await noteRunOnce(stack).catch(() => undefined);
    },

    turnAtBeginning,

    runsSince: async (turn) => (await record.read()).runs.filter((run) => run.turn >= turn),
  };
}

/** 0 if the document has none. */
function highestTurn({ flags, runs }: FlagsDocument): number {
  return [...flags, ...runs].reduce((highest, { turn }) => Math.max(highest, turn), 0);
}

/** One more than the highest that the document has. */
function nextTurn(document: FlagsDocument): number {
  return highestTurn(document) + 1;
}

/** Each proxy once, by what was written last. */
function newestOf(flags: readonly KnownFlag[]): KnownFlag[] {
  return [...new Map(flags.map((flag) => [proxyOf(flag), flag])).values()];
}

/** Proxies of two types may have one id. */
function proxyOf({ proxyType, ipAddressId }: Pick<KnownFlag, "proxyType" | "ipAddressId">): string {
  return `${proxyType} ${ipAddressId}`;
}
