import type { ProxyRecord } from "../../../client/index.ts";
import { findPossible } from "../../proxies/address.ts";
import { type ExtensionIntent, isPlaced } from "../../records/intent.ts";

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
 * shows: they may be those from before.
 */
export function isMoveListed(intent: ExtensionIntent, records: readonly ProxyRecord[]): boolean {
  return isPlaced(intent) && haveMoved(intent.purchase.proxiesBefore, records);
}

/** Whether no proxy is listed with the end that it had before. */
export function haveMoved(
  proxiesBefore: readonly ProxyBefore[],
  records: readonly ProxyRecord[],
): boolean {
  return proxiesBefore.every((before) => {
    const now = findPossible(records, before);
    return now === undefined || !isSameEnd(now.dateEnd, before.dateEnd);
  });
}

/** Whether a proxy is listed as before: with the same id and the same end. */
export function isUnchanged(seen: ProxyRecord, records: readonly ProxyRecord[]): boolean {
  const now = records.find(({ ipAddressId }) => ipAddressId === seen.ipAddressId);
  return now !== undefined && isSameEnd(now.dateEnd, seen.dateEnd);
}

function isSameEnd(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Date.parse(a) === Date.parse(b));
}
