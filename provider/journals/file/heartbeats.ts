import { statSync } from "node:fs";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, JournalError, type Presence } from "../../core/ports.ts";
import { messageOf } from "../../core/values/message-of.ts";
import { codeOf, makeFolders } from "./disk.ts";

/** A run whose heartbeat stands still for this long counts as gone. Its name is random, never a pid: pids are used again. */
const STALE_MS = 5_000;

const HEARTBEAT_MS = 1_000;

/** A run sends only with a heartbeat that is younger, so nobody can take it for dead before what it sends has left. */
const SURE_MS = STALE_MS - HEARTBEAT_MS;

const PAUSE_MS = 250;

/**
 * Which runs of this machine go on: each keeps a file fresh, by proper-lockfile. So a run that was killed is found out
 * within seconds. All these are times of this machine, whatever clock the purchases use.
 *
 * A run may be stopped, taken for dead, and go on, all at any moment. So who takes it for dead
 *
 * 1. sees that its heartbeat stands still,
 * 2. marks the run: **from here on it sends nothing**, whatever follows,
 * 3. looks again: a run that found no mark yet, and sends, had a new heartbeat before that, which shows now,
 * 4. removes first the heartbeat and then the mark, and says that the run is gone.
 *
 * A heartbeat that has moved stays, and the mark with it: the run has its turn until it gives it back. Nothing is ever put
 * back, so any number may do this at once, and whoever is killed on the way leaves what the next one does again.
 */
export function createHeartbeats(folder: string, clock: Clock): Presence {
  const runsDir = join(folder, "runs");
  const watched = new Map<string, Watched>();
  let showing: Promise<Shown> | undefined;
  let shown: Shown | undefined;

  const pathOf = (runId: string) => join(runsDir, runId);

  /**
   * Whether a heartbeat is gone, or has not moved for too long. What moves is alive, whatever its times are: a clock may
   * be set in the midst of a run. Only for what was never seen before its own time must do.
   */
  async function isStale(runId: string): Promise<boolean> {
    const mtimeMs = await lastHeartbeatMs(`${pathOf(runId)}.lock`);
    if (mtimeMs === undefined) return true;
    const before = watched.get(runId);
    const ageMs = before === undefined ? Math.max(0, Date.now() - mtimeMs) : 0;
    const now =
      before?.mtimeMs === mtimeMs ? before : { mtimeMs, sinceMs: performance.now() - ageMs };
    watched.set(runId, now);
    return performance.now() - now.sinceMs > STALE_MS;
  }

  async function isGone(runId: string): Promise<boolean> {
    if (!(await isStale(runId))) return false;
    await makeFolders(runsDir);
    await writeFile(markOf(pathOf(runId)), "", { mode: 0o600 });
    if (!(await isStale(runId))) return false;
    await rm(`${pathOf(runId)}.lock`, { recursive: true, force: true });
    await rm(markOf(pathOf(runId)), { force: true });
    return true;
  }

  /** Removes what killed runs have left. */
  async function sweep(): Promise<void> {
    for (const name of await readdir(runsDir)) await isGone(name.replace(/\.(lock|gone)$/, ""));
  }

  async function begin(runId: string): Promise<Shown> {
    const { lock } = await import("proper-lockfile");
    await makeFolders(runsDir);
    await sweep().catch(() => undefined);
    const path = pathOf(runId);
    const begun: Shown = { path, isLost: false, file: undefined, stop: async () => undefined };
    begun.stop = await lock(path, {
      ...{ realpath: false, stale: STALE_MS, update: HEARTBEAT_MS },
      onCompromised: () => {
        begun.isLost = true;
      },
    });
    begun.file = lookAt(path);
    return begun;
  }

  function refuse(error: unknown): never {
    const reason = `the journal in ${folder} can't be used (${messageOf(error)})`;
    throw new JournalError("unavailable", reason, error);
  }

  return {
    async show(runId) {
      showing ??= begin(runId).catch((error: unknown) => {
        showing = undefined;
        return refuse(error);
      });
      shown = await showing;
    },

    async hide() {
      const begun = await showing?.catch(() => undefined);
      // A process that took this run for dead has removed it already.
      await begun?.stop().catch(() => undefined);
      if (begun !== undefined) await rm(markOf(begun.path), { force: true }).catch(() => undefined);
    },

    async isAlive(runId) {
      const giveUpMs = clock.elapsedMs() + STALE_MS + HEARTBEAT_MS;
      while (!(await isStale(runId))) {
        // A run that was just killed looks alive until its last heartbeat is old.
        if (clock.elapsedMs() > giveUpMs) return true;
        await clock.sleep(PAUSE_MS);
      }
      return false;
    },

    isGone: ({ runId }) => isGone(runId).catch(refuse),

    isShown: () => shown !== undefined && isKept(shown),
  };
}

/** A heartbeat of another process, and since when it stands still, by a clock that nobody sets. */
interface Watched {
  mtimeMs: number;
  sinceMs: number;
}

/** The heartbeat of this process. */
interface Shown {
  path: string;
  isLost: boolean;
  file: Stats;
  stop(): Promise<void>;
}

type Stats = ReturnType<typeof lookAt>;

/**
 * Asks the disk, and not only the last heartbeat: when a machine wakes up, it goes on with its work before the next
 * heartbeat. With an old heartbeat this run is not shown either, because anybody may take it for dead now.
 *
 * The order counts: who looks for a mark before the heartbeat may miss one, and so may who does not look at the heartbeat
 * once more, because the mark goes after that.
 */
function isKept({ path, isLost, file }: Shown): boolean {
  const last = lookAt(path);
  const isSure = last !== undefined && Math.abs(Date.now() - last.mtimeMs) <= SURE_MS;
  if (isLost || !isSure || isMarked(path)) return false;
  const now = lookAt(path);
  return now !== undefined && now.ino === file?.ino && now.birthtimeMs === file.birthtimeMs;
}

function lookAt(path: string) {
  return statSync(`${path}.lock`, { throwIfNoEntry: false });
}

function isMarked(path: string): boolean {
  return statSync(markOf(path), { throwIfNoEntry: false }) !== undefined;
}

/** What says that somebody takes a run for dead. */
function markOf(path: string): string {
  return `${path}.gone`;
}

/** Undefined where there is none. */
async function lastHeartbeatMs(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
