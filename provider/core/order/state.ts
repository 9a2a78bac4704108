import { z } from "zod";
import type { Credential, ProxyRecord } from "../../client/index.ts";
import { findEarliestEnd } from "../end.ts";
import type { OrderIntent } from "../journal/intent.ts";
import { toProxyUrl } from "../proxy-url.ts";
import { quoteSchema } from "../quote.ts";
import { readRecorded } from "../recorded.ts";
import { rentedProxySchema } from "../rented-proxy.ts";
import { type OrderArgs, orderArgsSchema } from "./args.ts";
import { holdingsSchema } from "./holdings.ts";

/** Goes up when the recorded state changes its meaning; every release reads all earlier versions. */
const STATE_VERSION = 1;

const checkedOrderSchema = orderArgsSchema.extend({
  /** None at all where everything that is held has ended and something that was released has not. */
  quantity: z.int().min(0),
  owner: z.string(),
  requestId: z.string(),
  quote: quoteSchema,
  holdings: holdingsSchema,
});

/** A proxy that was let go and is still paid: enough to find it in the listing and to take it back. */
const releasedProxySchema = rentedProxySchema.pick({
  ipAddressId: true,
  ipAddressIp: true,
  httpsPort: true,
  orderId: true,
  dateEnd: true,
  extendInfo: true,
});

const purchaseSchema = z.object({
  requestId: z.string(),
  orderNumber: z.string(),
  /** Under which ids the listing shows it: its number, until it is found under another. */
  orderIds: z.array(z.string()),
  quantity: z.number(),
  rentPeriodDays: z.number(),
  price: z.number(),
  currency: z.string(),
  discount: z.number(),
  promoCodeStatus: z.string().optional(),
  /** When the service accepted it, by this machine's clock. */
  at: z.string(),
});

const orderStateSchema = checkedOrderSchema.extend({
  orderNumber: z.string(),
  orderIds: z.array(z.string()),
  status: z.enum(["active", "pendingDelivery"]),
  proxies: z.array(rentedProxySchema),
  released: z.array(releasedProxySchema),
  ipAddressIds: z.array(z.string()),
  credentials: z.record(z.string(), z.object({ login: z.string(), password: z.string() })),
  urls: z.array(z.string()),
  expiresAt: z.string().optional(),
  purchases: z.array(purchaseSchema),
  stateVersion: z.literal(STATE_VERSION),
});

/** Arguments with what the provider adds to them at check: what preview shows and create gets. */
export type CheckedOrder = z.infer<typeof checkedOrderSchema>;

/** See `releasedProxySchema`. */
export type ReleasedProxy = z.infer<typeof releasedProxySchema>;

/** One order that was paid. */
export type Purchase = z.infer<typeof purchaseSchema>;

/** What the journal knows of an order that the service has taken. */
export type PaidOrder = OrderIntent & { orderNumber: string };

/** What is recorded of an order that was paid. */
export type OrderState = z.infer<typeof orderStateSchema>;

/** Reads what the engine kept of an earlier check. */
export function readCheckedOrder(inputs: unknown): CheckedOrder {
  return readRecorded(checkedOrderSchema, inputs, "inputs of this ProxyOrder");
}

/** Reads what the engine kept of an order. */
export function readOrderState(outputs: unknown): OrderState {
  return readRecorded(orderStateSchema, outputs, "outputs of this ProxyOrder");
}

/** The state of an order from the moment the service has accepted it; its proxies come later. */
export function openOrder(checked: CheckedOrder, purchase: Purchase): OrderState {
  return {
    ...checked,
    orderNumber: purchase.orderNumber,
    orderIds: purchase.orderIds,
    status: "pendingDelivery",
    ...recordProxies(checked, []),
    released: [],
    purchases: [purchase],
    stateVersion: STATE_VERSION,
  };
}

/** The state of an order that was taken over, as it is listed. */
export function adoptedOrder(
  checked: CheckedOrder & { adoptOrderNumber: string },
  records: readonly ProxyRecord[],
): OrderState {
  return {
    ...checked,
    orderNumber: checked.adoptOrderNumber,
    orderIds: [...new Set(records.map((record) => record.orderId))],
    status: "active",
    ...recordProxies(checked, records),
    released: [],
    purchases: [],
    stateVersion: STATE_VERSION,
  };
}

/** What the state keeps of a purchase that the service has taken. */
export function toPurchase(intent: PaidOrder): Purchase {
  const { requestId, orderNumber, price, currency, discount, promoCodeStatus, history } = intent;
  const { quantity, rentPeriodDays } = intent.purchase.request;
  const accepted = history.find(({ phase }) => phase === "accepted") ?? history[0];
  return {
    requestId,
    orderNumber,
    orderIds: intent.orderIds ?? [orderNumber],
    quantity,
    rentPeriodDays,
    price,
    currency,
    discount,
    promoCodeStatus,
    at: accepted?.at ?? intent.sentAt,
  };
}

/** The outputs that follow from the service's records of an order's proxies. */
export function recordProxies(
  { protocol }: Pick<OrderArgs, "protocol">,
  records: readonly ProxyRecord[],
): Pick<OrderState, "proxies" | "ipAddressIds" | "credentials" | "urls" | "expiresAt"> {
  const credentials: Record<string, Credential> = {};
  const urls: string[] = [];
  for (const { credential, ...proxy } of records) {
    if (credential) credentials[proxy.ipAddressId] = credential;
    const url = toProxyUrl(proxy, credential, protocol === "SOCKS" ? "socks5" : "http");
    if (url !== undefined) urls.push(url);
  }
  return {
    proxies: records.map(({ credential: _secret, ...proxy }) => proxy),
    ipAddressIds: records.map((record) => record.ipAddressId),
    credentials,
    urls,
    expiresAt: findEarliestEnd(records),
  };
}

/** What is kept of a proxy that is let go. */
export function toReleased({ credential: _secret, ...record }: ProxyRecord): ReleasedProxy {
  return releasedProxySchema.parse(record);
}

/** What was bought stays as it was bought; what the user may edit for nothing is recorded anew. */
export function recordEdits(state: OrderState, checked: CheckedOrder): OrderState {
  const { requestId, quote } = state;
  // An argument that was taken out must not linger.
  const none: Partial<OrderArgs> = Object.fromEntries(
    Object.keys(orderArgsSchema.shape).map((name) => [name, undefined]),
  );
  return { ...state, ...none, ...checked, requestId, quote };
}
