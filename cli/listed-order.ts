import type { ProxyType } from "../provider/client/index.ts";

/** An order as the account lists it. Orders of two types may have one id. */
export interface ListedOrder {
  proxyType: ProxyType;
  orderId: string;
}

/** Tells it from all other orders. */
export function keyOf({ proxyType, orderId }: ListedOrder): string {
  return `${proxyType} ${orderId}`;
}
