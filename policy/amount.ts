import Big from "big.js";

/** Adds amounts of one currency exactly. */
export function addAmounts(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toNumber();
}

/** An amount for some of many, to a hundredth of a cent: for comparing, not for paying. */
export function shareAmount(amount: number, some: number, many: number): number {
  return new Big(amount).times(some).div(many).round(4).toNumber();
}
