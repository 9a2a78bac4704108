import type { Clock, ProxyService } from "../ports.ts";

/** The account's balance, as the service's answers have told it. */
export interface Balance {
  /** The balance before this run bought anything. Later ones are ignored, so that quotes stay the same. */
  first(seen: number): number;
  /** The same; undefined while no answer has told it. */
  beforeRun(): number | undefined;
  /** Call this with each balance that an answer tells, and with the time of its question. */
  saw(balance: number, askedAtMs: number): void;
  /** Call this after each spending call, with the balance that its answer told, if any. */
  spent(balance: number | undefined): void;
  /** The newest balance; undefined if a spending call came after it was told. */
  latest(): number | undefined;
  /** The newest balance, if it was told after that moment. */
  since(sinceMs: number): number | undefined;
  /** When this process last spent, by the clock's `elapsedMs`; -Infinity if it has not. */
  spentAtMs(): number;
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
    beforeRun: () => first,
    saw(balance, askedAtMs) {
      // A question from before a purchase may have been answered before it or after it.
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
    spentAtMs: () => spentAtMs,
  };
}

/** The balance for a receipt. Asks the service if no answer has told it since the last spending call. */
export async function tellBalance(
  parts: Parameters<typeof readBalance>[0],
): Promise<number | undefined> {
  return parts.balance.latest() ?? (await readBalance(parts).catch(() => undefined));
}

/**
 * The balance now. Asks the service unless it was told after `sinceMs`: an earlier one may be from before another
 * process, or another person, has bought. That one is used only if the service can't be asked.
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
