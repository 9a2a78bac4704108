import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../core/ports.ts";

/** A store answers in real time, whatever clock the purchases use. */
export const machineTime: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: async (ms) => void (await sleep(ms)),
};
