import { findEarliestEnd } from "../end.ts";
import { addressOf, findProxy } from "../journal/evidence.ts";
import type { Snapshot } from "../listing.ts";
import { haveMoved } from "./settle.ts";
import {
  type CheckedExtension,
  type ExtensionPayment,
  type ExtensionState,
  findShort,
  type PaidProxy,
  readCheckedExtension,
  recordExtension,
} from "./state.ts";

/** What a listing means for what is recorded. */
export interface ReconciledExtension {
  state: ExtensionState;
  /** Inputs that say until when the proxies are really paid, where that is not as declared. */
  drift?: CheckedExtension;
  /** Proxies that are not listed although their recorded end is not over. */
  missing: string[];
}

/**
 * Holds what is recorded against the listing. Proxies that have ended are dropped: they can't be paid for
 * any more, and it is no mistake that they are gone.
 * @param now by the service's clock.
 */
export function reconcileExtension(
  state: ExtensionState,
  { records }: Pick<Snapshot, "records">,
  now: Date,
  purchases: ExtensionPayment[] = state.purchases,
): ReconciledExtension {
  const listed: PaidProxy[] = [];
  const kept: PaidProxy[] = [];
  const missing: string[] = [];
  for (const proxy of state.proxies) {
    const { ipAddressId, dateEnd } = proxy;
    const record = findProxy(records, { ipAddressId, address: addressOf(proxy) });
    if (record) {
      const fresh = { ...record, dateEnd: record.dateEnd ?? dateEnd };
      listed.push(fresh);
      kept.push(fresh);
    } else if (dateEnd === undefined || Date.parse(dateEnd) > now.getTime()) {
      kept.push(proxy);
      missing.push(ipAddressId);
    }
  }
  const stillAwaited = state.awaited && !haveMoved(state.awaited.proxies, records);
  const awaited = stillAwaited ? state.awaited : undefined;
  const fresh = recordExtension(state, { proxies: kept, purchases, awaited }, state);
  // While a paid extension is not listed, what falls short may be paid.
  const shortEnd = awaited ? undefined : findEarliestEnd(findShort(state, listed));
  if (shortEnd === undefined) return { state: fresh, missing };
  const paidThrough = new Date(shortEnd).toISOString();
  return { state: fresh, drift: readCheckedExtension({ ...fresh, paidThrough }), missing };
}
