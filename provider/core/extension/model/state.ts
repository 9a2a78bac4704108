import { z } from "zod";
import type { ProxyRecord } from "../../../client/index.ts";
import { addressOf } from "../../proxies/address.ts";
import { knownOrderSchema, rentedProxySchema } from "../../proxies/rented-proxy.ts";
import type { ExtensionIntent } from "../../records/intent.ts";
import { paymentOf, paymentSchema } from "../../spending/payment.ts";
import { extensionQuoteSchema } from "../../spending/quote.ts";
import { findEarliestEnd } from "../../values/dates.ts";
import { type Migration, newestVersion } from "../../values/migrate.ts";
import { parseState } from "../../values/parse-state.ts";
import { extensionArgsSchema, throughMs } from "./args.ts";
import type { ProxyBefore } from "./moved-ends.ts";

/** Brings recorded states to the newest form. Every release reads all earlier forms. */
const migration: Migration = { versionIn: "stateVersion", steps: [] };

const STATE_VERSION = newestVersion(migration);

/** One call that pays for one more period. `quote` has the price of all of them together. */
const roundSchema = z.object({
  quantity: z.number().describe("How many proxies the call pays for."),
  price: z.number().describe("What the call costs."),
});

const checkedExtensionSchema = extensionArgsSchema.extend({
  owner: z.string().describe("Who owns the purchase: the organisation and the resource's URN."),
  requestId: z.string().describe("The provider's own id of the purchase that is planned."),
  quote: extensionQuoteSchema.describe("The price of the last purchase."),
  rounds: z.array(roundSchema).describe("The calls that pay, one after the other."),
  takesOver: z
    .literal(true)
    .optional()
    .describe(
      "Whether an earlier run has paid for a part of it and was killed. That part may be saved before the rest is paid. Absent if not.",
    ),
  addresses: z
    .record(z.string(), z.string())
    .describe("Ip and port by id: where a proxy is found that the service has given another id."),
  orders: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "The order by id: it tells a proxy that has another id from another one at its address. Absent where release 0.1.0 has recorded them.",
    ),
});

/** A proxy as it was last seen. */
const paidProxySchema = rentedProxySchema
  .pick({ ipAddressId: true, ipAddressIp: true, httpsPort: true, dateEnd: true })
  .extend({ orderId: knownOrderSchema })
  .meta({ id: "PaidProxy", description: "A proxy as it was last seen." });

const purchaseSchema = z
  .object({
    requestId: z.string().describe("The provider's own id of the payment, as in its journal."),
    quantity: z.number().describe("How many proxies were paid for."),
    rentPeriodDays: z.number().describe("For how many more days they were paid."),
    ...paymentSchema.shape,
  })
  .meta({
    id: "ExtensionPayment",
    description:
      "One extension that was paid: one call, one more rent period for `quantity` proxies.",
  });

const proxyBeforeSchema = z.object({
  ipAddressId: z.string().describe("The id it had."),
  address: z.string().describe("Its ip and port."),
  orderId: knownOrderSchema,
  dateEnd: z.string().optional().describe("Until when it was paid."),
}) satisfies z.ZodType<ProxyBefore>;

const awaitedSchema = z.object({
  requestId: z.string().describe("The provider's own id of the payment."),
  proxies: z.array(proxyBeforeSchema).describe("The proxies as they were before it."),
});

const extensionStateSchema = checkedExtensionSchema.extend({
  ipAddressIds: z
    .array(z.string())
    .describe("The proxies' ids as they are listed now; none when all have ended."),
  proxies: z
    .array(paidProxySchema)
    .describe("Each proxy and until when it is paid; those that have ended are left out."),
  paidUntil: z
    .string()
    .optional()
    .describe("When the first of the proxies ends, ISO 8601; absent when all have ended."),
  purchases: z.array(purchaseSchema).describe("What was paid, and when, oldest first."),
  awaited: awaitedSchema.optional().describe("A paid extension that the listing did not show yet."),
  stateVersion: z.literal(STATE_VERSION).describe("In which form the state is recorded."),
});

/** What users get of an extension beside its arguments. The rest of the state is the provider's own. */
export const extensionOutputsSchema = extensionStateSchema.pick({
  proxies: true,
  paidUntil: true,
  quote: true,
  purchases: true,
});

/** Arguments with what the provider adds to them at check: what preview shows and create gets. */
export type CheckedExtension = z.infer<typeof checkedExtensionSchema>;

/** One call that was paid. */
export type ExtensionPayment = z.infer<typeof purchaseSchema>;

/** A proxy as it was last seen. */
export type PaidProxy = z.infer<typeof paidProxySchema>;

/** What is recorded of an extension. */
export type ExtensionState = z.infer<typeof extensionStateSchema>;

/** Parses what the engine kept of an earlier check. */
export function parseCheckedExtension(inputs: unknown): CheckedExtension {
  return parseState(checkedExtensionSchema, inputs, "inputs of this IpExtension");
}

/** Parses what the engine kept of an extension. */
export function parseExtensionState(outputs: unknown): ExtensionState {
  return parseState(extensionStateSchema, outputs, "outputs of this IpExtension", migration);
}

/** The state to record of proxies as they are now. `quote` stays that of the last purchase. */
export function recordExtension(
  checked: CheckedExtension,
  seen: {
    proxies: readonly PaidProxy[];
    purchases: ExtensionPayment[];
    awaited?: ExtensionState["awaited"];
  },
  former?: ExtensionState,
): ExtensionState {
  const proxies = seen.proxies.map(toPaidProxy);
  const quote = checked.quote.effect === "none" && former ? former.quote : checked.quote;
  const { takesOver: _, ...declared } = checked;
  return {
    ...declared,
    quote,
    ipAddressIds: proxies.map((proxy) => proxy.ipAddressId),
    addresses: { ...checked.addresses, ...addressesOf(proxies) },
    orders: { ...checked.orders, ...ordersOf(proxies) },
    proxies,
    paidUntil: findEarliestEnd(proxies),
    purchases: seen.purchases,
    awaited: seen.awaited,
    stateVersion: STATE_VERSION,
  };
}

function toPaidProxy(proxy: PaidProxy): PaidProxy {
  const { ipAddressId, ipAddressIp, httpsPort, orderId, dateEnd } = proxy;
  return { ipAddressId, ipAddressIp, httpsPort, orderId, dateEnd };
}

/** Ip and port by id. */
function addressesOf(
  proxies: readonly Pick<ProxyRecord, "ipAddressId" | "ipAddressIp" | "httpsPort">[],
): Record<string, string> {
  return Object.fromEntries(proxies.map((proxy) => [proxy.ipAddressId, addressOf(proxy)]));
}

/** The order by id, where it is recorded. */
function ordersOf(proxies: readonly PaidProxy[]): Record<string, string> {
  return Object.fromEntries(
    proxies.flatMap(({ ipAddressId, orderId }) => (orderId ? [[ipAddressId, orderId]] : [])),
  );
}

/** What the state keeps of an extension that the service has taken. */
export function toPayment(intent: ExtensionIntent): ExtensionPayment {
  const { requestId, purchase } = intent;
  const { ipAddressIds, rentPeriodDays } = purchase.request;
  return { requestId, quantity: ipAddressIds.length, rentPeriodDays, ...paymentOf(intent) };
}

/** The proxies that are not paid through the declared moment. */
export function findShort<Proxy extends { dateEnd?: string | undefined }>(
  { paidThrough }: Pick<CheckedExtension, "paidThrough">,
  proxies: readonly Proxy[],
): Proxy[] {
  const wantedMs = throughMs(paidThrough);
  return proxies.filter(({ dateEnd }) => dateEnd !== undefined && Date.parse(dateEnd) < wantedMs);
}
