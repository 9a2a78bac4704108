import { type Client, createClient, type ProxyType } from "../provider/client/index.ts";
import { createListing } from "../provider/core/account/listing.ts";
import { createPageReader } from "../provider/core/account/page-reader.ts";
import { readListings, type TypeListing } from "../provider/core/account/type-listing.ts";
import { machineTime } from "../provider/journals/machine-time.ts";
import type { ServiceAccess } from "./settings.ts";

/** Asks the account, and ends the connections when the work is done. */
export async function withClient<Result>(
  access: ServiceAccess,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = createClient(access);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Reads all that the account holds of these types, once. Spends nothing. */
export function readAccount(client: Client, types: readonly ProxyType[]): Promise<TypeListing[]> {
  const listing = createListing(createPageReader(client, machineTime), machineTime);
  return readListings(listing, machineTime, types);
}
