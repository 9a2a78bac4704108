import { z } from "zod";

/**
 * What a plan will do with the money:
 * - `buy`: a first order;
 * - `topUp`: a further order, for a resource that is to hold more;
 * - `replace`: another order in place of one that is paid;
 * - `extend`: proxies that are rented are paid for longer;
 * - `recover`: an order that an earlier run has paid is taken over, free of charge;
 * - `adopt`: an order that the program names is taken over, free of charge;
 * - `none`: nothing is bought;
 * - `unknown`: an argument is not known yet, so neither is the price.
 */
export type Effect =
  | "buy"
  | "topUp"
  | "replace"
  | "extend"
  | "recover"
  | "adopt"
  | "none"
  | "unknown";

export const effectSchema = z.enum([
  "buy",
  "topUp",
  "replace",
  "extend",
  "recover",
  "adopt",
  "none",
  "unknown",
]);

const spendingEffects: ReadonlySet<unknown> = new Set<Effect>([
  "buy",
  "topUp",
  "replace",
  "extend",
]);

/** Whether a quote stands for something that is paid. */
export function isSpending({ effect }: { effect?: unknown }): boolean {
  return spendingEffects.has(effect);
}
