import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock, RunMemory, ToldFact } from "../../core/ports.ts";
import { factSchema, type RunFact } from "../../core/records/run-fact.ts";
import { remember } from "../../core/values/remember.ts";
import { codeOf, makeFolders } from "./disk.ts";
import { parseLines } from "./lines.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * Longer than any run takes, also one whose machine sleeps over a weekend. If a run takes longer all the same, its processes
 * find their files gone, and neither tell nor hear anything more. Not guaranteed: a process that joins such a run after that
 * can't know that there was anything.
 */
const KEPT_MS = 7 * 24 * HOUR_MS;

/** The same for a run whose name another one may have later: what this one has told must be gone by then. */
const KEPT_IF_REUSED_MS = 12 * HOUR_MS;

/** What the folder of such a run begins with. */
const REUSED = "port-";

/** What the processes of one run call it. */
export interface RunName {
  text: string;
  /** Whether no other run is ever called so. */
  isUnique: boolean;
}

/** Why a folder can't be read where a preview may run, though nothing can be written. */
const NOBODY_THERE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM"]);

const lineSchema = z.object({ toldAtMs: z.number(), fact: factSchema });

/** The one clock of all processes of a machine that is never set. */
const nowMs = () => Number(process.hrtime.bigint()) / 1_000_000;

function toLine(fact: RunFact): string {
  const line: ToldFact = { toldAtMs: nowMs(), fact };
  return `${JSON.stringify(line)}\n`;
}

/** One file a process. Each appends only to its own, so nothing is locked. */
export function createRunMemory(
  folder: string,
  run: RunName,
  processId: string,
  clock: Clock,
): RunMemory {
  const runsDir = join(folder, "shared-runs");
  const hash = createHash("sha256").update(run.text).digest("hex").slice(0, 16);
  const dir = join(runsDir, `${run.isUnique ? "" : REUSED}${hash}`);
  const ownFile = fileOf(processId);
  const readTo = new Map<string, number>();
  /** Whether this process has its file. */
  let isBegun = false;
  /** What could not be written stays first here: nothing that is told later may overtake it. */
  let unwritten = "";
  let written: Promise<void> = Promise.resolve();
  let isTorn = false;
  /** The write that takes all that is unwritten. */
  let next: Promise<void> | undefined;

  const begin = remember(() =>
    sweep(runsDir, run.isUnique ? dir : "", clock).catch(() => undefined),
  );

  /** A file that is gone is not made again: whoever reads it would take what is left for all that was told. */
  async function openOwnFile(): Promise<FileHandle> {
    await begin();
    if (!isBegun) await makeFolders(dir);
    const create = isBegun ? 0 : constants.O_CREAT;
    const flags = constants.O_WRONLY | constants.O_APPEND | create;
    const file = await open(join(dir, ownFile), flags, 0o600).catch((error: unknown) => {
      throw codeOf(error) === "ENOENT" ? removed() : error;
    });
    isBegun = true;
    return file;
  }

  async function write(): Promise<void> {
    const lines = unwritten;
    // What is told from here on waits for one further write.
    next = undefined;
    // A write that failed may have left a part of a line.
    const text = `${isTorn ? "\n" : ""}${lines}`;
    isTorn = true;
    const file = await openOwnFile();
    await file.appendFile(text).finally(() => file.close());
    isTorn = false;
    unwritten = unwritten.slice(lines.length);
  }

  return {
    isShared: true,

    nowMs,

    tell(fact) {
      unwritten += toLine(fact);
      next ??= written.catch(() => undefined).then(write);
      written = next;
      return next;
    },

    async hear() {
      await begin();
      // Asked for first: a file that is made meanwhile need not be in the folder yet.
      const known = [...readTo.keys(), ...(isBegun ? [ownFile] : [])];
      const names = await namesOfFiles(dir);
      if (!known.every((name) => names.includes(name))) throw removed();
      const reads: { name: string; text: string; end: number }[] = [];
      for (const name of names) {
        if (name === ownFile || !name.endsWith(".jsonl")) continue;
        reads.push({ name, ...(await readFrom(join(dir, name), readTo.get(name) ?? 0)) });
      }
      // If one file can't be read, all of them are read again.
      for (const { name, end } of reads) readTo.set(name, end);
      // The newest word counts, and a process may have told something else since.
      const lines = reads.flatMap(({ text }) => parseLines(text, lineSchema));
      // The clock begins anew when the machine does: what was told later than now, an earlier run of the name has told.
      const heardAtMs = nowMs();
      const told = lines.filter(({ toldAtMs }) => toldAtMs <= heardAtMs);
      return told.toSorted((one, other) => one.toldAtMs - other.toldAtMs);
    },

    hasTold: (name) =>
      access(join(dir, fileOf(name))).then(
        () => true,
        () => false,
      ),
  };
}

const fileOf = (processId: string) => `${processId}.jsonl`;

function removed(): Error {
  return new Error("the record of this run was removed while it went on");
}

/** None where nobody could have told anything. What can't be read for another reason is not taken for nothing. */
function namesOfFiles(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (!NOBODY_THERE.has(codeOf(error))) throw error;
    return [];
  });
}

/** The whole lines of a file from a byte on. A line that is being written is read the next time. */
async function readFrom(path: string, begin: number): Promise<{ text: string; end: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size <= begin) return { text: "", end: begin };
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(size - begin),
      position: begin,
    });
    const whole = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    return { text: buffer.subarray(0, whole).toString("utf8"), end: begin + whole };
  } finally {
    await file.close();
  }
}

/**
 * Removes what runs that ended long ago have left.
 * @param kept a folder that stays, however old: its run goes on
 */
async function sweep(runsDir: string, kept: string, clock: Clock): Promise<void> {
  for (const name of await readdir(runsDir)) {
    const path = join(runsDir, name);
    if (path === kept) continue;
    const ageMs = clock.now().getTime() - (await stat(path)).mtimeMs;
    const keptMs = name.startsWith(REUSED) ? KEPT_IF_REUSED_MS : KEPT_MS;
    if (ageMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}
