import { z } from "zod";
import { proxyTypes } from "../catalogue/catalogue.ts";
import type { Order } from "./order.ts";

const ProxyTypeName = z.enum(proxyTypes);
const Amount = z.string().regex(/^-?\d+\.\d{2}$/);
const Whole = z.int().min(0);

const itemFields = {
  proxyType: ProxyTypeName,
  country: z.string(),
  quantity: Whole,
  rentPeriodDays: Whole,
};

const ProxyRecord = z.object({
  ipAddressId: z.string(),
  ip: z.string(),
  httpsPort: z.string(),
  socks5Port: z.string(),
  login: z.string(),
  password: z.string(),
  deliverAtMs: z.number(),
  startMs: z.number(),
  endMs: z.number(),
  autoExtend: z.boolean(),
  extendDays: Whole,
  state: z.enum(["undelivered", "listed", "expired"]),
});

const OrderRecord = z.object({
  ...itemFields,
  orderId: z.string(),
  orderNumber: z.string(),
  placedAtMs: z.number(),
  origin: z.enum(["api", "foreign"]),
  details: z.object({
    goal: z.string(),
    authType: z.enum(["LOGIN", "IP"]),
    authIp: z.string().optional(),
    protocol: z.enum(["HTTP", "SOCKS"]).optional(),
    mobileOperator: z.string().optional(),
    rotationTime: z.number().optional(),
    promoCode: z.string().nullish(),
  }),
  proxies: z.array(ProxyRecord),
});

const LedgerEntryRecord = z.object({
  ...itemFields,
  at: z.string(),
  kind: z.enum(["order", "extension"]),
  origin: z.enum(["api", "foreign", "automatic"]),
  orderNumber: z.string(),
  price: Amount,
  balanceAfter: Amount,
});

/** An account as plain data, to begin one and to save one. */
export const AccountRecord = z.object({
  /** The seed of its identities. */
  seed: Whole,
  money: z.object({
    opening: Amount,
    entries: z.array(LedgerEntryRecord),
    payments: z.array(z.object({ at: z.string(), amount: Amount, balanceAfter: Amount })),
  }),
  priceFactors: z.partialRecord(ProxyTypeName, z.string().regex(/^\d+(\.\d+)?$/)),
  promoCodeUses: z.record(z.string(), z.int()),
  counters: z.object({ proxiesMade: Whole, idsChanged: Whole }),
  orders: z.array(OrderRecord),
});
export type AccountRecord = z.infer<typeof AccountRecord>;
export type OrderRecord = z.infer<typeof OrderRecord>;

/** A new account. `balance` is a decimal with two places. */
export function beginAccount(seed: number, balance: string): AccountRecord {
  return {
    seed,
    money: { opening: balance, entries: [], payments: [] },
    priceFactors: {},
    promoCodeUses: {},
    counters: { proxiesMade: 0, idsChanged: 0 },
    orders: [],
  };
}

export function recordOrder(order: Order): OrderRecord {
  return {
    ...order,
    details: { ...order.details },
    proxies: order.proxies.map(({ order: _, ...proxy }) => ({ ...proxy })),
  };
}
