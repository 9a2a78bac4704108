import type { ProxyRecord } from "../../../client/index.ts";
import { findPossible, findProxy } from "../../proxies/address.ts";
import { type ExtensionIntent, isPlaced } from "../../records/intent.ts";
import { endOfPeriod, isBackwards, isSameEnd } from "../../values/dates.ts";

/** A proxy as it was before it was extended. */
export type ProxyBefore = ExtensionIntent["purchase"]["proxiesBefore"][number];

/** Whether an extension is about one of these proxies, or may be: nothing is paid while it is open. */
export function touches(intent: ExtensionIntent, proxies: readonly ProxyRecord[]): boolean {
  return intent.purchase.proxiesBefore.some(
    (before) => findPossible(proxies, before) !== undefined,
  );
}

/**
 * Whether the listing shows all that an extension may have done. Until then nothing is paid on the ends that it
 * shows: they may be those from before. An extension of which nobody can tell, after it was watched to the end, hides nothing
 * either where every end is later by its whole period, as after an automatic extension.
 */
export function isMoveListed(intent: ExtensionIntent, records: readonly ProxyRecord[]): boolean {
  const { proxiesBefore } = intent.purchase;
  if (isPlaced(intent)) return haveMoved(proxiesBefore, records);
  const isLater = (before: ProxyBefore) => {
    const now = findPossible(records, before);
    return now === undefined || isPaidThrough(now, before, intent);
  };
  return intent.phase === "unknown" && proxiesBefore.every(isLater);
}

/**
 * Finds a proxy that is listed with an end before that which an extension has paid for. No end moves backwards, so the
 * listing is from before that. Undefined if there is none.
 */
export function findBehind(
  paid: ExtensionIntent,
  records: readonly ProxyRecord[],
): ProxyRecord | undefined {
  return records.find((record) => {
    const before = paid.purchase.proxiesBefore.find((one) => findProxy([record], one));
    return before?.dateEnd !== undefined && !isPaidThrough(record, before, paid);
  });
}

/** Whether a proxy is listed with an end that is later by the whole period of an extension. */
function isPaidThrough(now: ProxyRecord, before: ProxyBefore, { purchase }: ExtensionIntent) {
  if (now.dateEnd === undefined || before.dateEnd === undefined) return false;
  const { earliest } = endOfPeriod(new Date(before.dateEnd), purchase.request.rentPeriodDays);
  return !isBackwards(now, { dateEnd: earliest });
}

/** Whether no proxy is listed with the end that it had before. */
export function haveMoved(
  proxiesBefore: readonly ProxyBefore[],
  records: readonly ProxyRecord[],
): boolean {
  return proxiesBefore.every((before) => {
    const now = findPossible(records, before);
    return now === undefined || !isSameEnd(now, before);
  });
}

/** Whether a proxy is listed as before: with the same id and the same end. */
export function isUnchanged(seen: ProxyRecord, records: readonly ProxyRecord[]): boolean {
  const now = records.find(({ ipAddressId }) => ipAddressId === seen.ipAddressId);
  return now !== undefined && isSameEnd(now, seen);
}
