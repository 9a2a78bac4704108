import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentStore } from "../../core/journal/document-store.ts";
import { importPurchases } from "../../core/journal/import-purchases.ts";
import { JournalError } from "../../core/ports.ts";
import { type Intent, parseIntent } from "../../core/records/intent.ts";
import { explainMismatch } from "../../core/values/mismatch.ts";
import { remember } from "../../core/values/remember.ts";
import { codeOf, namesIn } from "./disk.ts";

/** How often they are listed again where a file went away between the listing and the reading. */
const MOST_READS = 50;

/**
 * Takes the purchases of release 0.1.0 into the journal before a process uses it for the first time. That release kept them as
 * `open/ID.REVISION.json` until they were done, then as `done/ID.json`. They stay where they are: another stack may use it for
 * longer, and would buy again what it does not find there.
 */
export function withEarlierFiles(documents: DocumentStore, folder: string): DocumentStore {
  const taken = remember(async () => importPurchases(documents, await readEarlier(folder)));
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

/** Release 0.1.0 may be writing meanwhile. Files move from `open` to `done`, so none is missed in this direction. */
async function readEarlier(folder: string): Promise<Intent[]> {
  const list = (kind: string) => namesIn(join(folder, kind)).catch((): string[] => []);
  for (let attempt = 1; ; attempt++) {
    try {
      const open = await readOpen(join(folder, "open"), await list("open"));
      return [...open, ...(await readDone(join(folder, "done"), await list("done")))];
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || attempt === MOST_READS) throw error;
    }
  }
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
