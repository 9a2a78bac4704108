import { z } from "zod";
import type { Credential, ProxyRecord, RentedProxy } from "../../client/index.ts";
import type { OrderIntent } from "../journal/intent.ts";
import { toProxyUrl } from "../proxy-url.ts";
import { quoteSchema } from "../quote.ts";
import { readRecorded } from "../recorded.ts";
import { type OrderArgs, orderArgsSchema } from "./args.ts";

/** Goes up when the recorded state changes its meaning; every release reads all earlier versions. */
const STATE_VERSION = 1;

/**
 * What check must know of the state, since the engine shows it only the old inputs: how many proxies are
 * held, and how many were let go but are still paid.
 */
const holdingsSchema = z.object({
  held: z.number(),
  released: z.array(z.object({ count: z.number(), until: z.string() })),
  /** How many were taken over with an order that something else has bought. */
  adopted: z.number().optional(),
});

const checkedOrderSchema = orderArgsSchema.extend({
  owner: z.string(),
  requestId: z.string(),
  quote: quoteSchema,
  holdings: holdingsSchema,
});

const proxySchema = z.object({
  ipAddressId: z.string(),
  ipAddressIp: z.string(),
  orderId: z.string(),
  country: z.string(),
  dateStart: z.string().optional(),
  dateEnd: z.string().optional(),
  httpsPort: z.string().optional(),
  socks5Port: z.string().optional(),
  comment: z.string().optional(),
  extendInfo: z.object({ autoExtend: z.boolean(), extendDays: z.number() }),
}) satisfies z.ZodType<RentedProxy>;

const purchaseSchema = z.object({
  requestId: z.string(),
  orderNumber: z.string(),
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
  proxies: z.array(proxySchema),
  ipAddressIds: z.array(z.string()),
  credentials: z.record(z.string(), z.object({ login: z.string(), password: z.string() })),
  urls: z.array(z.string()),
  expiresAt: z.string().optional(),
  purchases: z.array(purchaseSchema),
  stateVersion: z.literal(STATE_VERSION),
});

/** Arguments with what the provider adds to them at check: what preview shows and create gets. */
export type CheckedOrder = z.infer<typeof checkedOrderSchema>;

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
    orderIds: [purchase.orderNumber],
    status: "pendingDelivery",
    ...recordProxies(checked, []),
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

/** The first moment at which one of these proxies is no longer paid; undefined while none is known. */
function findEarliestEnd(proxies: readonly RentedProxy[]): string | undefined {
  return proxies
    .map((proxy) => proxy.dateEnd)
    .filter((end) => end !== undefined)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
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

/** How many proxies there were in all: paid, or taken over. */
export function countOrdered({ purchases, holdings }: OrderState): number {
  const taken = holdings.adopted ?? 0;
  return purchases.reduce((sum, purchase) => sum + purchase.quantity, taken);
}
