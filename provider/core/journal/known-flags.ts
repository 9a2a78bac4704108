import { z } from "zod";
import type { KnownFlags } from "../ports.ts";
import { type KnownFlag, knownFlagSchema } from "../records/known-flag.ts";
import { remember } from "../values/remember.ts";
import { jsonFormat, openRecord, type TimedStore } from "./record.ts";

const flagsSchema = z.object({ version: z.literal(1), flags: z.array(knownFlagSchema) });

const flagsFormat = jsonFormat(flagsSchema, {
  version: 1,
  flags: [],
});

/** Longer than any proxy is paid for: an older flag says nothing that matters. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** All flags in one document, because a doubt asks for all of them. */
export function openKnownFlags(store: TimedStore): KnownFlags {
  const record = openRecord(store, "flags.json", flagsFormat);
  /** Read once, and again when something is written. What others switch meanwhile, the listing tells. */
  const readOnce = remember(() => record.read());
  /** What this process has switched and not written down yet. */
  let unwritten: KnownFlag[] = [];

  return {
    async note(noted) {
      if (noted.length === 0) return;
      const at = store.now().toISOString();
      unwritten = newestOf([...unwritten, ...noted.map((flag) => ({ ...flag, turn: 0, at }))]);
      const change = ({ version, flags }: z.infer<typeof flagsSchema>, now: Date) => {
        const kept = flags.filter(({ at }) => now.getTime() - Date.parse(at) < KEPT_MS);
        const turn = Math.max(0, ...kept.map((flag) => flag.turn)) + 1;
        const written = unwritten;
        const newer = written
          .filter((flag) => !isSwitchedSince(flag, kept))
          .map((flag) => ({ ...flag, turn, at: now.toISOString() }));
        return { state: { version, flags: newestOf([...kept, ...newer]) }, result: written };
      };
      const written = await record.update(change).catch((): KnownFlag[] => []);
      unwritten = unwritten.filter((flag) => !written.includes(flag));
    },

    async readAll() {
      const { flags } = await readOnce()
        .then(() => record.seen())
        .catch(() => flagsFormat.empty);
      return new Map(newestOf([...flags, ...unwritten]).map((flag) => [flag.ipAddressId, flag]));
    },
  };
}

/** Whether another process has switched it after that, while this one could not write. */
function isSwitchedSince({ ipAddressId, at }: KnownFlag, stored: readonly KnownFlag[]): boolean {
  return stored.some((other) => other.ipAddressId === ipAddressId && other.at > at);
}

/** Each proxy once, by what was written last. */
function newestOf(flags: readonly KnownFlag[]): KnownFlag[] {
  return [...new Map(flags.map((flag) => [flag.ipAddressId, flag])).values()];
}
