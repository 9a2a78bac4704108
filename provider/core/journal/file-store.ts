import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Intent, intentSchema, isDone } from "./intent.ts";
import { JournalError, type JournalStore } from "./store.ts";

/** How often the folder is listed again when a document went away between the listing and the reading. */
const MAX_READS = 5;

/**
 * Keeps each intent as one JSON document that a person can read: `open/<id>.<revision>.json` until it is
 * done, then `done/<id>.json`.
 *
 * A document is never written in place. It is written beside, flushed to the disk, and then linked to its
 * name, which fails where the name is taken: so of two processes that write the same revision one loses
 * (compare-and-set), and a crash leaves either the old document or the new one, whole. The revision before
 * is removed last.
 */
export function createFileStore(folder: string): JournalStore {
  const openDir = join(folder, "open");
  const doneDir = join(folder, "done");
  // A revision never changes once it is written, so it is read once.
  const known = new Map<string, Intent>();

  async function readAt(path: string): Promise<Intent> {
    const seen = known.get(path);
    if (seen) return seen;
    const intent = intentSchema.parse(JSON.parse(await readFile(path, "utf8")));
    known.set(path, intent);
    return intent;
  }

  /** The newest revision that is whole: a torn one was not flushed when the machine went down. */
  async function readNewest(id: string, revisions: readonly number[]): Promise<Intent> {
    const troubles: unknown[] = [];
    for (const revision of revisions.toSorted((a, b) => b - a)) {
      try {
        return await readAt(pathOf(id, revision));
      } catch (error) {
        troubles.push(error);
      }
    }
    if (troubles.every((trouble) => codeOf(trouble) === "ENOENT")) throw troubles[0];
    throw new JournalError(
      "unreadable",
      `the purchase ${join(openDir, id)} can't be read (${messageOf(troubles[0])})`,
    );
  }

  const pathOf = (id: string, revision: number) => join(openDir, `${id}.${revision}.json`);

  const donePathOf = (id: string) => join(doneDir, `${id}.json`);

  /** Written beside and flushed, then named; true unless the name was taken. */
  async function publish(intent: Intent): Promise<boolean> {
    await mkdir(openDir, { recursive: true, mode: 0o700 });
    const draft = join(openDir, `${intent.id}.${randomUUID()}.tmp`);
    try {
      await writeThrough(draft, `${JSON.stringify(intent, undefined, 2)}\n`);
      await link(draft, pathOf(intent.id, intent.revision));
      await flushFolder(openDir);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async function putAway(intent: Intent): Promise<void> {
    await mkdir(doneDir, { recursive: true, mode: 0o700 });
    await rename(pathOf(intent.id, intent.revision), donePathOf(intent.id));
  }

  async function readNewestOfAll(): Promise<Intent[]> {
    const byId = Map.groupBy(await revisionsIn(openDir), ({ id }) => id);
    return Promise.all(
      Array.from(byId, ([id, found]) =>
        readNewest(
          id,
          found.map(({ revision }) => revision),
        ),
      ),
    );
  }

  /** Others may change a document between the listing of the folder and the reading. */
  async function readSettled(): Promise<Intent[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await readNewestOfAll();
      } catch (error) {
        if (codeOf(error) !== "ENOENT" || attempt === MAX_READS) throw error;
      }
    }
  }

  return {
    async readOpen() {
      return unlessUnavailable(folder, async () => {
        const newest = await readSettled();
        // A crash may have come between the last revision and the putting away.
        await Promise.allSettled(newest.filter(isDone).map(putAway));
        return newest.filter((intent) => !isDone(intent));
      });
    },

    async readDone() {
      return unlessUnavailable(folder, async () => {
        const names = (await namesIn(doneDir)).filter((name) => name.endsWith(".json"));
        const read = await Promise.allSettled(names.map((name) => readAt(join(doneDir, name))));
        return read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      });
    },

    async create(intent) {
      return unlessUnavailable(folder, async () => {
        if ((await namesIn(doneDir)).includes(`${intent.id}.json`)) return false;
        if ((await revisionsIn(openDir)).some(({ id }) => id === intent.id)) return false;
        return publish(intent);
      });
    },

    async replace(next) {
      return unlessUnavailable(folder, async () => {
        const conflict = new JournalError(
          "conflict",
          `another process has changed the purchase ${next.id} meanwhile`,
        );
        const earlier = (await revisionsIn(openDir)).filter(
          ({ id, revision }) => id === next.id && revision < next.revision,
        );
        // A revision that is gone was changed, and perhaps put away, by somebody else.
        if (!earlier.some(({ revision }) => revision === next.revision - 1)) throw conflict;
        if (!(await publish(next))) throw conflict;
        if ((await namesIn(doneDir)).includes(`${next.id}.json`)) {
          await rm(pathOf(next.id, next.revision), { force: true });
          throw conflict;
        }
        await Promise.all(
          earlier.map(({ revision }) => rm(pathOf(next.id, revision), { force: true })),
        );
        if (isDone(next)) await putAway(next);
      });
    },

    async remove(intent) {
      return unlessUnavailable(folder, () => rm(pathOf(intent.id, intent.revision)));
    },
  };
}

/** Whatever the disk refuses (full, read-only, not ours) is one kind of trouble to the buyer. */
async function unlessUnavailable<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(
      "unavailable",
      `the journal in ${folder} can't be used (${messageOf(error)})`,
      error,
    );
  }
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes names durable. Some systems can't flush a folder, and need not. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function revisionsIn(folder: string): Promise<{ id: string; revision: number }[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const [, id, revision] = /^(.+)\.(\d+)\.json$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id, revision: Number(revision) }];
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
