import { z } from "zod";
import { currency } from "./wire.ts";

/** Answer of endpoint 1. The currency is called `currencyCode` here and `currency` everywhere else. */
export const balanceWire = z
  .object({ balance: z.number(), currencyCode: currency })
  .transform(({ balance, currencyCode }): Balance => ({ balance, currency: currencyCode }));

/** What the account may still spend. */
export interface Balance {
  /** Amount in `currency`. */
  balance: number;
  /** ISO currency code. */
  currency: string;
}
