import type { PricedItem } from "./pricing.ts";

/** What a buyer gave beside what has a price. The service's document shows no way to read it back. */
export interface OrderDetails {
  goal: string;
  authType: "LOGIN" | "IP";
  authIp?: string | undefined;
  protocol?: "HTTP" | "SOCKS" | undefined;
  mobileOperator?: string | undefined;
  /** Seconds. */
  rotationTime?: number | undefined;
  promoCode?: string | null | undefined;
}

export interface Order extends Readonly<PricedItem> {
  /** The number that the buyer is told. */
  readonly orderNumber: string;
  /** The id in the listing. */
  readonly orderId: string;
  readonly placedAtMs: number;
  readonly origin: "api" | "foreign";
  readonly details: OrderDetails;
  proxies: RentedProxy[];
}

/** What is not readonly may change. `written-pages.ts` then writes the pages that say it anew. */
export interface RentedProxy {
  ipAddressId: string;
  readonly order: Order;
  ip: string;
  httpsPort: string;
  socks5Port: string;
  readonly login: string;
  readonly password: string;
  /** When it appears in the listing. */
  readonly deliverAtMs: number;
  readonly startMs: number;
  endMs: number;
  autoExtend: boolean;
  /** Days of each automatic extension; 0 until somebody sets it. */
  extendDays: number;
  state: "undelivered" | "listed" | "expired";
}

export const dayMs = 86_400_000;

/**
 * Timestamps that were written before: all proxies of an order share theirs, and a page of the listing has two
 * hundred.
 */
const writtenTimestamps = new Map<number, string>();
const mostWritten = 1000;

/** ISO 8601 with offset and milliseconds, as the service writes its timestamps. */
export function formatTimestamp(ms: number): string {
  const known = writtenTimestamps.get(ms);
  if (known !== undefined) return known;
  const written = new Date(ms).toISOString().replace("Z", "+00:00");
  if (writtenTimestamps.size >= mostWritten) writtenTimestamps.clear();
  writtenTimestamps.set(ms, written);
  return written;
}

/** Proxies of an order, as an item with a price. */
export function describeItem(order: Order, quantity: number, rentPeriodDays: number): PricedItem {
  return { proxyType: order.proxyType, country: order.country, quantity, rentPeriodDays };
}

export function groupByOrder(proxies: Iterable<RentedProxy>): Map<Order, RentedProxy[]> {
  const groups = new Map<Order, RentedProxy[]>();
  for (const proxy of proxies) {
    const group = groups.get(proxy.order);
    if (group === undefined) groups.set(proxy.order, [proxy]);
    else group.push(proxy);
  }
  return groups;
}
