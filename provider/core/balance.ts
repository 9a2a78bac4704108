import type { Clock } from "./service.ts";

/** The account's balance, as far as answers have told it. */
export interface Balance {
  /** The balance before anything of this run was bought; later ones are ignored, so quotes stay the same. */
  first(seen: number): number;
  /** To be called with each balance that an answer tells, and when its question was asked. */
  saw(balance: number, askedAtMs: number): void;
  /** To be called after each spending call, with the balance that its answer told, if it did. */
  spent(balance: number | undefined): void;
  /** The newest balance; undefined where a spending call came after the last one that was told. */
  latest(): number | undefined;
}

/** Makes the memory of one process. */
export function createBalance(clock: Clock): Balance {
  let first: number | undefined;
  let latest: number | undefined;
  let spentAtMs = Number.NEGATIVE_INFINITY;
  return {
    first(seen) {
      first ??= seen;
      return first;
    },
    saw(balance, askedAtMs) {
      // What was asked before a purchase may have been answered before it or after it.
      if (askedAtMs >= spentAtMs) latest = balance;
    },
    spent(balance) {
      latest = balance;
      spentAtMs = clock.elapsedMs();
    },
    latest: () => latest,
  };
}
