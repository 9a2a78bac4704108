import Big from "big.js";

/** Adds amounts of one currency exactly. */
export function addAmounts(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toNumber();
}

/** The share of `some` in an amount for `many`, to a hundredth of a cent. For comparisons, not for payments. */
export function shareAmount(amount: number, some: number, many: number): number {
  return new Big(amount).times(some).div(many).round(4).toNumber();
}
