import type { ProxyRecord } from "../../client/index.ts";
import type { Snapshot } from "../account/listing-pages.ts";
import type { RecordedProxy } from "../account/recorded-ends.ts";
import type { Account } from "../account.ts";
import type { Ending } from "../values/dates.ts";
import { ProxyRentalError, reasonOf } from "../values/errors.ts";
import { nameOf } from "../values/owner.ts";
import type { AutoExtensionArgs } from "./args.ts";
import { isAheadOfListing, isBelieved } from "./known-flags.ts";
import type { ExtendedProxy } from "./state.ts";
import { type Going, isAnswer, type LeftOn, switchOffByDays } from "./switch-off-by-days.ts";

/** A proxy that is believed to be on, although no listing shows it so. It is as it is listed, or else as it is recorded. */
export type BelievedOn = Going &
  RecordedProxy & {
    isListed: boolean;
    /** Whether nothing says that it was off at its end: it is not listed, or its listing may be behind. */
    mayBeExtended: boolean;
    /** Whether something speaks against it: the journal has it as off, or a person has declared it gone. */
    isDoubted: boolean;
  };

/** A proxy as a state records it. That of an order has its end, too. */
export type RenewingProxy = ExtendedProxy & Ending;

/**
 * The proxies that are on by the state or by the journal, and not by the listing: each may be older than the others. Only what
 * was written down since this process began is newer than any state. A destroy goes on without the journal.
 * @param seen the newest listing
 * @param rowOf the row of a proxy in the listings; undefined if none has it
 */
export async function findBelievedOn(
  account: Pick<Account, "recordedEnds" | "journal" | "log" | "settings">,
  {
    proxyType,
    proxies,
  }: Pick<AutoExtensionArgs, "proxyType"> & { proxies: readonly RenewingProxy[] },
  seen: Snapshot,
  rowOf: (proxy: ExtendedProxy) => ProxyRecord | undefined,
): Promise<BelievedOn[]> {
  const { recordedEnds, journal, log, settings } = account;
  const recorded = await recordedEnds.read(proxyType).catch((error: unknown) => {
    log.warn(`${reasonOf(error)}. Automatic extension is switched off by what the state says.`);
    return undefined;
  });
  const moment = { asOf: seen.asOf, journalTime: journal.now() };
  const turn = await journal.flags.turnAtBeginning().catch(() => Number.POSITIVE_INFINITY);
  return proxies.flatMap((proxy): BelievedOn[] => {
    const row = rowOf(proxy);
    const isGone = settings.goneOrders.has(proxy.ipAddressId);
    if (row === undefined ? isGone : row.extendInfo.autoExtend) return [];
    const flag = recorded?.flagOf(proxy);
    const isOnByState = proxy.autoExtend && (flag?.turn ?? 0) < turn;
    if (!flag?.autoExtend && !isOnByState) return [];
    const { extendDays } = row?.extendInfo ?? proxy;
    const isOffSince = flag !== undefined && !flag.autoExtend && isBelieved(flag, proxy);
    const isDoubted = isGone || isOffSince;
    const isListed = row !== undefined;
    const isShownOff = isListed && !(flag && isAheadOfListing(flag, row, moment));
    const mayBeExtended = !isShownOff && !isDoubted;
    return [{ ...(row ?? proxy), extendDays, isListed, mayBeExtended, isDoubted }];
  });
}

/** What has become of those that are believed to be on. */
export interface SwitchedBelieved {
  off: BelievedOn[];
  refused: LeftOn<BelievedOn>[];
  /** Those of the refused that may be on. */
  left: LeftOn<BelievedOn>[];
}

/**
 * Switches them off. If something speaks against it that one is on, and the service refuses it or leaves it out, it is taken
 * for off: otherwise nobody could delete its owner.
 */
export async function switchBelieved(
  account: Pick<Account, "service" | "listing" | "log">,
  renewals: Pick<AutoExtensionArgs, "proxyType" | "rentPeriodDays"> & { owner: string },
  believedOn: readonly BelievedOn[],
): Promise<SwitchedBelieved> {
  const refused = await switchOffByDays(account, renewals, believedOn);
  const isTakenForOff = ({ one, error }: LeftOn<BelievedOn>) => one.isDoubted && isAnswer(error);
  const takenForOff = refused.filter(isTakenForOff);
  if (takenForOff.length > 0) {
    account.log.warn(
      `${nameOf(renewals.owner)}: the service did not switch automatic extension of ${takenForOff.length} proxies off (${reasonOf(takenForOff[0]?.error)}). It is taken for off, because this package has switched it off before, or because they are declared gone: ${idsOf(takenForOff)}`,
    );
  }
  return {
    off: believedOn.filter((believed) => !refused.some(({ one }) => one === believed)),
    refused,
    left: refused.filter((one) => !isTakenForOff(one)),
  };
}

/**
 * The error that names those that could not be switched off.
 * @param inPlace what is at the addresses of those that are not listed, for people
 */
export function explainLeft(
  left: readonly LeftOn<BelievedOn>[],
  inPlace: string,
): ProxyRentalError {
  const ids = idsOf(left);
  return new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `${left.length} proxies were extended automatically when they were last seen. No listing shows them so now, and the service did not switch them off by their ids either (${reasonOf(left.at(-1)?.error)}). They may go on costing money: ${ids}. Nothing was bought. Run again after a refresh that lists them. If you know that they have ended, list them in PROXYRENTAL_GONE_ORDERS=${ids}${inPlace}`,
  );
}

function idsOf(left: readonly LeftOn<BelievedOn>[]): string {
  return left.map(({ one }) => one.ipAddressId).join(",");
}
