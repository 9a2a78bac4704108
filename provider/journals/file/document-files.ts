import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type RawEntry, StoreFailure } from "../../core/journal/raw-store.ts";
import type { Clock } from "../../core/ports.ts";
import { messageOf } from "../../core/values/message-of.ts";
import type { Product } from "../bounded-store.ts";
import { codeOf, flushFolder, namesIn, writeThrough } from "./disk.ts";

/** Older than any process that is still to give its draft a name. */
const ABANDONED_MS = 60 * 60 * 1000;

/** What the folder of a document ends with, and no part of a name has. */
const DOCUMENT = "@";

/** How often a folder is listed again when what it held went away between the listing and the reading. */
const MOST_LOOKS = 50;

/** What asking again does not change. */
const lasting: ReadonlySet<unknown> = new Set([
  ...["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG"],
  ...["ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP"],
]);

/** A file that holds a revision: the same number may be given to another one, the whole of this never. */
interface Revision {
  number: number;
  version: string;
  text: string;
}

/** A revision that is to be given a name, down on the disk already. */
interface Draft {
  path: string;
  /** As versions tell it: see `versionOf`. */
  mtimeNs: bigint;
}

/**
 * Each document is a folder of its own, `a/b.json@/`, and its revisions are files in it, `1`, `2`. The newest has the
 * highest number. Those before it are swept by its writer, the lowest first.
 *
 * No file is written in place, and no lock is held. A draft is flushed to the disk, and then linked to the number after
 * its base's, which fails where that number is taken. It may be free again where others have gone far beyond and have
 * swept it; but then they have swept the base before, and a base that was swept never comes back: so whoever finds the base
 * still there was the first. A document is made by giving a folder with its first revision its name, which fails
 * where there is one: a document's folder is never empty. A process that is killed leaves the old revision or the
 * new one.
 */
export function createDocumentFiles(root: string, clock: Pick<Clock, "now">): Product {
  const drafts = join(root, ".drafts");
  let swept: Promise<void> | undefined;

  const folderOf = (name: string) => join(root, ...`${name}${DOCUMENT}`.split("/"));

  const now = <Value>(value: Value) => ({ value, at: clock.now() });

  async function write(text: string): Promise<Draft> {
    await mkdir(drafts, { recursive: true, mode: 0o700 });
    swept ??= sweepDrafts(drafts).catch(() => undefined);
    await swept;
    const path = join(drafts, randomUUID());
    await writeThrough(path, text);
    const { mtimeNs } = await stat(path, { bigint: true });
    return { path, mtimeNs };
  }

  /** Gives a document its first revision; undefined where it has one. */
  async function begin(folder: string, text: string): Promise<string | undefined> {
    const { path, mtimeNs } = await write(text);
    const whole = `${path}${DOCUMENT}`;
    try {
      await mkdir(whole, { mode: 0o700 });
      await rename(path, join(whole, "1"));
      await flushFolder(whole);
      await makeFolder(dirname(folder), root);
      // Fails where there is a folder that is not empty.
      await rename(whole, folder);
      await flushFolder(dirname(folder));
      return versionOf(1, mtimeNs, text);
    } catch (error) {
      if (isTaken(error) && (await newestIn(folder)) !== undefined) return undefined;
      throw error;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
      await rm(whole, { force: true, recursive: true }).catch(() => undefined);
    }
  }

  /** Puts a revision after its base; undefined where somebody else has. */
  async function follow(folder: string, base: string, text: string): Promise<string | undefined> {
    const before = await newestIn(folder);
    if (before?.version !== base) return undefined;
    const number = before.number + 1;
    const { path, mtimeNs } = await write(text);
    try {
      // Asked before as well, so that it hardly ever has to be taken back.
      if (!(await isThere(folder, before))) return undefined;
      await link(path, join(folder, `${number}`));
      if (!(await isThere(folder, before))) {
        await rm(join(folder, `${number}`), { force: true });
        return undefined;
      }
      await flushFolder(folder);
      await sweep(folder, number).catch(() => undefined);
      return versionOf(number, mtimeNs, text);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return undefined;
      throw error;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  return {
    place: `file://${root}`,

    read: (name) =>
      judged(async () => {
        const newest = await newestIn(folderOf(name));
        return now(newest && { text: newest.text, version: newest.version });
      }),

    create: (name, text) =>
      judged(async () => {
        const folder = folderOf(name);
        if ((await newestIn(folder)) !== undefined) return now(undefined);
        return now(await begin(folder, text));
      }),

    replace: (name, version, text) =>
      judged(async () => now(await follow(folderOf(name), version, text))),

    list: (prefix) =>
      judged(async () => {
        const above = prefix.split("/").slice(0, -1);
        const entries = await listBelow(root, join(root, ...above));
        return now(entries.filter(({ name }) => name.startsWith(prefix)));
      }),

    erase: (name) =>
      judged(async () => {
        const folder = folderOf(name);
        for (const number of await numbersIn(folder)) await rm(join(folder, `${number}`));
        await removeEmpty(folder, root);
      }),

    /** Takes the folder of drafts away where nobody has one in it. */
    close: () => rmdir(drafts).catch(() => undefined),
  };
}

/** Whatever the disk refuses is told as it says it. */
async function judged<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreFailure) throw error;
    const kind = lasting.has(codeOf(error)) ? "refused" : "unanswered";
    throw new StoreFailure(kind, messageOf(error), error);
  }
}

/** The newest revision; undefined where there is no document. */
async function newestIn(folder: string): Promise<Revision | undefined> {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    const [newest] = await numbersIn(folder);
    // A listing may miss both of two files while one takes the place of the other.
    if (newest === undefined && !(await exists(folder))) return undefined;
    if (newest === undefined) continue;
    const revision = await readRevision(folder, newest);
    if (revision !== undefined) return revision;
  }
  throw new StoreFailure("busy", "others write to it all the time");
}

/** The numbers of all revisions, the highest first. */
async function numbersIn(folder: string): Promise<number[]> {
  const numbers = (await namesIn(folder)).flatMap((name) => {
    const [, number] = /^(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.toSorted((a, b) => b - a);
}

async function readRevision(folder: string, number: number): Promise<Revision | undefined> {
  try {
    const file = await open(join(folder, `${number}`));
    try {
      const text = await file.readFile("utf8");
      const { mtimeNs } = await file.stat({ bigint: true });
      return { number, text, version: versionOf(number, mtimeNs, text) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** By text and time: the same text may be drafted again, later. */
function versionOf(number: number, mtimeNs: bigint, text: string): string {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${number}.${mtimeNs}.${digest}`;
}

async function isThere(folder: string, { number, version }: Revision): Promise<boolean> {
  return (await readRevision(folder, number))?.version === version;
}

/** Takes away what is older than a revision: the oldest first, see above. */
async function sweep(folder: string, newest: number): Promise<void> {
  const older = (await numbersIn(folder)).filter((number) => number < newest);
  for (const number of older.toReversed()) await rm(join(folder, `${number}`), { force: true });
}

/** What killed processes have left. */
async function sweepDrafts(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Makes a folder, and its name and those above it durable. */
async function makeFolder(folder: string, root: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let at = folder; at.length >= root.length; at = dirname(at)) await flushFolder(at);
  await flushFolder(dirname(root));
}

/** Takes a folder away, and those above it that nothing is left in. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let at = folder; at.length > root.length; at = dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** All documents below a folder. */
async function listBelow(root: string, folder: string): Promise<RawEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const found = await Promise.all(
    folders.map(async ({ name }) => {
      const path = join(folder, name);
      if (!name.endsWith(DOCUMENT)) return listBelow(root, path);
      const bytes = await measure(path);
      if (bytes === undefined) return [];
      return [{ name: relative(root, path).slice(0, -1).split(sep).join("/"), bytes }];
    }),
  );
  return found.flat();
}

/** How long the newest revision is; undefined where there is no document. */
async function measure(folder: string): Promise<number | undefined> {
  const [newest] = await numbersIn(folder);
  const stats = await stat(join(folder, `${newest}`)).catch(() => undefined);
  if (stats !== undefined) return stats.size;
  const revision = await newestIn(folder);
  return revision && Buffer.byteLength(revision.text);
}

function isTaken(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST", "EPERM"].includes(String(codeOf(error)));
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
