import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type RawDocument, StoreFailure } from "../../core/journal/raw-store.ts";
import { messageOf } from "../../core/values/message-of.ts";
import { codeOf, exists, flushFolder, namesIn, writeThrough } from "./disk.ts";

/** How often a folder is listed again when what it held went away between the listing and the reading. */
const MOST_LOOKS = 50;

/** What stands in the folder of a document, by its name. */
type Entry = { name: string; number: number; id: string } & (
  | { kind: "newest" }
  | { kind: "superseded"; by: string }
  | { kind: "draft" }
);

type Next = Pick<Entry, "number" | "id">;

/** What the first revision of a document is named. */
export function firstName(): string {
  return nameOf({ number: 1, id: randomUUID() });
}

/** The newest revision; undefined where there is no document. */
export async function readNewest(folder: string): Promise<RawDocument | undefined> {
  return findNewest(folder, async (path, version) => {
    const file = await open(path);
    try {
      return { text: await file.readFile("utf8"), version };
    } finally {
      await file.close();
    }
  });
}

/** How long the newest revision is, in bytes; undefined where there is no document. */
export async function measureNewest(folder: string): Promise<number | undefined> {
  return findNewest(folder, async (path) => (await stat(path)).size);
}

/**
 * Puts a revision after the one of this version; undefined where that is not the newest.
 *
 * The folder of a document holds its newest revision, as a file that is named by its number and an ID that no other
 * revision ever has: `7.ID`. No file is written in place, and no lock is held:
 *
 * 1. What is to follow is flushed to the disk as `8.NEXT.draft`.
 * 2. `7.ID` is renamed `7.ID.NEXT`. **This decides**: it is done once, and only while `7.ID` is the newest.
 * 3. The draft is renamed `8.NEXT`, by its writer, or by whoever comes by after that one was killed.
 * 4. What is older is swept.
 *
 * So a file named `7.ID` is the newest revision for as long as it can be opened by that name, and who is told that it
 * is gone has written nothing.
 */
export async function follow(
  folder: string,
  version: string,
  text: string,
): Promise<string | undefined> {
  const base = parse(version);
  if (base === undefined || !(await exists(join(folder, version)))) return undefined;
  const next = { number: base.number + 1, id: randomUUID() };
  if (!(await decide(folder, version, next, text))) return undefined;
  try {
    await publish(folder, next);
    await flushFolder(folder);
  } catch (error) {
    // It is decided: whatever the disk says now, this was written.
    throw new StoreFailure("unanswered", messageOf(error), error);
  }
  await sweep(folder, next).catch(() => undefined);
  return nameOf(next);
}

/** Steps 1 and 2. Whether it is this revision that follows. */
async function decide(folder: string, version: string, next: Next, text: string): Promise<boolean> {
  const draft = draftOf(folder, next);
  const superseded = join(folder, `${version}.${next.id}`);
  try {
    await writeThrough(draft, text);
    await flushFolder(folder);
    await rename(join(folder, version), superseded);
    return true;
  } catch (error) {
    // After any other error nobody knows whether it is decided: then the draft has to stay.
    if (codeOf(error) !== "ENOENT") throw error;
    // A disk in a network may carry out what it is asked twice, and answer the second.
    if (await exists(superseded)) return true;
    await rm(draft, { force: true }).catch(() => undefined);
    return false;
  }
}

/** Step 3, unless it is done already. */
async function publish(folder: string, next: Next): Promise<void> {
  try {
    await rename(draftOf(folder, next), join(folder, nameOf(next)));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Step 4: what came before a revision, and drafts that came too late to follow that. */
async function sweep(folder: string, { number, id }: Next): Promise<void> {
  const entries = await entriesIn(folder);
  // Where it is not there any more, this may be another document, which was made when the first one was erased.
  if (!entries.some((entry) => entry.id === id)) return;
  const old = entries.filter(
    (entry) => entry.number < number || (entry.kind === "draft" && entry.number === number),
  );
  for (const { name } of old) await rm(join(folder, name), { force: true });
}

/** Looks at the newest revision; undefined where there is no document. */
async function findNewest<Seen>(
  folder: string,
  look: (path: string, version: string) => Promise<Seen>,
): Promise<Seen | undefined> {
  for (let looks = 1; looks <= MOST_LOOKS; looks++) {
    const entries = await entriesIn(folder);
    const newest = entries.find(({ kind }) => kind === "newest");
    const last = entries.find((entry) => entry.kind === "superseded");
    if (newest !== undefined) {
      try {
        return await look(join(folder, newest.name), newest.name);
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
      }
    } else if (last !== undefined) {
      await publish(folder, { number: last.number + 1, id: last.by });
    } else if (!(await exists(folder))) {
      return undefined;
    }
    // Nothing was seen: a listing may miss both of two names while a file is given the other one.
  }
  throw new StoreFailure("busy", "others write to it all the time");
}

/** The highest number first. */
async function entriesIn(folder: string): Promise<Entry[]> {
  const entries = (await namesIn(folder)).map(parse).filter((entry) => entry !== undefined);
  return entries.toSorted((a, b) => b.number - a.number);
}

function parse(name: string): Entry | undefined {
  const [, digits, id, more] = /^(\d+)\.([0-9a-f-]+)(?:\.([0-9a-f-]+|draft))?$/.exec(name) ?? [];
  if (digits === undefined || id === undefined) return undefined;
  const entry = { name, number: Number(digits), id };
  if (more === undefined) return { ...entry, kind: "newest" };
  return more === "draft"
    ? { ...entry, kind: "draft" }
    : { ...entry, kind: "superseded", by: more };
}

/** The name of a revision while it is the newest, which is its version too. */
function nameOf({ number, id }: Next): string {
  return `${number}.${id}`;
}

function draftOf(folder: string, next: Next): string {
  return join(folder, `${nameOf(next)}.draft`);
}
