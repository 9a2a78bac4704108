import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { RecordedProxy } from "../account/recorded-ends.ts";
import type { Account } from "../account.ts";
import { addressOf } from "../proxies/address.ts";
import type { KnownFlag } from "../records/known-flag.ts";
import { type Ending, endOf } from "../values/dates.ts";

/** For so long after a flag was switched on, a listing that shows it off may be behind. */
const LAG_MS = 3_600_000;

/** The service extends before the end. It does not say how long before, so this is a guess. */
const EXTENDED_BEFORE_MS = 3_600_000;

/** A proxy whose flag is written down. */
type Flagged = RecordedProxy & Pick<KnownFlag, "onUntil">;

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
    const { ipAddressId, orderId, onUntil } = proxy;
    const known = recorded?.flagOf(proxy);
    const dateEnd = recorded?.endOf(proxy) ?? proxy.dateEnd;
    if (known?.autoExtend === autoExtend && known.dateEnd === dateEnd) return [];
    const address = addressOf(proxy);
    return [{ proxyType, ipAddressId, address, orderId, autoExtend, onUntil, dateEnd }];
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
 * Whether the service may have extended a proxy after its last known end, although its automatic extension is off now: it was
 * on at that end.
 */
export function mayBeExtended({ autoExtend, onUntil }: KnownFlag, known: Ending): boolean {
  if (autoExtend || onUntil === undefined) return false;
  return endOf(known) <= Date.parse(onUntil) + EXTENDED_BEFORE_MS;
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
