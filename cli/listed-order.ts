import type { ProxyType } from "../provider/client/index.ts";
import type { TypeListing } from "../provider/core/account/type-listing.ts";

/** An order as the account lists it. Orders of two types may have one id. */
export interface ListedOrder {
  proxyType: ProxyType;
  orderId: string;
}

/** Tells it from all other orders. */
export function keyOf({ proxyType, orderId }: ListedOrder): string {
  return `${proxyType} ${orderId}`;
}

/** The keys of all orders that the account lists. */
export function keysOfListed(
  listings: readonly Pick<TypeListing, "proxyType" | "records">[],
): ReadonlySet<string> {
  return new Set(
    listings.flatMap(({ proxyType, records }) =>
      records.map(({ orderId }) => keyOf({ proxyType, orderId })),
    ),
  );
}
