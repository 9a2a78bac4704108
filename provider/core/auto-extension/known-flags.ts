import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import { serviceTime } from "../account/listing.ts";
import type { Snapshot } from "../account/listing-pages.ts";
import type { Recorded, RecordedProxy } from "../account/recorded-ends.ts";
import type { Account } from "../account.ts";
import { addressOf } from "../proxies/address.ts";
import type { KnownFlag } from "../records/known-flag.ts";
import { type Ending, endOf, endOfPeriod, hasEnded, MOST_APART_MS } from "../values/dates.ts";
import type { AutoExtensionArgs } from "./args.ts";
import { daysOf, type Going } from "./switch-off-by-days.ts";

/** For so long after something was switched or extended, a listing that does not show it may be behind. */
const LAG_MS = 3_600_000;

/** A proxy whose flag is written down. */
type Flagged = RecordedProxy & Pick<KnownFlag, "lastOn" | "unsaved">;

/** Writes down what these proxies' flags are from now on, if that is new. */
export async function noteFlags(
  { journal, recordedEnds }: Pick<Account, "journal" | "recordedEnds">,
  proxyType: ProxyType,
  proxies: readonly Flagged[],
  autoExtend: boolean,
): Promise<void> {
  // Flags that can't be written down fail nothing.
  const recorded = await recordedEnds.read(proxyType).catch(() => undefined);
  const notes = proxies.flatMap((proxy) => {
    const { ipAddressId } = proxy;
    const known = recorded?.flagOf(proxy);
    // A state of release 0.1.0 does not tell the order, and not every listing the port.
    const orderId = proxy.orderId ?? known?.orderId;
    const dateEnd = recorded?.endOf(proxy) ?? proxy.dateEnd;
    const isSame = known?.autoExtend === autoExtend && known.dateEnd === dateEnd;
    if (isSame && proxy.lastOn === undefined && proxy.unsaved === undefined) return [];
    const lastOn = proxy.lastOn ?? known?.lastOn;
    const unsaved = autoExtend ? (proxy.unsaved ?? known?.unsaved) : undefined;
    const address = addressOf(proxy) || (known?.address ?? "");
    const about = { proxyType, ipAddressId, address, orderId };
    return [{ ...about, autoExtend, dateEnd, lastOn, ...(unsaved && { unsaved }) }];
  });
  await journal.flags.note(notes);
}

/**
 * Whether what is written down of a proxy's flag counts against what a state has. If the state has a later end, the state is
 * newer. An "off" without an end does not tell which is.
 */
export function isBelieved(flag: KnownFlag, recorded: Ending): boolean {
  const isNewer = recorded.dateEnd === undefined || endOf(flag) >= endOf(recorded);
  return isNewer && (flag.autoExtend || flag.dateEnd !== undefined);
}

/**
 * Writes down of these proxies, which are on, until when they may be. Call it before they are switched off: the service may have
 * extended them, or do so before it takes the call, and its listing may be behind. From then on nothing else tells that.
 * @param seen the listing that shows them, or lacks them
 */
export async function noteLastOn(
  account: Pick<Account, "journal" | "recordedEnds" | "listing" | "clock" | "settings">,
  call: Pick<AutoExtensionArgs, "proxyType" | "rentPeriodDays">,
  seen: Snapshot,
  proxies: readonly (RecordedProxy & Going)[],
): Promise<void> {
  const { proxyType } = call;
  const told = serviceTime(seen, account.clock);
  // No clock is so wrong that what ends later can have ended.
  const endingBy = (time: Date) => {
    const soon = new Date(Math.max(told.getTime(), time.getTime()) + MOST_APART_MS);
    return proxies.filter((one) => one.dateEnd === undefined || hasEnded(one, soon));
  };
  // The likely time is no later than the later one of these two.
  if (endingBy(account.clock.now()).length === 0) return;
  const now = await account.listing.likelyTime(proxyType, seen).catch(() => told);
  const ending = endingBy(now);
  if (ending.length === 0) return;
  const at = new Date(now.getTime() + account.settings.timeoutMs).toISOString();
  const on = ending.map((proxy) => ({ ...proxy, lastOn: { at, extendDays: daysOf(proxy, call) } }));
  await noteFlags(account, proxyType, on, true);
}

/** The service's time, and that by which the journal is written: the clocks of machines may be hours apart. */
export interface Moment {
  /** Undefined if the service tells none. */
  asOf: Date | undefined;
  journalTime: Date;
}

/**
 * Whether a proxy may be paid beyond its last known end, although it is listed as off: the listing may be behind its flag, or it
 * was on at that end.
 */
export function mayRenewUnseen(recorded: Recorded, proxy: RecordedProxy, moment: Moment): boolean {
  const flag = recorded.flagOf(proxy);
  if (flag === undefined) return false;
  const known = { dateEnd: recorded.endOf(proxy) };
  return isAheadOfListing(flag, known, moment) || mayBeExtended(flag, known, moment.asOf);
}

/**
 * Whether a proxy that is listed as off may be on, or have been so at its end: this package has just switched it on, or that end
 * has just passed, and whoever has switched it off may have done so after that.
 */
export function isAheadOfListing(
  flag: KnownFlag,
  known: Ending,
  { asOf, journalTime }: Moment,
): boolean {
  if (!flag.autoExtend) return false;
  if (isRecent(flag, journalTime)) return true;
  return asOf !== undefined && hasEnded(known, asOf) && asOf.getTime() - endOf(known) <= LAG_MS;
}

/** Whether a flag was written down so recently that a listing may not show it yet. */
function isRecent({ at }: Pick<KnownFlag, "at">, journalTime: Date): boolean {
  return journalTime.getTime() - Date.parse(at) <= LAG_MS;
}

/**
 * Whether a proxy may be paid beyond its last known end, although its automatic extension is off: it was on at that end. What
 * went off before that may have been extended by then, and the listing be behind.
 * @param asOf the service's time
 */
export function mayBeExtended(
  { lastOn }: KnownFlag,
  { dateEnd }: Ending,
  asOf: Date | undefined,
): boolean {
  if (lastOn === undefined || dateEnd === undefined) return false;
  const lastOnAt = new Date(lastOn.at);
  const wasOnAtEnd = hasEnded({ dateEnd }, lastOnAt);
  if (!wasOnAtEnd) return asOf === undefined || asOf.getTime() - lastOnAt.getTime() <= LAG_MS;
  // It may have been extended several times by then, and the last one pays for one period from then at most.
  const { latest } = endOfPeriod(lastOnAt, lastOn.extendDays);
  return !hasEnded({ dateEnd: latest }, asOf);
}

/**
 * Corrects what is written down by what is listed: somebody else may have switched since. That something is off takes two
 * listings: what is off ends, and is bought again. So does that something is on that was off a moment ago: what is on is never
 * found gone.
 * @param pick the proxies that matter
 */
export async function correctFlags(
  account: Pick<Account, "journal" | "recordedEnds" | "listing">,
  proxyType: ProxyType,
  seen: Snapshot,
  pick: (records: readonly ProxyRecord[]) => readonly ProxyRecord[],
): Promise<void> {
  const known = await account.journal.flags.readAll(proxyType);
  if (known.size === 0) return;
  // Flags that can't be corrected fail nothing.
  const recorded = await account.recordedEnds.read(proxyType).catch(() => undefined);
  // By the clock by which it was written down: this machine's may be hours apart.
  const journalTime = account.journal.now();
  const flagOf = (record: ProxyRecord) => recorded?.flagOf(record);
  const differingIn = ({ records, asOf }: Snapshot, isOn: boolean) =>
    pick(records).filter((record) => {
      const flag = flagOf(record);
      if (record.extendInfo.autoExtend !== isOn || flag === undefined) return false;
      const known = { dateEnd: recorded?.endOf(record) };
      return (
        flag.autoExtend !== isOn && (isOn || !isAheadOfListing(flag, known, { asOf, journalTime }))
      );
    });
  const isDoubted = (record: ProxyRecord) => {
    const flag = flagOf(record);
    return flag !== undefined && isRecent(flag, journalTime);
  };
  const on = differingIn(seen, true);
  const doubted = on.filter(isDoubted);
  const certain = on.filter((record) => !doubted.includes(record));
  await noteFlags(account, proxyType, certain, true);
  const off = differingIn(seen, false);
  if (doubted.length === 0 && off.length === 0) return;
  const second = await account.listing.another(proxyType, seen).catch(() => undefined);
  const isStill = (isOn: boolean, unseen: boolean) => {
    const still = second && differingIn(second, isOn).map(({ ipAddressId }) => ipAddressId);
    return ({ ipAddressId }: ProxyRecord) => still?.includes(ipAddressId) ?? unseen;
  };
  // If there is no second one, what may be on is taken for on.
  await noteFlags(account, proxyType, doubted.filter(isStill(true, true)), true);
  await noteFlags(account, proxyType, off.filter(isStill(false, false)), false);
}
