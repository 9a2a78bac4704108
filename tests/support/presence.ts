import type { Presence } from "../../provider/core/ports.ts";

/** Runs that follow one another in one process: when the next begins, all before it have ended. */
export const nobodyElse: Presence = {
  show: async () => undefined,
  hide: async () => undefined,
  isAlive: async () => false,
  isGone: async () => true,
  isShown: () => true,
};

/** Runs that all go on, and everybody can see that. */
export const everybody: Presence = {
  show: async () => undefined,
  hide: async () => undefined,
  isAlive: async () => true,
  isGone: async () => false,
  isShown: () => true,
};
