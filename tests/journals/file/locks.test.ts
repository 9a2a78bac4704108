import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Locks } from "../../../provider/core/ports.ts";
import { createFileLocks } from "../../../provider/journals/file/locks.ts";
import { createManualClock } from "../../core/support/account-under-test.ts";
import { begin, beginCommand, pathOf } from "./children.ts";
import { makeFolder, troubleOf } from "./folders.ts";

/** Locks by the real time, as processes see it. */
function realLocks(folder: string): Locks {
  const clock = {
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    sleep: (ms: number) => sleep(ms),
  };
  return createFileLocks(folder, clock);
}

const lockOf = (folder: string) => join(folder, "account.lock");

describe("a turn on the account", () => {
  test("is given to one at a time, in one process too", async () => {
    const locks = realLocks(makeFolder());
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(1);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => locks.withAccount(60_000, work)));
    expect(most).toBe(1);
  });

  test("gives what was done, and is over when that failed", async () => {
    const locks = realLocks(makeFolder());
    await expect(
      locks.withAccount(0, async () => {
        throw new Error("no luck");
      }),
    ).rejects.toThrow("no luck");
    expect(await locks.withAccount(0, async () => 7)).toBe(7);
  });

  test("says whether somebody else had it meanwhile", async () => {
    const locks = realLocks(makeFolder());
    let second: Promise<boolean> | undefined;
    const first = await locks.withAccount(0, async ({ contended }) => {
      second = locks.withAccount(10_000, async (lock) => lock.contended);
      await sleep(30);
      return contended;
    });
    expect([first, await second]).toEqual([false, true]);
  });

  test("that does not come in time is told, and the time is the clock's", async () => {
    const folder = makeFolder();
    const clock = createManualClock();
    const locks = createFileLocks(folder, clock);
    await locks.withAccount(0, async () => {
      const { reason, message } = await troubleOf(locks.withAccount(10_000, async () => 7));
      expect(reason).toBe("busy");
      expect(message).toContain("another run");
    });
    const waited = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(10_000);
    expect(waited).toBeLessThan(10_500);
    expect(Math.max(...clock.waits)).toBeLessThanOrEqual(250);
  });

  test("can't be had below a file", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    const locks = realLocks(join(file, "journal"));
    for (const use of [() => locks.withAccount(0, async () => 7), () => locks.holdRun("run-1")]) {
      expect((await troubleOf(use())).reason).toBe("unavailable");
    }
  });

  test.each([
    ["taken away", (lock: string) => rmSync(lock, { recursive: true })],
    [
      "taken over by another process",
      (lock: string) => {
        rmSync(lock, { recursive: true });
        // So that the next one can't be given the same place on the disk.
        mkdirSync(`${lock}.other`);
        mkdirSync(lock);
      },
    ],
    ["left without a heartbeat", (lock: string) => utimesSync(lock, 1, 1)],
  ])("that was %s is known to be lost at once, before the next heartbeat", async (_how, take) => {
    const folder = makeFolder();
    await realLocks(folder).withAccount(0, async (lock) => {
      lock.assertHeld();
      take(lockOf(folder));
      expect(() => lock.assertHeld()).toThrow("lost its turn");
    });
  });
});

test("a holder whose turn was taken over does not end that of the other one", async () => {
  const folder = makeFolder();
  await realLocks(folder).withAccount(0, async () => {
    rmSync(lockOf(folder), { recursive: true });
    // So that the next one can't be given the same place on the disk.
    mkdirSync(`${lockOf(folder)}.other`);
    mkdirSync(lockOf(folder));
  });
  expect(existsSync(lockOf(folder))).toBe(true);
});

test("a holder that hung, and whose turn nobody has taken, ends it", async () => {
  const folder = makeFolder();
  await realLocks(folder).withAccount(0, async () => utimesSync(lockOf(folder), 1, 1));
  expect(existsSync(lockOf(folder))).toBe(false);
});

describe("a run", () => {
  test("that nobody has seen is not alive, and a new one sweeps what killed ones left", async () => {
    const folder = makeFolder();
    const locks = realLocks(folder);
    expect(await locks.isRunAlive("run-0")).toBe(false);
    mkdirSync(join(folder, "runs", "dead.lock"), { recursive: true });
    mkdirSync(join(folder, "runs", "alive.lock"));
    utimesSync(join(folder, "runs", "dead.lock"), 1, 1);
    await locks.holdRun("run-1");
    await locks.holdRun("run-1");
    expect(readdirSync(join(folder, "runs")).sort()).toEqual(["alive.lock", "run-1.lock"]);
    expect(await locks.isRunAlive("dead")).toBe(false);
  });

  test("that is let go is not alive any more, although its process goes on", async () => {
    const folder = makeFolder();
    const locks = realLocks(folder);
    await locks.letRunGo();
    await locks.holdRun("run-1");
    await locks.letRunGo();
    expect(readdirSync(join(folder, "runs"))).toEqual([]);
  });
});

/** These wait for real heartbeats, all at the same time. */
describe.concurrent("between processes", () => {
  test("turns are taken one at a time: no addition is lost", async () => {
    const folder = makeFolder();
    const path = join(folder, "count");
    writeFileSync(path, "0");
    const children = [1, 2, 3].map(() => begin("lock-child.ts", "count", folder, path, "15"));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0]);
    expect(readFileSync(path, "utf8")).toBe("45");
  }, 60_000);

  test("a holder that was stopped and goes on is told that its turn is over", async () => {
    const folder = makeFolder();
    const child = begin("lock-child.ts", "hold", folder);
    expect(await child.nextLine()).toBe("has it");
    child.signal("SIGSTOP");
    await realLocks(folder).withAccount(10_000, async () => {
      child.tell("?");
      child.signal("SIGCONT");
      expect(await child.nextLine()).toMatch(/^lost: .*lost its turn/);
    });
  }, 60_000);

  test("a holder that hung is told so in its very next step", async () => {
    const folder = makeFolder();
    const child = begin("lock-child.ts", "hang", folder, "6500");
    expect(await child.nextLine()).toBe("has it");
    await realLocks(folder).withAccount(10_000, async () => {
      expect(await child.nextLine()).toBe("lost");
    });
  }, 60_000);

  test("turn and run are kept for as long as their process lives, and go with it at once", async () => {
    const folder = makeFolder();
    const locks = realLocks(folder);
    const holder = begin("lock-child.ts", "hold", folder);
    expect(await holder.nextLine()).toBe("has it");
    const run = begin("lock-child.ts", "live", folder, "run-1");
    expect(await run.nextLine()).toBe("alive");
    const busy = troubleOf(locks.withAccount(6_500, async () => 7));
    expect(await locks.isRunAlive("run-1")).toBe(true);
    expect((await busy).reason).toBe("busy");
    holder.tell("?");
    expect(await holder.nextLine()).toBe("has it still");
    run.tell("end");
    expect(await run.ended()).toBe(0);
    // Nobody has to wait for the last heartbeat to be old.
    expect(readdirSync(join(folder, "runs"))).not.toContain("run-1.lock");
    expect(await locks.isRunAlive("run-1")).toBe(false);
  }, 60_000);

  /** A process on a machine whose clock is so many seconds ahead, on the same volume. */
  const beginAhead = (seconds: number, ...args: string[]) =>
    beginCommand("env", [
      `NODE_OPTIONS=--require ${fileURLToPath(import.meta.resolve("../../support/machine-clock.cjs"))}`,
      `TEST_MACHINE_TIME=${new Date(Date.now() + seconds * 1_000).toISOString()}`,
      ...[process.execPath, pathOf("lock-child.ts"), ...args],
    ]);

  test("a turn that a machine takes whose clock is ahead is lost to its holder before that acts", async () => {
    const folder = makeFolder();
    const holder = begin("lock-child.ts", "hold", folder);
    expect(await holder.nextLine()).toBe("has it");
    const other = beginAhead(20, "hold", folder);
    expect(await other.nextLine()).toBe("has it");
    holder.tell("?");
    expect(await holder.nextLine()).toMatch(/^lost: .*lost its turn/);
    other.tell("?");
    expect(await other.nextLine()).toBe("has it still");
  }, 60_000);

  test("a turn is not taken from a living holder by a machine whose clock is behind", async () => {
    const folder = makeFolder();
    const holder = begin("lock-child.ts", "hold", folder);
    expect(await holder.nextLine()).toBe("has it");
    const other = beginAhead(-20, "hold", folder);
    await sleep(7_000);
    holder.tell("?");
    expect(await holder.nextLine()).toBe("has it still");
    other.signal("SIGKILL");
  }, 60_000);

  test("turn and run of a process that was killed are free again when the last heartbeat is old", async () => {
    const folder = makeFolder();
    const locks = realLocks(folder);
    const children = [
      begin("lock-child.ts", "hold", folder),
      begin("lock-child.ts", "live", folder, "run-1"),
    ];
    for (const child of children) {
      await child.nextLine();
      child.signal("SIGKILL");
      await child.ended();
    }
    const alive = locks.isRunAlive("run-1");
    await locks.withAccount(10_000, async (lock) => lock.assertHeld());
    expect(await alive).toBe(false);
  }, 60_000);
});
