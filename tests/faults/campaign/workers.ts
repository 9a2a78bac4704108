import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Families, Family } from "./families.ts";
import type { ScheduleResult } from "./schedule.ts";

/** One schedule to be played, as it is sent to the process that plays it. */
export interface Task {
  seed: number;
  families: Family[];
  isShrunk: boolean;
}

/** What is to be played, and how. */
export interface PlayOptions {
  /** The first seed; each next schedule has the next. */
  seed: number;
  schedules: number;
  families: Families;
  isShrunk: boolean;
  /** How many processes play. What a seed plays does not depend on it. */
  workers: number;
  /** The script of those processes. @default the one of this folder */
  script?: string;
  /** Told of each schedule; answers whether to go on. */
  onPlayed(seed: number, result: ScheduleResult): boolean;
}

const ownScript = fileURLToPath(new URL("worker.ts", import.meta.url));

/** Plays schedules in processes of their own, each the next that nobody has played. */
export async function playAll({
  seed: first,
  schedules,
  families,
  isShrunk,
  workers,
  script = ownScript,
  onPlayed,
}: PlayOptions): Promise<void> {
  const left = Array.from({ length: schedules }, (_, index) => first + index).values();
  let goesOn = true;

  async function playSome(): Promise<void> {
    const worker = fork(script, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Not what the process that starts them was given, as by a runner of tests.
      execArgv: [],
      // Files are read and written in the order in which that was asked for: several threads would make it random.
      env: { ...process.env, UV_THREADPOOL_SIZE: "1" },
    });
    const gone = once(worker, "exit");
    const crashed = gone.then(([code, signal]) => {
      throw new Error(`a process that played has ended (${signal ?? code})`);
    });
    // Its ordinary end comes when nobody waits for an answer any more.
    crashed.catch(() => undefined);
    try {
      for (const seed of left) {
        if (!goesOn) return;
        const answer = once(worker, "message");
        const task: Task = { seed, families: [...families], isShrunk };
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
