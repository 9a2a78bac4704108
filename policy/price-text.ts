import type { Price } from "./planned-spend.ts";

/** A price for people: at least two decimals, and none is lost. */
export function formatPrice({ amount, currency }: Omit<Price, "exact">): string {
  const cents = amount.toFixed(2);
  const text = Number(cents) === amount ? cents : String(amount);
  return currency === undefined ? text : `${text} ${currency}`;
}
