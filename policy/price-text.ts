import type { Price } from "./planned-spend.ts";

/** A price as people read it: at least two decimals, none lost. */
export function formatPrice({ amount, currency }: Omit<Price, "exact">): string {
  const cents = amount.toFixed(2);
  const text = Number(cents) === amount ? cents : String(amount);
  return currency === undefined ? text : `${text} ${currency}`;
}
