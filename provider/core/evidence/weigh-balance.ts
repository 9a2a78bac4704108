import type { Intent } from "../records/intent.ts";
import { addMoney, divideMoney, subtractMoney } from "../values/money.ts";

/** What one look at the account shows after a purchase whose answer is not known. */
export interface Seen<Listed> {
  /** Undefined if the listing could not be read. */
  listed: readonly Listed[] | undefined;
  /** Undefined if it could not be read. */
  balance: number | undefined;
  /** When it was looked. @default nothing is concluded from the time */
  asOf?: Date;
  /** What other purchases in the journal have cost since. */
  explainedSpend: number;
  /**
   * Whether an earlier look has shown traces of it: another balance, or an order that may be it. Then no later look proves that
   * it was not placed: somebody may have paid in, or an answer may be behind.
   */
  hadTraces: boolean;
}

/**
 * How long it has been watched. `open`: a late effect is still to be expected. `settled`: what is not charged by now
 * never will be. `over`: what is charged should have been listed long ago.
 */
export type Window = "open" | "settled" | "over";

/** It is too early to say. */
export interface Wait {
  kind: "wait";
  /** How long to wait at least before the next look. @default as long as the window lasts, or less */
  atLeastMs?: number;
}

/** What is kept for later looks. */
export interface Traces {
  /** Whether this look, or an earlier one, has shown traces of the purchase. */
  hasTraces: boolean;
}

type Weighed = Pick<Intent, "price" | "balanceBefore">;

type SeenMoney = Pick<Seen<unknown>, "balance" | "explainedSpend">;

/**
 * What the balance says of purchases: nothing was paid, exactly they were paid, more of the same was paid, they were
 * free and something else was paid, or it can't tell.
 */
export type Money = "untouched" | "spent" | "spentAgain" | "spentElse" | "unclear";

export function weighBalance(intents: readonly Weighed[], seen: SeenMoney): Money {
  const price = addMoney(...intents.map((intent) => intent.price));
  const fallen = fallOf(intents, seen);
  if (fallen === undefined) return "unclear";
  if (price === 0) return fallen === 0 ? "unclear" : "spentElse";
  const times = divideMoney(fallen, price);
  if (times === 0) return "untouched";
  if (times === 1) return "spent";
  return times > 1 && Number.isInteger(times) ? "spentAgain" : "unclear";
}

/**
 * Whether the balance is another one than before, beside what other purchases have cost. Somebody may have paid in a part of the
 * price, or more than it, so any change may hide a charge.
 */
export function hasChanged(intents: readonly Weighed[], seen: SeenMoney): boolean {
  return (fallOf(intents, seen) ?? 0) !== 0;
}

/** By how much the balance has fallen, beside what other purchases have cost. */
function fallOf([first]: readonly Weighed[], seen: SeenMoney): number | undefined {
  if (first === undefined || seen.balance === undefined) return undefined;
  return subtractMoney(subtractMoney(first.balanceBefore, seen.explainedSpend), seen.balance);
}
