import { formatMoney } from "../values/money.ts";

/** What people are told of a price that nobody knows before `up`. */
export function describeOpenPrice(maxPrice: number | undefined, currency: string): string {
  const cap =
    maxPrice === undefined ? "no cap" : `at most ${formatMoney(maxPrice, currency)} (maxPrice)`;
  return `price not known yet; ${cap}`;
}
