import * as pulumi from "@pulumi/pulumi";
import { type ProxyType, proxyTypes } from "../../provider/client/records.ts";
import type { Account } from "../../provider/core/account.ts";
import { explainServiceError, isProxyRentalError } from "../../provider/core/errors.ts";
import { readSettings } from "../../provider/host/settings.ts";
import { openSystemAccount } from "../../provider/host/system.ts";
import { assertKeyIsSecret } from "../key.ts";
import { ProgramError } from "../program-error.ts";

let account: Account | undefined;

/**
 * Asks the stack's account, which is opened when a program first asks something. Functions run in the
 * program's own process, so their calls are not shared with the resources'. They spend nothing.
 */
export async function ask<Result>(
  question: (account: Account) => Promise<Result>,
): Promise<Result> {
  assertKeyIsSecret();
  try {
    account ??= openSystemAccount(
      readSettings({
        config: (key) => pulumi.runtime.getConfig(`proxyrental:${key}`),
        environment: process.env,
      }),
    );
    return await question(account);
  } catch (error) {
    const explained = explainServiceError(error);
    if (!isProxyRentalError(explained)) throw explained;
    throw new ProgramError(explained.code, explained.message);
  }
}

/** Refuses a proxy type that the service does not know, before it is asked. */
export function assertProxyType(functionName: string, proxyType: ProxyType): void {
  if (proxyTypes.includes(proxyType)) return;
  throw new ProgramError(
    "INPUT_INVALID",
    `INPUT_INVALID: ${functionName}: proxyType must be one of ${proxyTypes.join(", ")}, not ${JSON.stringify(proxyType)}`,
  );
}
