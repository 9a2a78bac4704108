import type { Client, ProxyRecord, ProxyType } from "../provider/client/index.ts";
import { createListing, serviceTime } from "../provider/core/account/listing.ts";
import { systemClock } from "../provider/host/system.ts";

/** What the account holds of one type. */
export interface TypeListing {
  proxyType: ProxyType;
  records: readonly ProxyRecord[];
  /** The service's clock, or this machine's if the service told none. */
  now: Date;
}

/** Reads all that the account holds of these types, once. Spends nothing. */
export async function readListings(
  client: Client,
  types: readonly ProxyType[],
): Promise<TypeListing[]> {
  const listing = createListing(client, systemClock);
  return Promise.all(
    types.map(async (proxyType) => {
      const snapshot = await listing.complete(proxyType);
      return { proxyType, records: snapshot.records, now: serviceTime(snapshot, systemClock) };
    }),
  );
}
