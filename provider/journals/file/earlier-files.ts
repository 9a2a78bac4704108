import { mkdir, readFile, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentStore } from "../../core/journal/document-store.ts";
import { importPurchases } from "../../core/journal/import-purchases.ts";
import { JournalError } from "../../core/ports.ts";
import { type Intent, parseIntent } from "../../core/records/intent.ts";
import { explainMismatch } from "../../core/values/mismatch.ts";
import { remember } from "../../core/values/remember.ts";
import { codeOf, exists, namesIn } from "./disk.ts";

/** Where release 0.1.0 kept its purchases: `open/ID.REVISION.json` until they were done, then `done/ID.json`. */
const FOLDERS = ["open", "done"] as const;

/** How often they are listed again where a file went away between the listing and the reading. */
const MOST_READS = 50;

/**
 * Takes the purchases of release 0.1.0 into the journal before a process uses it for the first time. Another stack may use
 * that release for longer, so there may be new ones at any time.
 */
export function withEarlierFiles(documents: DocumentStore, folder: string): DocumentStore {
  const taken = remember(() => takeOver(documents, folder));
  const first =
    <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      await taken();
      return call(...args);
    };
  return {
    place: documents.place,
    read: first(documents.read),
    create: first(documents.create),
    replace: first(documents.replace),
    remove: first(documents.remove),
    list: first(documents.list),
    erase: first(documents.erase),
    close: documents.close,
  };
}

async function takeOver(documents: DocumentStore, folder: string): Promise<void> {
  const { names, purchases } = await readEarlier(folder);
  await importPurchases(documents, purchases);
  for (const kind of FOLDERS) await putBeside(folder, kind, names[kind]);
}

interface Earlier {
  /** Of the files that were read. */
  names: Record<(typeof FOLDERS)[number], readonly string[]>;
  purchases: readonly Intent[];
}

/** Release 0.1.0 may be writing meanwhile. Files move from `open` to `done`, so none is missed in this direction. */
async function readEarlier(folder: string): Promise<Earlier> {
  const list = (kind: string) => namesIn(join(folder, kind)).catch((): string[] => []);
  for (let attempt = 1; ; attempt++) {
    try {
      const open = await list("open");
      const underWay = await readOpen(join(folder, "open"), open);
      const done = await list("done");
      const purchases = [...underWay, ...(await readDone(join(folder, "done"), done))];
      return { names: { open, done }, purchases };
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || attempt === MOST_READS) throw error;
    }
  }
}

/**
 * What is in the journal stays beside it, for who goes back to release 0.1.0. Only files that were read are moved, and none
 * over another one. What can't be moved is read again by the next process.
 */
async function putBeside(folder: string, kind: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const beside = join(folder, `${kind}-of-0.1.0`);
  try {
    await mkdir(beside, { recursive: true, mode: 0o700 });
    for (const name of names) {
      const kept = join(beside, name);
      if (!(await exists(kept))) await rename(join(folder, kind, name), kept);
    }
    await rmdir(join(folder, kind));
  } catch {}
}

/** The newest revision of each; where a crash has torn it, the one before. */
async function readOpen(folder: string, names: readonly string[]): Promise<Intent[]> {
  const found = names.flatMap((name) => {
    const [, id, revision] = /^(.+)\.(\d+)\.json$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id, revision: Number(revision), path: join(folder, name) }];
  });
  const byId = Map.groupBy(found, ({ id }) => id);
  return Promise.all(
    Array.from(byId.values(), async (revisions) => {
      const newestFirst = revisions.toSorted((a, b) => b.revision - a.revision);
      for (const [index, { path }] of newestFirst.entries()) {
        const read = await readWhole(path);
        if (read !== undefined) return read;
        if (index === newestFirst.length - 1) throw unreadable(path, "it is torn");
      }
      throw unreadable(folder, "it is empty");
    }),
  );
}

/** One that is torn says nothing more. */
async function readDone(folder: string, names: readonly string[]): Promise<Intent[]> {
  const paths = names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  const read = await Promise.all(paths.map(readWhole));
  return read.filter((intent) => intent !== undefined);
}

/** Undefined if it is torn. Throws as the disk does where it is gone. What is whole and not understood may say that something is paid. */
async function readWhole(path: string): Promise<Intent | undefined> {
  try {
    return parseIntent(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (codeOf(error) === "ENOENT") throw error;
    throw unreadable(path, explainMismatch(error));
  }
}

function unreadable(path: string, reason: string): JournalError {
  return new JournalError("unreadable", `the purchase ${path} can't be read (${reason})`);
}
