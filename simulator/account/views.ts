import type { ProxyType } from "../catalogue/catalogue.ts";
import { formatTimestamp, type Order, type OrderDetails, type RentedProxy } from "./order.ts";
import type { PricedItem } from "./pricing.ts";

/** An order as the simulator has it, for assertions. It tells more than the service. */
export interface SimulatedOrder extends PricedItem, OrderDetails {
  orderNumber: string;
  orderId: string;
  /** ISO 8601, by the service's clock. */
  placedAt: string;
  origin: "api" | "foreign";
  /** In the order of delivery. Only `removeProxies` makes it shorter. */
  ipAddressIds: string[];
}

/** A proxy as the simulator has it, delivered or not, expired or not. */
export interface SimulatedProxy {
  ipAddressId: string;
  ip: string;
  orderNumber: string;
  orderId: string;
  proxyType: ProxyType;
  country: string;
  httpsPort: string;
  socks5Port: string;
  login: string;
  password: string;
  dateStart: string;
  dateEnd: string;
  autoExtend: boolean;
  extendDays: number;
  state: "undelivered" | "listed" | "expired";
}

export function viewOrder(order: Order): SimulatedOrder {
  const { details, proxies, placedAtMs, ...rest } = order;
  return {
    ...rest,
    ...details,
    placedAt: formatTimestamp(placedAtMs),
    ipAddressIds: proxies.map((proxy) => proxy.ipAddressId),
  };
}

export function viewProxy(proxy: RentedProxy): SimulatedProxy {
  const { order, deliverAtMs: _, startMs, endMs, ...rest } = proxy;
  const { orderNumber, orderId, proxyType, country } = order;
  return {
    ...rest,
    orderNumber,
    orderId,
    proxyType,
    country,
    dateStart: formatTimestamp(startMs),
    dateEnd: formatTimestamp(endMs),
  };
}
