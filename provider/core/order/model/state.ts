import { z } from "zod";
import type { Credential, ProxyRecord } from "../../../client/index.ts";
import type { Look } from "../../account/listing.ts";
import { withListedEnds } from "../../proxies/listed-ends.ts";
import { toProxyUrl } from "../../proxies/proxy-url.ts";
import { rentedProxySchema } from "../../proxies/rented-proxy.ts";
import { fleetSchema } from "../../spending/fleet-limit.ts";
import { orderQuoteSchema } from "../../spending/quote.ts";
import { findEarliestEnd, findLatestEnd, hasEnded } from "../../values/dates.ts";
import { type Migration, newestVersion } from "../../values/migrate.ts";
import { parseState } from "../../values/parse-state.ts";
import { type OrderArgs, orderArgsSchema } from "./args.ts";
import { holdingsSchema } from "./holdings.ts";
import { type PaidOrder, type Receipt, receiptSchema, toReceipt } from "./receipt.ts";

/** Brings recorded states to the newest form. Every release reads all earlier forms. */
const migration: Migration = { versionIn: "stateVersion", steps: [] };

const STATE_VERSION = newestVersion(migration);

const checkedOrderSchema = orderArgsSchema.extend({
  // It is 0 if all that is held has ended, and something that was released has not.
  quantity: z.int().min(0).describe("Number of proxies."),
  owner: z.string().describe("Who owns the purchase: the organisation and the resource's URN."),
  fleet: fleetSchema.optional().describe("The fleet whose limit its purchases count against."),
  requestId: z.string().describe("The provider's own id of the purchase that is planned."),
  quote: orderQuoteSchema.describe("The price of the last purchase."),
  holdings: holdingsSchema.describe("What is held and what was let go, for the next plan."),
});

/** A proxy that was let go and is still paid: enough to find it in the listing and to take it back. */
const releasedProxySchema = rentedProxySchema
  .pick({
    ipAddressId: true,
    ipAddressIp: true,
    httpsPort: true,
    orderId: true,
    dateEnd: true,
    extendInfo: true,
  })
  .meta({ id: "ReleasedProxy", description: "A proxy that was let go and is still paid." });

const credentialSchema = z
  .object({
    login: z.string().describe("The login."),
    password: z.string().describe("The password."),
  })
  .meta({
    id: "Credential",
    description: "Login and password of one proxy.",
  }) satisfies z.ZodType<Credential>;

const orderStateSchema = checkedOrderSchema.extend({
  orderNumber: z
    .string()
    .describe(
      "The service's number of the first order; also the resource's id. `purchases` has the further ones.",
    ),
  orderIds: z.array(z.string()).describe("The order ids under which the proxies are listed."),
  status: z
    .enum(["active", "pendingDelivery"])
    .describe(
      "`pendingDelivery` while a paid order's proxies are not all listed; the next `up` waits for them.",
    ),
  proxies: z
    .array(rentedProxySchema)
    .describe("The service's records of the proxies, without their logins."),
  released: z
    .array(releasedProxySchema)
    .describe(
      "Proxies that were let go and are still paid: a larger `quantity` takes them back free of charge.",
    ),
  ipAddressIds: z.array(z.string()).describe("The proxies' ids, as `IpAutoExtend` takes them."),
  credentials: z
    .record(z.string(), credentialSchema)
    .describe("Login and password by ipAddressId. Secret."),
  urls: z
    .array(z.string())
    .describe(
      "`scheme://login:password@ip:port`, percent-encoded: http, or socks5 with protocol SOCKS. Secret.",
    ),
  expiresAt: z
    .string()
    .optional()
    .describe(
      "When the first of the proxies ends, ISO 8601; absent while the service has not said.",
    ),
  purchases: z
    .array(receiptSchema)
    .describe("What was paid, when, and for which order number, oldest first."),
  stateVersion: z.literal(STATE_VERSION).describe("In which form the state is recorded."),
});

/** What users get of an order beside its arguments. The rest of the state is the provider's own. */
export const orderOutputsSchema = orderStateSchema.pick({
  orderNumber: true,
  orderIds: true,
  proxies: true,
  released: true,
  ipAddressIds: true,
  credentials: true,
  urls: true,
  expiresAt: true,
  status: true,
  quote: true,
  purchases: true,
});

/** Which outputs of an order hold logins. */
export const secretOrderOutputs = ["credentials", "urls"] as const satisfies (keyof OrderState)[];

/** Arguments with what the provider adds to them at check: what preview shows and create gets. */
export type CheckedOrder = z.infer<typeof checkedOrderSchema>;

/** See `releasedProxySchema`. */
export type ReleasedProxy = z.infer<typeof releasedProxySchema>;

/** What is recorded of an order that was paid. */
export type OrderState = z.infer<typeof orderStateSchema>;

/** Parses what the engine kept of an earlier check. */
export function parseCheckedOrder(inputs: unknown): CheckedOrder {
  return parseState(checkedOrderSchema, inputs, "inputs of this ProxyOrder");
}

/** Parses what the engine kept of an order. */
export function parseOrderState(outputs: unknown): OrderState {
  return parseState(orderStateSchema, outputs, "outputs of this ProxyOrder", migration);
}

/** The state of an order from the moment when the service has accepted it. Its proxies come later. */
export function openOrder(checked: CheckedOrder, purchase: Receipt): OrderState {
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
  checked: CheckedOrder,
  orderNumber: string,
  records: readonly ProxyRecord[],
  bought?: PaidOrder,
): OrderState {
  return {
    ...checked,
    orderNumber,
    orderIds: [...new Set(records.map((record) => record.orderId))],
    status: "active",
    ...recordProxies(checked, records),
    released: [],
    purchases: bought ? [toReceipt(bought)] : [],
    stateVersion: STATE_VERSION,
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

/** Records edits that cost nothing. What says how the order was bought stays as it is. */
export function recordEdits(state: OrderState, checked: CheckedOrder): OrderState {
  const { requestId, quote } = state;
  // An argument that was taken out must not stay in the state.
  const none: Partial<OrderArgs> = Object.fromEntries(
    Object.keys(orderArgsSchema.shape).map((name) => [name, undefined]),
  );
  return { ...state, ...none, ...checked, requestId, quote };
}

/** Until when an order is paid, as far as the service has said. */
export function paidUntil(state: Pick<OrderState, "expiresAt">): string {
  return state.expiresAt === undefined ? "for its whole period" : `until ${state.expiresAt}`;
}

/** Each order of a resource, and until when it stays paid: the words for a resource that lets them go. */
export function describeEnds(state: OrderState, { now, records }: Look): string {
  const recorded = withListedEnds([...state.proxies, ...state.released], records);
  // What is listed and not recorded has arrived since, or stands for a proxy that the service has exchanged.
  const proxies = [...recorded, ...records];
  const bought = state.purchases.flatMap(({ orderIds }) => orderIds);
  const taken = state.orderIds.filter((orderId) => !bought.includes(orderId));
  const orders = [
    ...taken.map((orderId) => ({ orderNumber: orderId, orderIds: [orderId] })),
    ...state.purchases,
  ];
  const newest = orders.at(-1);
  const sentences = orders.map((order) => {
    const { orderNumber, orderIds } = order;
    const own = proxies.filter(({ orderId }) => orderIds.includes(orderId));
    const isAwaited = state.status === "pendingDelivery" && order === newest;
    if (own.length === 0 && !isAwaited) return `order ${orderNumber} has ended`;
    const last = findLatestEnd(own);
    if (last === undefined) return `order ${orderNumber} stays paid for its whole period`;
    return hasEnded({ dateEnd: last }, now)
      ? `order ${orderNumber} ended on ${last.slice(0, "2026-03-31".length)}`
      : `order ${orderNumber} stays paid until ${last}`;
  });
  return sentences.join(", ");
}

/** A state with some of its orders alone, by their listed ids. */
export function withOrders(state: OrderState, isOne: (orderId: string) => boolean): OrderState {
  const isOf = ({ orderId }: { orderId: string }) => isOne(orderId);
  return {
    ...state,
    orderIds: state.orderIds.filter(isOne),
    proxies: state.proxies.filter(isOf),
    released: state.released.filter(isOf),
    // One that was not found in the listing yet has no ids.
    purchases: state.purchases.filter(
      ({ orderIds }) => orderIds.length === 0 || orderIds.some(isOne),
    ),
  };
}

/** Some of the proxies of a state, and none of its orders as a whole. */
export function withProxies(
  state: OrderState,
  isOne: (proxy: ReleasedProxy) => boolean,
): OrderState {
  return {
    ...state,
    orderIds: [],
    proxies: state.proxies.filter(isOne),
    released: state.released.filter(isOne),
  };
}
