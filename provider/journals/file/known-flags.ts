import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, KnownFlags } from "../../core/ports.ts";
import { type KnownFlag, knownFlagSchema } from "../../core/records/known-flag.ts";
import { namesIn } from "./disk.ts";
import { parseLines } from "./lines.ts";

/** One file a process, one line a flag. No process writes into the file of another, so nothing is locked. */
export function createKnownFlags(folder: string, runId: string, clock: Clock): KnownFlags {
  const dir = join(folder, "flags");
  const own: KnownFlag[] = [];
  /** Read once, and again before something is written. What others switch meanwhile, the listing tells. */
  let others: Promise<KnownFlag[]> | undefined;
  let written: Promise<unknown> = Promise.resolve();

  async function readOthers(): Promise<KnownFlag[]> {
    const names = (await namesIn(dir)).filter((name) => name !== `${runId}.jsonl`);
    const texts = await Promise.all(names.map((name) => readFile(join(dir, name), "utf8")));
    return texts.flatMap((text) => parseLines(text, knownFlagSchema));
  }

  async function append(text: string): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await appendFile(join(dir, `${runId}.jsonl`), text, { mode: 0o600, flush: true });
  }

  return {
    async note(flags) {
      if (flags.length === 0) return;
      const at = clock.now().toISOString();
      others = readOthers().catch(() => []);
      const turn = Math.max(0, ...[...(await others), ...own].map((known) => known.turn)) + 1;
      const noted = flags.map((flag) => ({ ...flag, turn, at }));
      own.push(...noted);
      const text = noted.map((flag) => `${JSON.stringify(flag)}\n`).join("");
      written = written.then(() => append(text)).catch(() => undefined);
      await written;
    },

    async readAll() {
      others ??= readOthers().catch(() => []);
      const inTurn = [...(await others), ...own].toSorted(byTurn);
      return new Map(inTurn.map((flag) => [flag.ipAddressId, flag]));
    },
  };
}

/** If two were written at once, the one that is on counts: a flag that is taken for on gets switched off. */
function byTurn(a: KnownFlag, b: KnownFlag): number {
  return (
    a.turn - b.turn ||
    Date.parse(a.at) - Date.parse(b.at) ||
    Number(a.autoExtend) - Number(b.autoExtend)
  );
}
