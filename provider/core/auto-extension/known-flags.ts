import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { RecordedProxy } from "../account/recorded-ends.ts";
import type { Account } from "../account.ts";
import { addressOf } from "../proxies/address.ts";
import type { KnownFlag } from "../records/known-flag.ts";
import { type Ending, endOf, endOfPeriod, hasEnded, isBackwards } from "../values/dates.ts";

/** For so long after a flag was switched on, a listing that shows it off may be behind. */
const LAG_MS = 3_600_000;

/** A proxy whose flag is written down. */
type Flagged = RecordedProxy & {
  /** If it is switched off: when it was still on, by the service's clock, and by how many days it was extended then. */
  wasOn?: { at: Date | undefined; extendDays: number };
};

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
    const { ipAddressId, orderId, wasOn } = proxy;
    const known = recorded?.flagOf(proxy);
    const dateEnd = recorded?.endOf(proxy) ?? proxy.dateEnd;
    const mayEndAt = wasOn && findLastEnd({ dateEnd }, wasOn);
    const isSame = known?.autoExtend === autoExtend && known.dateEnd === dateEnd;
    if (isSame && mayEndAt === undefined) return [];
    const address = addressOf(proxy);
    return [{ proxyType, ipAddressId, address, orderId, autoExtend, dateEnd, mayEndAt }];
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

/** Until when it may be paid if it was still on when it had ended. */
function findLastEnd(ending: Ending, { at, extendDays }: Required<Flagged>["wasOn"]) {
  return at && hasEnded(ending, at) ? endOfPeriod(at, extendDays).latest : undefined;
}

/**
 * Whether a proxy may be paid beyond its last known end, although its automatic extension is off: it was on at that end.
 * @param asOf the service's time
 */
export function mayBeExtended(flag: KnownFlag, known: Ending, asOf: Date | undefined): boolean {
  if (flag.autoExtend || flag.mayEndAt === undefined) return false;
  const isSeenExtended = isBackwards(flag, known);
  return !isSeenExtended && !hasEnded({ dateEnd: flag.mayEndAt }, asOf);
}

/** Corrects what is written down by what is listed: somebody else may have switched since. */
export async function correctFlags(
  account: Pick<Account, "journal" | "recordedEnds">,
  proxyType: ProxyType,
  records: readonly ProxyRecord[],
): Promise<void> {
  const known = await account.journal.flags.readAll(proxyType);
  if (known.size === 0) return;
  // Flags that can't be corrected fail nothing.
  const recorded = await account.recordedEnds.read(proxyType).catch(() => undefined);
  // By the clock by which it was written down: this machine's may be hours apart.
  const nowMs = account.journal.now().getTime();
  const differing = records.filter((record) => {
    const flag = recorded?.flagOf(record);
    const { autoExtend } = record.extendInfo;
    if (flag === undefined || flag.autoExtend === autoExtend) return false;
    return autoExtend || nowMs - Date.parse(flag.at) > LAG_MS;
  });
  for (const autoExtend of [true, false]) {
    const alike = differing.filter(({ extendInfo }) => extendInfo.autoExtend === autoExtend);
    if (alike.length > 0) await noteFlags(account, proxyType, alike, autoExtend);
  }
}
