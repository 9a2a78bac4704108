import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, JournalError, type Presence } from "../../core/ports.ts";
import { messageOf } from "../../core/values/message-of.ts";

/** A run without a heartbeat for this long counts as gone. Its name is random, never a pid: pids are used again. */
const STALE_MS = 5_000;

const HEARTBEAT_MS = 1_000;

const PAUSE_MS = 250;

/**
 * Which runs of this machine go on: each keeps a file fresh, by proper-lockfile. So a run that was killed is found out
 * within seconds.
 */
export function createHeartbeats(folder: string, clock: Clock): Presence {
  const runsDir = join(folder, "runs");
  let showing: Promise<Shown> | undefined;
  let shown: Shown | undefined;

  const pathOf = (runId: string) => join(runsDir, runId);

  const isFresh = async (runId: string) => {
    const { check } = await import("proper-lockfile");
    return check(pathOf(runId), { realpath: false, stale: STALE_MS });
  };

  /** Removes what killed runs have left. A live run has a fresh heartbeat. */
  async function sweep(): Promise<void> {
    const runs = (await readdir(runsDir)).map((name) => name.replace(/\.lock$/, ""));
    for (const runId of runs) {
      if (!(await isFresh(runId))) {
        await rm(`${pathOf(runId)}.lock`, { recursive: true, force: true });
      }
    }
  }

  async function begin(runId: string): Promise<Shown> {
    const { lock } = await import("proper-lockfile");
    await mkdir(runsDir, { recursive: true, mode: 0o700 });
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

  return {
    async show(runId) {
      showing ??= begin(runId).catch((error: unknown) => {
        showing = undefined;
        const reason = `the journal in ${folder} can't be used (${messageOf(error)})`;
        throw new JournalError("unavailable", reason, error);
      });
      shown = await showing;
    },

    async hide() {
      const begun = await showing?.catch(() => undefined);
      // A process that took this run for dead has removed it already.
      await begun?.stop().catch(() => undefined);
    },

    async isAlive(runId) {
      const giveUpMs = clock.elapsedMs() + STALE_MS + HEARTBEAT_MS;
      while (await isFresh(runId)) {
        // A run that was just killed looks alive until its last heartbeat is old.
        if (clock.elapsedMs() > giveUpMs) return true;
        await clock.sleep(PAUSE_MS);
      }
      return false;
    },

    /**
     * Takes the heartbeat of who is gone away. If that process goes on all the same, it finds that out before it sends;
     * if it has just shown itself, it keeps its turn.
     */
    async isGone({ runId }) {
      if (await isFresh(runId)) return false;
      const path = `${pathOf(runId)}.lock`;
      const away = `${path}.${randomUUID()}`;
      const isTaken = await rename(path, away).then(
        () => true,
        () => false,
      );
      if (!isTaken) return true;
      const { mtimeMs } = await stat(away);
      const isBack = mtimeMs >= Date.now() - STALE_MS;
      if (isBack) await rename(away, path);
      else await rm(away, { recursive: true, force: true });
      return !isBack;
    },

    isShown: () => shown !== undefined && isKept(shown),
  };
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
 * heartbeat. With an old heartbeat this run is not shown either, because anybody may take it for dead now. Heartbeats
 * are times of this machine, whatever clock the purchases use.
 */
function isKept({ path, isLost, file }: Shown): boolean {
  const now = lookAt(path);
  const isSame = now?.ino === file?.ino && now?.birthtimeMs === file?.birthtimeMs;
  return !isLost && isSame && now !== undefined && now.mtimeMs >= Date.now() - STALE_MS;
}

function lookAt(path: string) {
  return statSync(`${path}.lock`, { throwIfNoEntry: false });
}
