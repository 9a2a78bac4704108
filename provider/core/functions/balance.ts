import { z } from "zod";
import { defineFunction } from "./account-function.ts";

/** See its description. */
export const getBalance = defineFunction({
  description: "The account's balance and its currency. Spends nothing.",
  inputs: z.object({}),
  outputs: z.object({
    balance: z.number().describe("What the account may still spend, in `currency`."),
    currency: z.string().describe("ISO currency code."),
  }),
  answer: ({ service }) => service.getBalance(),
});
