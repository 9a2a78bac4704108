import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { JournalError, type JournalStore } from "../../core/ports.ts";
import { type Intent, isDone, parseIntent } from "../../core/records/intent.ts";
import {
  codeOf,
  flushFolder,
  isThere,
  messageOf,
  namesIn,
  readIfThere,
  writeThrough,
} from "./disk.ts";

/** Where the revision before this one is; a first one has none. */
type Former = "none" | "open" | "done";

/** How often to list the folder again if a document went away between the listing and the reading. */
const MAX_READS = 50;

/**
 * Keeps each intent as one JSON document that a person can read: `open/<id>.<revision>.json` until it is done, then
 * `done/<id>.json`. A document is never written in place. It is written to a draft, flushed to the disk, and then
 * linked to its name, which fails if the name is taken. So if two processes write the same revision, one of them
 * loses (compare-and-set). A crash leaves either the old document or the new one, whole. The revision before is
 * removed last.
 */
export function createFileStore(folder: string): JournalStore {
  const openDir = join(folder, "open");
  const doneDir = join(folder, "done");
  // A revision never changes once it is written, so it is read once.
  const known = new Map<string, Intent>();

  async function readAt(path: string): Promise<Intent> {
    const seen = known.get(path);
    if (seen) return seen;
    const intent = parseIntent(await readFile(path, "utf8"));
    known.set(path, intent);
    return intent;
  }

  /**
   * A document that was torn says nothing more. One that is whole and not understood, as of a later release, may say
   * that something is paid.
   */
  async function readIfWhole(path: string): Promise<Intent[]> {
    try {
      return [await readAt(path)];
    } catch (error) {
      if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return [];
      throw new JournalError(
        "unreadable",
        `the purchase ${path} can't be read (${messageOf(error)})`,
      );
    }
  }

  /**
   * The newest revision. If it is torn, because the machine went down before it was flushed, the one before it, under
   * the number of the newest, so that the next one finds a free name.
   */
  async function readNewest(id: string, revisions: readonly number[]): Promise<Intent> {
    const newest = Math.max(...revisions);
    let trouble: unknown;
    for (const revision of revisions.toSorted((a, b) => b - a)) {
      try {
        return { ...(await readAt(pathOf(id, revision))), revision: newest };
      } catch (error) {
        // Another process has written a newer one meanwhile, so an older one is not the newest either.
        if (codeOf(error) === "ENOENT") throw error;
        trouble ??= error;
        // It is whole, and not understood. An older one would say less.
        if (!(error instanceof SyntaxError)) break;
      }
    }
    throw new JournalError(
      "unreadable",
      `the purchase ${join(openDir, id)} can't be read (${messageOf(trouble)})`,
    );
  }

  const pathOf = (id: string, revision: number) => join(openDir, `${id}.${revision}.json`);

  const donePathOf = (id: string) => join(doneDir, `${id}.json`);

  /** Writes a draft, flushes it, and then names it. True unless the name was taken, or should have been. */
  async function publish(intent: Intent, goesOnFrom: Former): Promise<boolean> {
    await mkdir(openDir, { recursive: true, mode: 0o700 });
    const draft = join(openDir, `${intent.id}.${randomUUID()}.tmp`);
    try {
      await writeThrough(draft, textOf(intent));
      // Others may have written a newer one while this was flushed. It is asked before the naming too, so that a
      // document is hardly ever taken back: until then a listing that misses the newest one takes this for it.
      if (goesOnFrom !== "none" && (await isOvertaken(intent, goesOnFrom))) return false;
      await link(draft, pathOf(intent.id, intent.revision));
      const isOurs = !(await isOvertaken(intent, goesOnFrom));
      await flushFolder(openDir);
      if (!isOurs) await rm(pathOf(intent.id, intent.revision), { force: true });
      return isOurs;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** Older revisions go first. If one stayed, it would count again. */
  async function putAway(intent: Intent): Promise<void> {
    await mkdir(doneDir, { recursive: true, mode: 0o700 });
    await removeEarlier(intent);
    try {
      await rename(pathOf(intent.id, intent.revision), donePathOf(intent.id));
    } catch (error) {
      // Another reader of this document has put it away.
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }

  async function removeEarlier({ id, revision }: Intent): Promise<void> {
    const earlier = (await revisionsOf(id)).filter((other) => other < revision);
    // The oldest first. A name is free again only when the one before it is gone.
    for (const other of earlier.toSorted((a, b) => a - b)) {
      await rm(pathOf(id, other), { force: true });
    }
  }

  async function revisionsOf(id: string): Promise<number[]> {
    const found = await revisionsIn(openDir);
    return found.flatMap((one) => (one.id === id ? [one.revision] : []));
  }

  /**
   * Whether others have already used the name of this revision, and left it free again. Then this one must be taken
   * back. Others remove the revision before theirs. While it is there, nobody has gone on. A listing of the folder is
   * less sure, because it may miss a document that moves meanwhile. It decides only about a first revision, which has
   * none before it. A slow process may be told this by mistake: that stops a run, and loses nothing.
   */
  async function isOvertaken(written: Intent, goesOnFrom: Former): Promise<boolean> {
    const { id, revision } = written;
    // This is asked at once: until it is taken back, it could be taken for the newest one.
    if (goesOnFrom === "open") return !(await isThere(pathOf(id, revision - 1)));
    if (goesOnFrom === "done") return (await revisionDone(id)) !== revision - 1;
    if ((await revisionsOf(id)).some((other) => other > revision)) return true;
    const done = await readIfThere(donePathOf(id));
    return done !== undefined && done !== textOf(written);
  }

  /** The revision of a document that was put away; undefined if there is none. */
  async function revisionDone(id: string): Promise<number | undefined> {
    const text = await readIfThere(donePathOf(id));
    return text === undefined ? undefined : parseIntent(text).revision;
  }

  async function readNewestOfAll(): Promise<Intent[]> {
    const found = await revisionsIn(openDir);
    const byId = Map.groupBy(found, ({ id }) => id);
    // A free name may be used again for another document.
    const listed = new Set(found.map(({ id, revision }) => pathOf(id, revision)));
    for (const path of known.keys()) {
      if (dirname(path) === openDir && !listed.has(path)) known.delete(path);
    }
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
  async function readStable(): Promise<Intent[]> {
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
        const newest = await readStable();
        // A crash may have prevented that a done document was put away.
        await Promise.allSettled(newest.filter(isDone).map(putAway));
        return newest.filter((intent) => !isDone(intent));
      });
    },

    async readDone() {
      return unlessUnavailable(folder, async () => {
        const names = (await namesIn(doneDir)).filter((name) => name.endsWith(".json"));
        return (await Promise.all(names.map((name) => readIfWhole(join(doneDir, name))))).flat();
      });
    },

    async create(intent) {
      return unlessUnavailable(folder, async () => {
        // Looks in the direction in which documents move, so that it misses none on the way.
        if ((await revisionsOf(intent.id)).length > 0) return false;
        if ((await readIfThere(donePathOf(intent.id))) !== undefined) return false;
        return publish(intent, "none");
      });
    },

    async replace(next) {
      return unlessUnavailable(folder, async () => {
        const conflict = new JournalError(
          "conflict",
          `another process has changed the purchase ${next.id} meanwhile`,
        );
        // If it is gone, another process has changed it, and perhaps put it away.
        const before = next.revision - 1;
        // Not by a listing of the folder, which may miss a document while others come and go beside it.
        const isOpen = await isThere(pathOf(next.id, before));
        if (!isOpen && (await revisionDone(next.id)) !== before) throw conflict;
        if (!(await publish(next, isOpen ? "open" : "done"))) throw conflict;
        known.delete(donePathOf(next.id));
        if (isDone(next)) await putAway(next);
        else await removeEarlier(next);
      });
    },

    async remove(intent) {
      return unlessUnavailable(folder, () => rm(pathOf(intent.id, intent.revision)));
    },
  };
}

/** Whatever the disk refuses (full, read-only, not ours) is one kind of error for the buyer. */
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

function textOf(intent: Intent): string {
  return `${JSON.stringify(intent, undefined, 2)}\n`;
}

async function revisionsIn(folder: string): Promise<{ id: string; revision: number }[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const [, id, revision] = /^(.+)\.(\d+)\.json$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id, revision: Number(revision) }];
  });
}
