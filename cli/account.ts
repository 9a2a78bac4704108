import type { Client, ProxyType } from "../provider/client/index.ts";
import { createListing } from "../provider/core/account/listing.ts";
import { readListings, type TypeListing } from "../provider/core/account/type-listing.ts";
import { systemClock } from "../provider/host/system.ts";

/** Reads all that the account holds of these types, once. Spends nothing. */
export function readAccount(client: Client, types: readonly ProxyType[]): Promise<TypeListing[]> {
  return readListings(createListing(client, systemClock), systemClock, types);
}
