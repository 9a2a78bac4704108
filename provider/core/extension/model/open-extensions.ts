import type { Account } from "../../account.ts";
import { type ExtensionIntent, isExtensionIntent } from "../../records/intent.ts";

/** Every extension about which something remains to be done, of all runs. */
export async function readOpenExtensions({
  journal,
}: Pick<Account, "journal">): Promise<ExtensionIntent[]> {
  return (await journal.readOpen()).filter(isExtensionIntent);
}
