import type { Snapshot } from "../../account/listing-pages.ts";
import { describeInPlace, findProxy, toKnown } from "../../proxies/address.ts";
import { findEarliestEnd, hasEnded, isBackwards, laterEnd } from "../../values/dates.ts";
import { haveMoved } from "../model/moved-ends.ts";
import {
  type CheckedExtension,
  type ExtensionPayment,
  type ExtensionState,
  findShort,
  type PaidProxy,
  parseCheckedExtension,
  recordExtension,
} from "../model/state.ts";

/** The recorded extension, compared with a listing. */
export interface ReconciledExtension {
  state: ExtensionState;
  /** Inputs that say until when the proxies are really paid, if that is not as declared. */
  drift?: CheckedExtension;
  /** Proxies that are not listed, although their recorded end has not passed. */
  missing: string[];
  /** Proxies that are listed with an end before the recorded one. The recorded one stays. */
  shortened: string[];
  /** Proxies that have ended, and are no longer listed. */
  dropped: string[];
  /** For people: what is at the addresses of proxies that are not listed; "" if there is nothing. */
  inPlace: string;
}

/**
 * Compares what is recorded with the listing. Proxies that have ended are dropped: nobody can pay for them any more,
 * and that they are gone is no mistake. No end moves backwards, so a listing that is behind a payment does not lead
 * to another one.
 */
export function reconcileExtension(
  state: ExtensionState,
  { records, asOf }: Pick<Snapshot, "records" | "asOf">,
  purchases: ExtensionPayment[] = state.purchases,
): ReconciledExtension {
  const listed: PaidProxy[] = [];
  const kept: PaidProxy[] = [];
  const missing: string[] = [];
  const shortened: string[] = [];
  const dropped: string[] = [];
  for (const proxy of state.proxies) {
    const { ipAddressId, dateEnd } = proxy;
    const record = findProxy(records, toKnown(proxy));
    if (record) {
      if (isBackwards(record, proxy)) shortened.push(ipAddressId);
      const fresh = { ...record, dateEnd: laterEnd(record.dateEnd, dateEnd) };
      listed.push(fresh);
      kept.push(fresh);
    } else if (hasEnded(proxy, asOf)) {
      dropped.push(ipAddressId);
    } else {
      kept.push(proxy);
      missing.push(ipAddressId);
    }
  }
  const stillAwaited = state.awaited && !haveMoved(state.awaited.proxies, records);
  const awaited = stillAwaited ? state.awaited : undefined;
  const fresh = recordExtension(state, { proxies: kept, purchases, awaited }, state);
  // While a paid extension is not listed, what seems to fall short may be paid.
  const shortEnd = awaited ? undefined : findEarliestEnd(findShort(state, listed));
  const inPlace = describeInPlace(records, state.proxies.map(toKnown));
  const found = { state: fresh, missing, shortened, dropped, inPlace };
  if (shortEnd === undefined) return found;
  const paidThrough = new Date(shortEnd).toISOString();
  return { ...found, drift: parseCheckedExtension({ ...fresh, paidThrough }) };
}
