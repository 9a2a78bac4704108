import * as pulumi from "@pulumi/pulumi";
import type { Balance } from "../../provider/client/records.ts";
import { ask } from "./ask.ts";

/** What `getBalance` gives. */
export type GetBalanceResult = Balance;

/** The account's balance and its currency (source: endpoint 1). Spends nothing. */
export function getBalance(): Promise<GetBalanceResult> {
  return ask("getBalance");
}

/** As `getBalance`, as an output. */
export function getBalanceOutput(): pulumi.Output<GetBalanceResult> {
  return pulumi.output(getBalance());
}
