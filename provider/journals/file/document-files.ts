import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type RawEntry, StoreFailure } from "../../core/journal/raw-store.ts";
import type { Clock } from "../../core/ports.ts";
import { messageOf } from "../../core/values/message-of.ts";
import type { Product } from "../bounded-store.ts";
import { codeOf, exists, flushFolder, makeFolders, writeThrough } from "./disk.ts";
import { firstName, follow, measureNewest, readNewest } from "./document-folder.ts";

/** Older than any process that is still to give its draft a name. */
const ABANDONED_MS = 60 * 60 * 1000;

/** What the folder of a document ends with, and no part of a name has. */
const DOCUMENT = "@";

/** What asking again does not change. */
const lasting: ReadonlySet<unknown> = new Set([
  ...["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG"],
  ...["ENOTDIR", "EISDIR", "ENAMETOOLONG", "ELOOP"],
]);

/**
 * Each document is a folder of its own, `a/b.json@/`: `document-folder.ts` says what is in it. It is made by giving a
 * folder with the first revision its name, which fails where there is one, and is erased as a whole: it is never empty.
 * A process that is killed leaves the old revision or the new one.
 */
export function createDocumentFiles(root: string, clock: Pick<Clock, "now">): Product {
  const drafts = join(root, ".drafts");
  let swept: Promise<void> | undefined;

  const folderOf = (name: string) => join(root, ...`${name}${DOCUMENT}`.split("/"));

  const now = <Value>(value: Value) => ({ value, at: clock.now() });

  /** The path of a folder that nobody else has, beside what is to have a name some day. */
  async function makeDraft(): Promise<string> {
    await makeFolders(drafts);
    swept ??= sweepDrafts(drafts).catch(() => undefined);
    await swept;
    return join(drafts, randomUUID());
  }

  /** Gives a document its first revision; undefined where it has one. */
  async function begin(folder: string, text: string): Promise<string | undefined> {
    const draft = await makeDraft();
    const name = firstName();
    try {
      await mkdir(draft, { mode: 0o700 });
      await writeThrough(join(draft, name), text);
      await flushFolder(draft);
      await makeFolder(dirname(folder), root);
      // Fails where there is a folder that is not empty.
      await rename(draft, folder);
      await flushFolder(dirname(folder));
      return name;
    } catch (error) {
      if (isTaken(error) && (await readNewest(folder)) !== undefined) return undefined;
      throw error;
    } finally {
      await rm(draft, { force: true, recursive: true }).catch(() => undefined);
    }
  }

  /** All at once: whoever goes on from what was erased finds that it is gone. */
  async function erase(folder: string): Promise<void> {
    const draft = await makeDraft();
    try {
      await rename(folder, draft);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    await rm(draft, { force: true, recursive: true });
    await removeEmpty(dirname(folder), root);
  }

  return {
    place: `file://${root}`,

    read: (name) => judged(async () => now(await readNewest(folderOf(name)))),

    create: (name, text) =>
      judged(async () => {
        const folder = folderOf(name);
        if (await exists(folder)) return now(undefined);
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

    erase: (name) => judged(() => erase(folderOf(name))),

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
  const made = await makeFolders(folder);
  if (made === undefined) return;
  // What is above the root of a disk is that root itself.
  const above = dirname(root);
  for (let at = folder; at !== above; at = dirname(at)) await flushFolder(at);
  await flushFolder(above);
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
      const bytes = await measureNewest(path);
      if (bytes === undefined) return [];
      return [{ name: relative(root, path).slice(0, -1).split(sep).join("/"), bytes }];
    }),
  );
  return found.flat();
}

function isTaken(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST", "EPERM"].includes(String(codeOf(error)));
}
