import type { ProxyRecord } from "../../../provider/client/index.ts";
import {
  type CheckedOrder,
  type OrderState,
  openOrder,
  recordProxies,
} from "../../../provider/core/order/model/state.ts";
import { record } from "./fake-service.ts";
import { fiveProxies, ownerOf } from "./orders-under-test.ts";

/** The checked inputs of five proxies that were bought for 7 USD. */
export function checkedOrder(more: Partial<CheckedOrder> = {}): CheckedOrder {
  return {
    ...fiveProxies,
    proxyType: "IPv4",
    authType: "LOGIN",
    owner: ownerOf("fleet"),
    requestId: "request-1",
    quote: { effect: "buy", quantity: 5, price: 7, currency: "USD", discount: 0, balance: 100 },
    holdings: { held: 5, released: [] },
    ...more,
  };
}

/** The listing of order 7000, as delivered. */
export function fiveRecords(more: Partial<ProxyRecord> = {}): ProxyRecord[] {
  return [1, 2, 3, 4, 5].map((number) => record("7000", number, more));
}

/** The recorded state of order 7000, delivered. */
export function orderState(
  more: Partial<OrderState> = {},
  records: ProxyRecord[] = fiveRecords(),
): OrderState {
  const purchase = {
    requestId: "request-1",
    orderNumber: "7000",
    orderIds: ["7000"],
    quantity: 5,
    rentPeriodDays: 30,
    price: 7,
    currency: "USD",
    discount: 0,
    at: "2026-03-01T00:00:00.000Z",
  };
  return {
    ...openOrder(checkedOrder(), purchase),
    ...recordProxies({}, records),
    status: "active",
    ...more,
  };
}
