import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openHere, times } from "./real-journal.ts";

/** What such a process can be told to do, with its arguments. */
const tasks = {
  /** Adds to a number in a file, as nobody may who is not alone. */
  async count(folder: string, path: string, additions: string) {
    const { locks } = openHere(folder);
    for (let n = 0; n < Number(additions); n++) {
      await locks.withAccount(times, async (lock) => {
        const before = Number(readFileSync(path, "utf8"));
        await sleep(1);
        lock.assertHeld();
        writeFileSync(path, String(before + 1));
      });
    }
  },

  /** Takes its turn and keeps it; on each line that it is given it says whether it still has it. */
  async hold(folder: string) {
    await openHere(folder).locks.withAccount(times, async (lock) => {
      console.log("has it");
      for await (const _line of process.stdin) {
        try {
          lock.assertHeld();
          console.log("has it still");
        } catch (error) {
          console.log(`lost: ${error instanceof Error ? error.message : error}`);
        }
      }
    });
  },

  /** Hangs with the turn for so long that others take it for dead, and then acts at once. */
  async hang(folder: string, ms: string) {
    await openHere(folder).locks.withAccount(times, async (lock) => {
      console.log("has it");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms));
      try {
        lock.assertHeld();
        console.log("has it still");
      } catch {
        console.log("lost");
      }
    });
  },

  /** Is a run, until it is told to end. */
  async live(folder: string, runId: string) {
    await openHere(folder).locks.holdRun(runId);
    console.log("alive");
    for await (const _line of process.stdin) break;
  },
};

const [task = "", ...args] = process.argv.slice(2);
if (!(task in tasks)) throw new Error(`no such task: ${task}`);
await (tasks[task as keyof typeof tasks] as (...args: string[]) => Promise<void>)(...args);
process.exit(0);
