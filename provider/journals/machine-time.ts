import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Repeat } from "../core/journal/signs-of-life.ts";
import type { Clock } from "../core/ports.ts";

/** Does some work from time to time. A process that has nothing else to do ends. */
export const repeatedly: Repeat = (everyMs, work) => {
  const timer = setInterval(() => void work(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
};

/** Time as this machine tells it. A store answers in it, whatever clock the purchases use. */
export const machineTime: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: async (ms) => void (await sleep(ms)),
};
