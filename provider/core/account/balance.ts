import type { Clock, ProxyService } from "../ports.ts";

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
  /** The newest balance, where it was told after that moment. */
  since(sinceMs: number): number | undefined;
}

/** Makes the memory of one process. */
export function createBalance(clock: Clock): Balance {
  let first: number | undefined;
  let latest: number | undefined;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let spentAtMs = Number.NEGATIVE_INFINITY;
  return {
    first(seen) {
      first ??= seen;
      return first;
    },
    saw(balance, askedAtMs) {
      // What was asked before a purchase may have been answered before it or after it.
      if (askedAtMs < spentAtMs) return;
      latest = balance;
      toldAtMs = askedAtMs;
    },
    spent(balance) {
      latest = balance;
      spentAtMs = clock.elapsedMs();
      toldAtMs = spentAtMs;
    },
    latest: () => latest,
    since: (sinceMs) => (toldAtMs > sinceMs ? latest : undefined),
  };
}

/**
 * The balance as it is now, asked for where it was not told after `sinceMs`. What was told earlier may be
 * from before another process, or another person, has bought; it stands in only where the service can't be
 * asked.
 */
export async function readBalance(
  {
    service,
    clock,
    balance,
  }: { service: Pick<ProxyService, "getBalance">; clock: Clock; balance: Balance },
  sinceMs = Number.POSITIVE_INFINITY,
): Promise<number> {
  const known = balance.since(sinceMs);
  if (known !== undefined) return known;
  const askedAtMs = clock.elapsedMs();
  try {
    const told = await service.getBalance();
    balance.saw(told.balance, askedAtMs);
    return told.balance;
  } catch (error) {
    const latest = balance.latest();
    if (latest === undefined) throw error;
    return latest;
  }
}
