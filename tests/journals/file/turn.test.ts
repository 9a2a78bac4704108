import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../core/support/account-under-test.ts";
import { begin, beginCommand, pathOf } from "./children.ts";
import { makeFolder, troubleOf } from "./folders.ts";
import { folderIn, openHere, times } from "./real-journal.ts";

const pathOfHeartbeat = (folder: string, runId: string) =>
  join(folderIn(folder), "runs", `${runId}.lock`);

describe("a turn on the account", () => {
  test("that does not come in time is told, and the time is the clock's", async () => {
    const folder = makeFolder();
    const clock = createManualClock();
    await openHere(folder).locks.withAccount(times, async () => {
      const patient = { holdMs: 60_000, waitMs: 10_000 };
      const waiting = openHere(folder, clock).locks.withAccount(patient, async () => 7);
      const { reason, message } = await troubleOf(waiting);
      expect(reason).toBe("busy");
      expect(message).toContain("another run");
    });
    const waited = clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThan(10_000);
    expect(waited).toBeLessThan(12_000);
  });

  test("can't be had below a file", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    const { locks } = openHere(join(file, "journal"));
    for (const use of [
      () => locks.withAccount(times, async () => 7),
      () => locks.holdRun("run-1"),
    ]) {
      expect((await troubleOf(use())).reason).toBe("unavailable");
    }
  });

  test.each([
    ["was swept by who took it for dead", (path: string) => rmSync(path, { recursive: true })],
    [
      "is another one's",
      (path: string) => {
        rmSync(path, { recursive: true });
        // So that the next one can't be given the same place on the disk.
        mkdirSync(`${path}.other`);
        mkdirSync(path);
      },
    ],
    ["is old", (path: string) => utimesSync(path, 1, 1)],
  ])(
    "of a run whose heartbeat %s is known to be lost at once, before the next one",
    async (_how, take) => {
      const folder = makeFolder();
      const { locks, runId } = openHere(folder);
      await locks.withAccount(times, async (lock) => {
        lock.assertHeld();
        take(pathOfHeartbeat(folder, runId));
        expect(() => lock.assertHeld()).toThrow("lost its turn");
      });
    },
  );

  test("of a holder that was taken for dead is not ended by it", async () => {
    const folder = makeFolder();
    const { locks, runId } = openHere(folder);
    const next = openHere(folder);
    const taken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await locks.withAccount(times, async () => {
      utimesSync(pathOfHeartbeat(folder, runId), 1, 1);
      void next.locks.withAccount(times, async () => {
        taken.resolve();
        await goOn.promise;
      });
      await taken.promise;
    });
    const impatient = { holdMs: 60_000, waitMs: 0 };
    const { reason } = await troubleOf(
      openHere(folder).locks.withAccount(impatient, async () => 7),
    );
    goOn.resolve();
    expect(reason).toBe("busy");
  });
});

describe("a run", () => {
  test("that nobody has seen is not alive, and a new one sweeps what killed ones left", async () => {
    const folder = makeFolder();
    const { locks } = openHere(folder);
    expect(await locks.isRunAlive("run-0")).toBe(false);
    mkdirSync(join(folderIn(folder), "runs", "dead.lock"), { recursive: true });
    mkdirSync(join(folderIn(folder), "runs", "alive.lock"));
    utimesSync(join(folderIn(folder), "runs", "dead.lock"), 1, 1);
    await locks.holdRun("run-1");
    await locks.holdRun("run-1");
    expect(readdirSync(join(folderIn(folder), "runs")).sort()).toEqual([
      "alive.lock",
      "run-1.lock",
    ]);
    expect(await locks.isRunAlive("dead")).toBe(false);
  });

  test("that is let go is not alive any more, although its process goes on", async () => {
    const folder = makeFolder();
    const { locks } = openHere(folder);
    await locks.letRunGo();
    await locks.holdRun("run-1");
    await locks.letRunGo();
    expect(readdirSync(join(folderIn(folder), "runs"))).toEqual([]);
  });
});

/** These wait for real heartbeats, all at the same time. */
describe.concurrent("between processes", () => {
  test("turns are taken one at a time: no addition is lost", async () => {
    const folder = makeFolder();
    const path = join(folder, "count");
    writeFileSync(path, "0");
    const children = [1, 2, 3].map(() => begin("turn-child.ts", "count", folder, path, "15"));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0]);
    expect(readFileSync(path, "utf8")).toBe("45");
  }, 60_000);

  test("a holder that was stopped and goes on is told that its turn is over", async () => {
    const folder = makeFolder();
    const child = begin("turn-child.ts", "hold", folder);
    expect(await child.nextLine()).toBe("has it");
    child.signal("SIGSTOP");
    await openHere(folder).locks.withAccount({ holdMs: 60_000, waitMs: 10_000 }, async () => {
      child.tell("?");
      child.signal("SIGCONT");
      expect(await child.nextLine()).toMatch(/^lost: .*lost its turn/);
    });
  }, 60_000);

  test("a holder that hung is told so in its very next step", async () => {
    const folder = makeFolder();
    const child = begin("turn-child.ts", "hang", folder, "6500");
    expect(await child.nextLine()).toBe("has it");
    await openHere(folder).locks.withAccount({ holdMs: 60_000, waitMs: 10_000 }, async () => {
      expect(await child.nextLine()).toBe("lost");
    });
  }, 60_000);

  test("turn and run are kept for as long as their process lives, and go with it at once", async () => {
    const folder = makeFolder();
    const { locks } = openHere(folder);
    const holder = begin("turn-child.ts", "hold", folder);
    expect(await holder.nextLine()).toBe("has it");
    const run = begin("turn-child.ts", "live", folder, "run-1");
    expect(await run.nextLine()).toBe("alive");
    const busy = troubleOf(locks.withAccount({ holdMs: 60_000, waitMs: 6_500 }, async () => 7));
    expect(await locks.isRunAlive("run-1")).toBe(true);
    expect((await busy).reason).toBe("busy");
    holder.tell("?");
    expect(await holder.nextLine()).toBe("has it still");
    run.tell("end");
    expect(await run.ended()).toBe(0);
    // Nobody has to wait for the last heartbeat to be old.
    expect(readdirSync(join(folderIn(folder), "runs"))).not.toContain("run-1.lock");
    expect(await locks.isRunAlive("run-1")).toBe(false);
  }, 60_000);

  /** A process on a machine whose clock is so many seconds ahead, on the same volume. */
  const beginAhead = (seconds: number, ...args: string[]) =>
    beginCommand("env", [
      `NODE_OPTIONS=--require ${fileURLToPath(import.meta.resolve("../../support/machine-clock.cjs"))}`,
      `TEST_MACHINE_TIME=${new Date(Date.now() + seconds * 1_000).toISOString()}`,
      ...[process.execPath, pathOf("turn-child.ts"), ...args],
    ]);

  test("a turn that a machine takes whose clock is ahead is lost to its holder before that acts", async () => {
    const folder = makeFolder();
    const holder = begin("turn-child.ts", "hold", folder);
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
    const holder = begin("turn-child.ts", "hold", folder);
    expect(await holder.nextLine()).toBe("has it");
    const other = beginAhead(-20, "hold", folder);
    await sleep(7_000);
    holder.tell("?");
    expect(await holder.nextLine()).toBe("has it still");
    other.signal("SIGKILL");
  }, 60_000);

  test("turn and run of a process that was killed are free again when the last heartbeat is old", async () => {
    const folder = makeFolder();
    const { locks } = openHere(folder);
    const children = [
      begin("turn-child.ts", "hold", folder),
      begin("turn-child.ts", "live", folder, "run-1"),
    ];
    for (const child of children) {
      await child.nextLine();
      child.signal("SIGKILL");
      await child.ended();
    }
    const alive = locks.isRunAlive("run-1");
    await locks.withAccount({ holdMs: 60_000, waitMs: 10_000 }, async (lock) => lock.assertHeld());
    expect(await alive).toBe(false);
  }, 60_000);
});
