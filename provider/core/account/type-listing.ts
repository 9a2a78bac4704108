import type { ProxyRecord, ProxyType } from "../../client/index.ts";
import type { Clock } from "../ports.ts";
import { type Listing, serviceTime } from "./listing.ts";

/** What the account holds of one type. */
export interface TypeListing {
  proxyType: ProxyType;
  records: readonly ProxyRecord[];
  /** The service's clock, or this machine's if the service told none. */
  now: Date;
}

/** Reads all that the account holds of these types, once. Spends nothing. */
export function readListings(
  listing: Pick<Listing, "complete">,
  clock: Clock,
  types: readonly ProxyType[],
): Promise<TypeListing[]> {
  return Promise.all(
    types.map(async (proxyType) => {
      const snapshot = await listing.complete(proxyType);
      return { proxyType, records: snapshot.records, now: serviceTime(snapshot, clock) };
    }),
  );
}
