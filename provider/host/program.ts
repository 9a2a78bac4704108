import { isDeepStrictEqual } from "node:util";
import type { SpendingAccount } from "../core/account.ts";
import {
  callFunction,
  type FunctionName,
  type FunctionResult,
} from "../core/functions/functions.ts";
import {
  type ErrorCode,
  explainServiceError,
  isProxyRentalError,
  ProxyRentalError,
} from "../core/values/errors.ts";
import type { GivenInputs, InputFailure } from "../core/values/inputs.ts";
import { readSettings, type Settings, type SettingsSource } from "./settings.ts";
import { openSystemAccount } from "./system.ts";

/** The answer to a program's question. */
export type Reply<Result> = { result: Result } | { refusal: { code: ErrorCode; message: string } };

const opened: { settings: Settings; account: SpendingAccount }[] = [];

/**
 * Asks the stack's account in the program's own process. The account is opened with the first question. It shares no
 * calls with the resources, which live in another process. The Automation API runs the programs of several stacks in one
 * process, so each set of settings has an account of its own.
 */
export async function answer<Name extends FunctionName>(
  source: SettingsSource,
  name: Name,
  given: GivenInputs["known"],
): Promise<Reply<FunctionResult<Name>>> {
  try {
    const reply = await callFunction(accountOf(readSettings(source)), name, given);
    if ("failures" in reply) throw refuseInputs(name, reply.failures);
    return reply;
  } catch (error) {
    const explained = explainServiceError(error);
    if (!isProxyRentalError(explained)) throw explained;
    return { refusal: { code: explained.code, message: explained.message } };
  }
}

function accountOf(settings: Settings): SpendingAccount {
  const known = opened.find((one) => isDeepStrictEqual(one.settings, settings));
  if (known) return known.account;
  const account = openSystemAccount(settings);
  opened.push({ settings, account });
  return account;
}

/** The refusal of arguments that don't fit, all at once. */
function refuseInputs(name: FunctionName, failures: readonly InputFailure[]): ProxyRentalError {
  const problems = failures.map(({ property, reason }) => `${property} ${reason}`).join("; ");
  return new ProxyRentalError("INPUT_INVALID", `${name}: ${problems}`);
}
