import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { ProxyRentalError, rethrowExplained } from "../errors.ts";
import type { AutoExtensionArgs } from "./args.ts";
import { deviates, findRecord, reconcile, toExtendedProxy } from "./reconcile.ts";
import {
  type AutoExtensionState,
  type CheckedAutoExtension,
  type ExtendedProxy,
  recordAutoExtension,
} from "./state.ts";
import { switchAutoExtension } from "./switch.ts";

/** Brings the flags to what is wanted, off for those no longer named, and confirms it from the listing. */
export async function applyAutoExtension(
  account: Account,
  checked: CheckedAutoExtension,
  former: readonly ExtendedProxy[],
): Promise<AutoExtensionState> {
  const { proxyType, rentPeriodDays, autoExtend, ipAddressIds } = checked;
  const { records } = await account.listing.recent(proxyType).catch(rethrowExplained);
  const listed = records.filter((record) => ipAddressIds.includes(record.ipAddressId));
  const missing = ipAddressIds.length - listed.length;
  if (missing > 0 && autoExtend) throw notListed(checked, listed);
  // By what is listed now: a proxy whose id the service has changed may be wanted under its new one.
  const isWanted = (proxy: ExtendedProxy) =>
    listed.some((record) => record === findRecord(proxy, records));
  await switchOffListed(
    account,
    checked,
    former.filter((proxy) => !isWanted(proxy)),
  );

  const deviating = listed.filter((record) => deviates(checked, record));
  await switchAutoExtension(account, {
    proxyType,
    ipAddressIds: deviating.map((record) => record.ipAddressId),
    rentPeriodDays,
    autoExtend,
  });

  const confirmed = await account.listing.recent(proxyType).catch(rethrowExplained);
  const { state, drift } = reconcile(
    recordAutoExtension(checked, listed.map(toExtendedProxy)),
    confirmed.records,
  );
  if (!drift) return state;
  throw new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `the service took the request to switch auto-extension ${autoExtend ? "on" : "off"}, but its listing does not show it. Nothing was bought. Run again.`,
  );
}

function notListed(checked: CheckedAutoExtension, listed: ProxyRecord[]): ProxyRentalError {
  const known = new Set(listed.map((record) => record.ipAddressId));
  const missing = checked.ipAddressIds.filter((id) => !known.has(id));
  return new ProxyRentalError(
    "INPUT_INVALID",
    `ipAddressIds names ${checked.proxyType} proxies that the account does not list: ${missing.join(", ")}. Nothing was switched on or off. Take them out; they may have ended.`,
  );
}

/** Sent only for what is listed and on; what is no longer there needs nothing. */
export async function switchOffListed(
  account: Account,
  { proxyType, rentPeriodDays }: AutoExtensionArgs,
  proxies: readonly ExtendedProxy[],
): Promise<void> {
  if (proxies.length === 0) return;
  const { records } = await account.listing.recent(proxyType).catch(rethrowExplained);
  const renewing = proxies
    .map((proxy) => findRecord(proxy, records))
    .filter((record) => record?.extendInfo.autoExtend === true);
  await switchAutoExtension(account, {
    proxyType,
    ipAddressIds: renewing.flatMap((record) => record?.ipAddressId ?? []),
    rentPeriodDays,
    autoExtend: false,
  });
}
