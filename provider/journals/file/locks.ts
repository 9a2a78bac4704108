import { statSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, JournalError, type Locks } from "../../core/ports.ts";

/** A holder without a heartbeat for this long counts as gone. Its name is random, never a pid: pids are used again. */
const STALE_MS = 5_000;

const HEARTBEAT_MS = 1_000;

const FIRST_WAIT_MS = 20;

const LONGEST_WAIT_MS = 250;

/** Locks as files, kept fresh by proper-lockfile, so that they work for all processes of this machine. */
export function createFileLocks(folder: string, clock: Clock): Locks {
  const runsDir = join(folder, "runs");
  const accountPath = join(folder, "account");
  let holdingRun: Promise<() => Promise<void>> | undefined;

  const pathOf = (runId: string) => join(runsDir, runId);

  const isFresh = async (runId: string) => {
    const { check } = await import("proper-lockfile");
    return check(pathOf(runId), { realpath: false, stale: STALE_MS });
  };

  async function hold(path: string, onLost: () => void) {
    const { lock } = await import("proper-lockfile");
    return lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: HEARTBEAT_MS,
      onCompromised: onLost,
    });
  }

  /** Removes what killed runs have left. A live run has a fresh heartbeat. */
  async function sweepRuns(): Promise<void> {
    const runs = (await readdir(runsDir)).map((name) => name.replace(/\.lock$/, ""));
    for (const runId of runs) {
      if (!(await isFresh(runId))) {
        await rm(`${pathOf(runId)}.lock`, { recursive: true, force: true });
      }
    }
  }

  async function beginRun(runId: string): Promise<() => Promise<void>> {
    await mkdir(runsDir, { recursive: true, mode: 0o700 });
    await sweepRuns().catch(() => undefined);
    return hold(pathOf(runId), () => undefined);
  }

  return {
    async holdRun(runId) {
      holdingRun ??= beginRun(runId).catch(rethrowAsUnavailable(folder));
      await holdingRun;
    },

    async letRunGo() {
      const letGo = await holdingRun?.catch(() => undefined);
      // A process that took this run for dead has removed it already.
      await letGo?.().catch(() => undefined);
    },

    async isRunAlive(runId) {
      const giveUpMs = clock.elapsedMs() + STALE_MS + HEARTBEAT_MS;
      while (await isFresh(runId)) {
        // A run that was just killed looks alive until its last heartbeat is old.
        if (clock.elapsedMs() > giveUpMs) return true;
        await clock.sleep(LONGEST_WAIT_MS);
      }
      return false;
    },

    async withAccount(waitMs, work) {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrowAsUnavailable(folder));
      const giveUpMs = clock.elapsedMs() + waitMs;
      let pauseMs = FIRST_WAIT_MS;
      let lost = false;
      for (let contended = false; ; contended = true) {
        const release = await hold(accountPath, () => {
          lost = true;
        }).catch(unlessTaken(folder));
        if (release) {
          const own = lookAt(accountPath);
          const assertHeld = () => assertNotLost(lost || !isHeld(accountPath, own));
          try {
            return await work({ contended, assertHeld });
          } finally {
            // What another one has taken over meanwhile is its own; our next heartbeat finds that out.
            if (isOurs(lookAt(accountPath), own)) await release().catch(() => undefined);
          }
        }
        if (clock.elapsedMs() > giveUpMs) {
          throw new JournalError("busy", "another run keeps buying from the same account");
        }
        await clock.sleep(pauseMs);
        pauseMs = Math.min(LONGEST_WAIT_MS, pauseMs * 2);
      }
    },
  };
}

/**
 * Asks the disk, and not only the last heartbeat: when a machine wakes up, it goes on with its work before the next
 * heartbeat. A lock with an old heartbeat is not held either, because anybody may take it now. Heartbeats are times
 * of this machine, whatever clock the purchases use.
 */
function isHeld(path: string, own: LockStats): boolean {
  const now = lookAt(path);
  return isOurs(now, own) && now !== undefined && now.mtimeMs >= Date.now() - STALE_MS;
}

/** Whether a lock is the one that was taken, and not another one in its place. */
function isOurs(now: LockStats, own: LockStats): boolean {
  return now?.ino === own?.ino && now?.birthtimeMs === own?.birthtimeMs;
}

type LockStats = ReturnType<typeof lookAt>;

function lookAt(path: string) {
  return statSync(`${path}.lock`, { throwIfNoEntry: false });
}

function assertNotLost(lost: boolean): void {
  if (!lost) return;
  throw new JournalError(
    "busy",
    "this process lost its turn on the account, as happens when the machine sleeps",
  );
}

/** Gives undefined if somebody else holds the lock. */
function unlessTaken(folder: string) {
  return (error: unknown): undefined => {
    if (error instanceof Error && "code" in error && error.code === "ELOCKED") return undefined;
    rethrowAsUnavailable(folder)(error);
  };
}

function rethrowAsUnavailable(folder: string) {
  return (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalError("unavailable", `the journal in ${folder} can't be used (${reason})`);
  };
}
