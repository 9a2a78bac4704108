import { z } from "zod";
import type { Balance } from "../records.ts";
import { currency } from "./wire.ts";

/** Answer of endpoint 1. The currency is called `currencyCode` here and `currency` everywhere else. */
export const balanceWire = z
  .object({ balance: z.number(), currencyCode: currency })
  .transform(({ balance, currencyCode }): Balance => ({ balance, currency: currencyCode }));
