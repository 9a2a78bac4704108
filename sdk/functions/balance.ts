import * as pulumi from "@pulumi/pulumi";
import type { Balance } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** What `getBalance` gives. */
export type GetBalanceResult = Balance;

/**
 * The account's balance and its currency. Spends nothing.
 *
 * @example
 * const { balance, currency } = await getBalance();
 * export const left = `${balance} ${currency}`;
 */
export function getBalance(): Promise<GetBalanceResult> {
  return ask("getBalance");
}

/**
 * As `getBalance`, as an output.
 *
 * @example
 * export const balance = getBalanceOutput().balance;
 */
export function getBalanceOutput(): pulumi.Output<GetBalanceResult> {
  return pulumi.output(getBalance());
}
