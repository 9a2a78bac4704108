import type { ProxyRecord } from "../../../client/index.ts";
import { pause } from "../../account/cancellation.ts";
import type { Sighting } from "../../account/listing-pages.ts";
import type { Account } from "../../account.ts";
import { watch } from "../../evidence/watch.ts";
import type { ExtensionIntent } from "../../records/intent.ts";
import { haveMoved, type ProxyBefore } from "../model/moved-ends.ts";

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
