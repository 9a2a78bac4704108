import type { Account } from "../../account.ts";
import type { ExtensionIntent } from "../../records/intent.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import type { CheckedExtension, ExtensionState } from "../model/state.ts";
import { awaitShown } from "../recover/await-shown.ts";

type Awaited = NonNullable<ExtensionState["awaited"]>;

/** A paid extension that the listing does not show. */
export class NotListedError extends ProxyRentalError {
  readonly awaited: Awaited;

  constructor(awaited: Awaited) {
    super(
      "EXTENSION_INCOMPLETE",
      "an extension is paid, and the listing does not show it yet. Nothing more was bought. Run `pulumi up` again when it does",
    );
    this.awaited = awaited;
  }
}

/** What the listing must show of a paid extension before anything more is paid. */
export function toAwaited({ requestId, purchase }: ExtensionIntent): Awaited {
  return { requestId, proxies: purchase.proxiesBefore };
}

/** Waits for the listing to show a paid extension. Throws if it does not in time. */
export async function assertListed(
  account: Pick<Account, "clock" | "listing" | "settings" | "cancelled">,
  { proxyType }: CheckedExtension,
  awaited: Awaited,
): Promise<void> {
  if (await awaitShown(account, proxyType, awaited.proxies)) return;
  throw new NotListedError(awaited);
}
