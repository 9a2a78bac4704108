import type { ProxyRecord } from "../../client/index.ts";
import type { RecordedProxy } from "../account/recorded-ends.ts";
import type { Account } from "../account.ts";
import { ProxyRentalError, reasonOf } from "../values/errors.ts";
import type { AutoExtensionArgs } from "./args.ts";
import type { ExtendedProxy } from "./state.ts";
import type { Going, LeftOn } from "./switch-each.ts";

/** A proxy that is believed to be on, although no listing shows it so. It is as it is listed, or else as it is recorded. */
export type BelievedOn = Going & RecordedProxy & { isListed: boolean };

/**
 * The proxies that are on by the state or by the journal, and not by the listing: each may be older than the others. Only what
 * was written down since this process began is newer than any state. A destroy goes on without the journal.
 * @param rowOf the row of a proxy in the listings; undefined if none has it
 */
export async function findBelievedOn(
  account: Pick<Account, "recordedEnds" | "journal" | "log" | "settings">,
  {
    proxyType,
    proxies,
  }: Pick<AutoExtensionArgs, "proxyType"> & { proxies: readonly ExtendedProxy[] },
  rowOf: (proxy: ExtendedProxy) => ProxyRecord | undefined,
): Promise<BelievedOn[]> {
  const { recordedEnds, journal, log, settings } = account;
  const recorded = await recordedEnds.read(proxyType).catch((error: unknown) => {
    log.warn(`${reasonOf(error)}. Automatic extension is switched off by what the state says.`);
    return undefined;
  });
  const turn = await journal.flags.turnAtBeginning().catch(() => Number.POSITIVE_INFINITY);
  return proxies.flatMap((proxy): BelievedOn[] => {
    const row = rowOf(proxy);
    const isGone = settings.goneOrders.has(proxy.ipAddressId);
    if (row === undefined ? isGone : row.extendInfo.autoExtend) return [];
    const flag = recorded?.flagOf(proxy);
    const isOnByState = proxy.autoExtend && (flag?.turn ?? 0) < turn;
    if (!flag?.autoExtend && !isOnByState) return [];
    const { extendDays } = row?.extendInfo ?? proxy;
    return [{ ...(row ?? proxy), extendDays, isListed: row !== undefined }];
  });
}

/**
 * The error that names those that could not be switched off.
 * @param inPlace what is at the addresses of those that are not listed, for people
 */
export function explainLeft(
  left: readonly LeftOn<BelievedOn>[],
  inPlace: string,
): ProxyRentalError {
  const ids = left.map(({ one }) => one.ipAddressId).join(",");
  return new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `${left.length} proxies were extended automatically when they were last seen. No listing shows them so now, and the service did not switch them off by their ids either (${reasonOf(left.at(-1)?.error)}). They may go on costing money: ${ids}. Nothing was bought. Run again after a refresh that lists them. If you know that they have ended, list them in PROXYRENTAL_GONE_ORDERS=${ids}${inPlace}`,
  );
}
