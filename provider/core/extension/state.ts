import { z } from "zod";
import type { ProxyRecord } from "../../client/index.ts";
import { findEarliestEnd } from "../end.ts";
import { addressOf } from "../journal/evidence.ts";
import type { ExtensionIntent } from "../journal/intent.ts";
import { quoteSchema } from "../quote.ts";
import { readRecorded } from "../recorded.ts";
import { extensionArgsSchema, throughMs } from "./args.ts";
import type { ProxyBefore } from "./settle.ts";

/** Goes up when the recorded state changes its meaning; every release reads all earlier versions. */
const STATE_VERSION = 1;

/** One call that pays for one more period; the price of all of them together stands in `quote`. */
const roundSchema = z.object({ quantity: z.number(), price: z.number() });

const checkedExtensionSchema = extensionArgsSchema.extend({
  owner: z.string(),
  requestId: z.string(),
  quote: quoteSchema,
  rounds: z.array(roundSchema),
  /** Where each id is found (ip and port) when the service has given the proxy another one. */
  addresses: z.record(z.string(), z.string()),
});

/** A proxy as it was last seen. */
const paidProxySchema = z.object({
  ipAddressId: z.string(),
  ipAddressIp: z.string(),
  httpsPort: z.string().optional(),
  dateEnd: z.string().optional(),
});

const purchaseSchema = z.object({
  requestId: z.string(),
  quantity: z.number(),
  rentPeriodDays: z.number(),
  price: z.number(),
  currency: z.string(),
  discount: z.number(),
  promoCodeStatus: z.string().optional(),
  /** When the service accepted it, by this machine's clock. */
  at: z.string(),
});

const awaitedSchema = z.object({
  requestId: z.string(),
  proxies: z.array(
    z.object({
      ipAddressId: z.string(),
      address: z.string(),
      dateEnd: z.string().optional(),
    }),
  ) satisfies z.ZodType<ProxyBefore[]>,
});

const extensionStateSchema = checkedExtensionSchema.extend({
  /** As they are listed now; none when all have ended. */
  ipAddressIds: z.array(z.string()),
  proxies: z.array(paidProxySchema),
  paidUntil: z.string().optional(),
  purchases: z.array(purchaseSchema),
  /** A paid extension that the listing did not show yet: the proxies as they were before it. */
  awaited: awaitedSchema.optional(),
  stateVersion: z.literal(STATE_VERSION),
});

/** Arguments with what the provider adds to them at check: what preview shows and create gets. */
export type CheckedExtension = z.infer<typeof checkedExtensionSchema>;

/** One call that was paid. */
export type ExtensionPayment = z.infer<typeof purchaseSchema>;

/** A proxy as it was last seen. */
export type PaidProxy = z.infer<typeof paidProxySchema>;

/** What is recorded of an extension. */
export type ExtensionState = z.infer<typeof extensionStateSchema>;

/** Reads what the engine kept of an earlier check. */
export function readCheckedExtension(inputs: unknown): CheckedExtension {
  return readRecorded(checkedExtensionSchema, inputs, "inputs of this IpExtension");
}

/** Reads what the engine kept of an extension. */
export function readExtensionState(outputs: unknown): ExtensionState {
  return readRecorded(extensionStateSchema, outputs, "outputs of this IpExtension");
}

/** What is recorded of proxies as they are now. `quote` stays that of the last purchase. */
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
  return {
    ...checked,
    quote,
    ipAddressIds: proxies.map((proxy) => proxy.ipAddressId),
    addresses: { ...checked.addresses, ...addressesOf(proxies) },
    proxies,
    paidUntil: findEarliestEnd(proxies),
    purchases: seen.purchases,
    awaited: seen.awaited,
    stateVersion: STATE_VERSION,
  };
}

function toPaidProxy({ ipAddressId, ipAddressIp, httpsPort, dateEnd }: PaidProxy): PaidProxy {
  return { ipAddressId, ipAddressIp, httpsPort, dateEnd };
}

/** Ip and port by id. */
function addressesOf(
  proxies: readonly Pick<ProxyRecord, "ipAddressId" | "ipAddressIp" | "httpsPort">[],
): Record<string, string> {
  return Object.fromEntries(proxies.map((proxy) => [proxy.ipAddressId, addressOf(proxy)]));
}

/** What the state keeps of an extension that the service has taken. */
export function toPayment(intent: ExtensionIntent): ExtensionPayment {
  const { requestId, price, currency, discount, promoCodeStatus, history } = intent;
  const { ipAddressIds, rentPeriodDays } = intent.purchase.request;
  const accepted = history.find(({ phase }) => phase === "accepted") ?? history[0];
  return {
    requestId,
    quantity: ipAddressIds.length,
    rentPeriodDays,
    price,
    currency,
    discount,
    promoCodeStatus,
    at: accepted?.at ?? intent.sentAt,
  };
}

/** The proxies that are not paid through the moment that was declared. */
export function findShort<Proxy extends { dateEnd?: string | undefined }>(
  { paidThrough }: Pick<CheckedExtension, "paidThrough">,
  proxies: readonly Proxy[],
): Proxy[] {
  const wantedMs = throughMs(paidThrough);
  return proxies.filter(({ dateEnd }) => dateEnd !== undefined && Date.parse(dateEnd) < wantedMs);
}
