import type { Intent } from "../records/intent.ts";
import { addMoney, divideMoney, subtractMoney } from "../values/money.ts";

/** What could be seen of the account after a purchase whose answer is not known. */
export interface Seen<Listed> {
  /** Undefined if the listing could not be read. */
  listed: readonly Listed[] | undefined;
  /** Undefined if it could not be read. */
  balance: number | undefined;
  /** What other purchases in the journal have cost since. */
  explainedSpend: number;
}

/**
 * How long it has been watched. `open`: a late effect is still to be expected. `settled`: what is not charged by now
 * never will be. `over`: what is charged should have been listed long ago.
 */
export type Window = "open" | "settled" | "over";

/** It is too early to say. */
export interface Wait {
  kind: "wait";
}

/**
 * What the balance says of purchases: nothing was paid, exactly they were paid, more of the same was paid, they were
 * free and something else was paid, or it can't tell.
 */
export type Money = "untouched" | "spent" | "spentAgain" | "spentElse" | "unclear";

export function weighBalance(
  intents: readonly Pick<Intent, "price" | "balanceBefore">[],
  seen: Seen<unknown>,
): Money {
  const [first] = intents;
  const price = addMoney(...intents.map((intent) => intent.price));
  if (first === undefined || seen.balance === undefined) return "unclear";
  const unspent = subtractMoney(first.balanceBefore, seen.explainedSpend);
  const fallen = subtractMoney(unspent, seen.balance);
  if (price === 0) return fallen === 0 ? "unclear" : "spentElse";
  const times = divideMoney(fallen, price);
  if (times === 0) return "untouched";
  if (times === 1) return "spent";
  return times > 1 && Number.isInteger(times) ? "spentAgain" : "unclear";
}
