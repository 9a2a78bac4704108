import type { z } from "zod";
import type { Account } from "../account.ts";
import type { GivenInputs } from "../values/inputs.ts";
import type { AccountFunction, Answer } from "./account-function.ts";
import { getBalance } from "./balance.ts";
import { getCountries, getMobileOperators, getProxyTypes, getRentPeriods } from "./catalogue.ts";
import { getExtensionQuote } from "./extension-quote.ts";
import { getOrderQuote } from "./order-quote.ts";
import { getPromoCodes } from "./promo-codes.ts";
import { getProxies } from "./proxies.ts";

const table = {
  getBalance,
  getProxyTypes,
  getCountries,
  getRentPeriods,
  getMobileOperators,
  getPromoCodes,
  getProxies,
  getOrderQuote,
  getExtensionQuote,
};

/** The name of a function. */
export type FunctionName = keyof typeof table;

/** The result of a function. */
export type FunctionResult<Name extends FunctionName> = z.output<(typeof table)[Name]["outputs"]>;

/** Every function, by its name. */
export const accountFunctions: {
  readonly [Name in FunctionName]: AccountFunction<(typeof table)[Name]["outputs"]>;
} = table;

/** Answers a question of a program in any language. Spends nothing. */
export function callFunction<Name extends FunctionName>(
  account: Account,
  name: Name,
  given: GivenInputs["known"],
): Promise<Answer<FunctionResult<Name>>> {
  return accountFunctions[name].answer(account, given);
}
