import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ChosenFamilies, Family } from "./families.ts";
import type { SharedPlace } from "./journal-place.ts";
import type { ScheduleResult } from "./schedule.ts";

/** One schedule, as the message to the process that plays it. */
export interface Task {
  seed: number;
  families: Family[] | "mixed";
  isShrunk: boolean;
  shared?: SharedPlace | undefined;
}

/** What is to be played, and how. */
export interface PlayOptions {
  /** The seed of the first schedule. Each further schedule has the next number. */
  seed: number;
  schedules: number;
  families: ChosenFamilies;
  isShrunk: boolean;
  /** The journal that all machines share. @default files of one machine */
  shared?: SharedPlace | undefined;
  /** How many processes play. What a seed plays does not depend on it. */
  workers: number;
  /** The script that those processes run. @default `worker.ts` of this folder */
  script?: string;
  /** Is called after each schedule, and returns whether to go on. */
  onPlayed(seed: number, result: ScheduleResult): boolean;
}

const ownScript = fileURLToPath(new URL("worker.ts", import.meta.url));

/** Plays schedules in several processes. Each process takes the next schedule that nobody has played. */
export async function playAll({
  seed: first,
  schedules,
  families,
  isShrunk,
  shared,
  workers,
  script = ownScript,
  onPlayed,
}: PlayOptions): Promise<void> {
  const left = Array.from({ length: schedules }, (_, index) => first + index).values();
  let goesOn = true;

  async function playSome(): Promise<void> {
    const worker = fork(script, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Leaves out the options of this process, which a test runner may have set.
      execArgv: [],
      // One thread reads and writes files in the order of the calls. With several, the order would be random.
      env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
    });
    const gone = once(worker, "exit");
    const crashed = gone.then(([code, signal]) => {
      throw new Error(`a process that played has ended (${signal ?? code})`);
    });
    // This rejects at the ordinary end too, when nobody waits for an answer any more.
    crashed.catch(() => undefined);
    try {
      for (const seed of left) {
        if (!goesOn) return;
        const answer = once(worker, "message");
        const played = families === "mixed" ? families : [...families];
        const task: Task = { seed, families: played, isShrunk, shared };
        worker.send(task);
        const [result] = (await Promise.race([answer, crashed])) as [ScheduleResult];
        if (!onPlayed(seed, result)) goesOn = false;
      }
    } finally {
      if (worker.connected) worker.disconnect();
      await gone;
    }
  }

  await Promise.all(Array.from({ length: Math.min(workers, schedules) }, playSome));
}
