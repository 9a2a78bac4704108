import Big from "big.js";

/** Amounts of one currency by key, and their exact sum. A change costs one or two additions, and the sum none. */
export interface MoneyTally {
  /** Counts an amount, in place of an earlier one with this key. */
  set(key: string, amount: number): void;
  delete(key: string): void;
  sum(): number;
}

/** Makes an empty tally. */
export function createMoneyTally(): MoneyTally {
  const amounts = new Map<string, number>();
  let sum = new Big(0);

  function leaveOut(key: string): void {
    const amount = amounts.get(key);
    if (amount === undefined) return;
    amounts.delete(key);
    sum = sum.minus(amount);
  }

  return {
    set(key, amount) {
      leaveOut(key);
      amounts.set(key, amount);
      sum = sum.plus(amount);
    },
    delete: leaveOut,
    sum: () => sum.toNumber(),
  };
}
