import type { Account } from "../account.ts";
import { makeRequestId } from "../records/request-id.ts";
import { assertPreviewed, notePlan } from "../spending/previewed-price.ts";
import type { AutoExtensionCheck } from "./check.ts";
import type { CheckedAutoExtension } from "./state.ts";

/** Notes what a check has planned, for the switch that may follow: what extends itself costs money later. */
export async function noteRenewal(
  account: Pick<Account, "journal" | "waitsForNotes">,
  owner: string,
  { checked, failures, isKept }: AutoExtensionCheck,
): Promise<void> {
  const { autoExtend, ipAddressIds, quote } = checked;
  const isOff = autoExtend === false;
  const { effect = isOff ? "none" : "unknown", pricePerCycle: price, currency } = quote ?? {};
  await notePlan(account, owner, {
    ...{ failures, isKept },
    checked: {
      requestId: quote && nameRenewal({ ...checked, owner }),
      quote: { effect, quantity: ipAddressIds?.length, price, currency, proxies: ipAddressIds },
    },
  });
}

/** Throws before anything is switched on that the newest preview did not show, or not at this price. */
export async function assertRenewalPreviewed(
  account: Pick<Account, "journal" | "run">,
  checked: CheckedAutoExtension,
): Promise<void> {
  const { pricePerCycle: price = 0, currency = "" } = checked.quote;
  await assertPreviewed(account, {
    ...{ owner: checked.owner, requestId: nameRenewal(checked) },
    ...{ quantity: checked.ipAddressIds.length, price, currency },
    proxies: checked.ipAddressIds,
  });
}

/** The same for all proxies of a type that are extended by the same number of days: which ones, a plan says beside. */
function nameRenewal({
  owner,
  proxyType,
  rentPeriodDays,
}: Partial<CheckedAutoExtension> & Pick<CheckedAutoExtension, "owner">): string {
  return makeRequestId(owner, "", { proxyType, rentPeriodDays });
}
