import type { Account } from "../core/account.ts";
import { explainServiceError, isProxyRentalError } from "../core/errors.ts";
import { readSettings, type SettingsSource } from "./settings.ts";
import { openSystemAccount } from "./system.ts";

/** What a program's question came to. */
export type Reply<Result> = { result: Result } | { refusal: { code: string; message: string } };

let account: Account | undefined;

/**
 * Asks the stack's account in the program's own process; it is opened when a program first asks something.
 * Its calls are not shared with the resources', which live in another process.
 */
export async function answer<Result>(
  source: SettingsSource,
  question: (account: Account) => Promise<Result>,
): Promise<Reply<Result>> {
  try {
    account ??= openSystemAccount(readSettings(source));
    return { result: await question(account) };
  } catch (error) {
    const explained = explainServiceError(error);
    if (!isProxyRentalError(explained)) throw explained;
    return { refusal: { code: explained.code, message: explained.message } };
  }
}
