import Big from "big.js";

/** Adds amounts of one currency exactly. */
export function addMoney(...amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toNumber();
}

/** What remains of an amount, exactly. */
export function subtractMoney(from: number, amount: number): number {
  return new Big(from).minus(amount).toNumber();
}

/**
 * Whether two amounts differ by rounding only. A service that computes in floating point, or rounds a price and a
 * balance differently, is off by less than a hundredth.
 */
export function isSameMoney(a: number, b: number): boolean {
  return new Big(a).minus(b).abs().lt("0.01");
}

/** How many times one amount goes into another. */
export function divideMoney(amount: number, by: number): number {
  return new Big(amount).div(by).toNumber();
}

/** The share of `some` in an amount for `all`, to a hundredth of a cent. For comparisons, not for payments. */
export function shareMoney(amount: number, some: number, all: number): number {
  return new Big(amount).times(some).div(all).round(4).toNumber();
}

/** The most that `some` may cost where `all` cost an amount: their share. A service may round it up to a whole cent. */
export function mostForShare(amount: number, some: number, all: number): number {
  if (some >= all) return amount;
  const share = new Big(amount).times(some).div(all).round(2, Big.roundUp).toNumber();
  return Math.min(share, amount);
}

/** An amount without the noise of floating point. */
export function roundMoney(amount: number): number {
  return new Big(amount).round(4).toNumber();
}

/** An amount for people: at least two decimals, and none is lost. */
export function formatMoney(amount: number, currency: string): string {
  const exact = new Big(amount);
  const decimals = exact.toFixed().split(".")[1]?.length ?? 0;
  return `${exact.toFixed(Math.max(2, decimals))} ${currency}`;
}

/** By how many per cent an amount has grown; negative if it has shrunk. Undefined if it was nothing before. */
export function growthPercent(before: number, after: number): number | undefined {
  if (before === 0) return undefined;
  return new Big(after).minus(before).times(100).div(before).toNumber();
}

/** What an amount was before a discount of some per cent, to a hundredth of a cent; the amount itself if all is off. */
export function beforeDiscount(amount: number, percent: number): number {
  if (percent <= 0 || percent >= 100) return amount;
  return new Big(amount).times(100).div(new Big(100).minus(percent)).round(4).toNumber();
}
