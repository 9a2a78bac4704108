import type { ProxyRecord } from "../../../client/index.ts";
import { pause } from "../../account/cancellation.ts";
import type { Sighting } from "../../account/listing-pages.ts";
import type { Account } from "../../account.ts";
import { type ExtensionFinding, judgeExtension } from "../../evidence/extensions.ts";
import { lookAtAccount, type Patience, spentSince, watch } from "../../evidence/watch.ts";
import type { ExtensionIntent } from "../../records/intent.ts";
import { haveMoved, type ProxyBefore } from "../model/moved-ends.ts";

/**
 * Watches the ends of the proxies, and the balance, until they decide what became of an extension whose answer is not
 * known. Call it while nothing else of the account is in flight.
 */
export async function watchExtension(
  account: Pick<Account, "service" | "listing" | "journal" | "clock" | "balance">,
  intent: ExtensionIntent,
  patience: Patience,
): Promise<ExtensionFinding> {
  const { clock, journal } = account;
  const others = (await journal.readAll()).filter(({ id }) => id !== intent.id);
  const explainedSpend = spentSince(others, intent);
  return watch<Awaited<ReturnType<typeof lookAtAccount>>, ExtensionFinding>(
    clock,
    patience,
    () => lookAtAccount(account, intent.purchase.request.proxyType),
    (seen, window) => judgeExtension(intent, { ...seen, explainedSpend }, window),
  );
}

/** Waits until the listing shows a paid extension, time is up, or the run is cancelled. Gives whether it is shown. */
export async function awaitShown(
  account: Pick<Account, "clock" | "listing" | "settings" | "cancelled">,
  proxyType: ExtensionIntent["purchase"]["request"]["proxyType"],
  proxiesBefore: readonly ProxyBefore[],
): Promise<boolean> {
  const { clock, listing, settings, cancelled } = account;
  const { settlingMs } = settings;
  const { shown } = await watch<
    readonly ProxyRecord[] | undefined,
    { kind: "end"; shown: boolean }
  >(
    { ...clock, sleep: (ms) => pause(account, ms) },
    { settlingMs, deliveryMs: settlingMs },
    // A listing that can't be read does not undo the payment.
    () =>
      listing
        .partial(proxyType, { begunAfterMs: clock.elapsedMs() })
        .then(wholeOf, () => undefined),
    (records, window) => {
      const shown = records !== undefined && haveMoved(proxiesBefore, records);
      return shown || window !== "open" || cancelled.aborted
        ? { kind: "end", shown }
        : { kind: "wait" };
    },
  );
  return shown;
}

function wholeOf({ records, contradiction }: Sighting): readonly ProxyRecord[] | undefined {
  return contradiction === undefined ? records : undefined;
}
