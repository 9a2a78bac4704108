import { Big } from "big.js";
import { type Catalogue, defaultCatalogue, type ProxyType } from "./catalogue.ts";

export interface SimulatorOptions {
  /** @default 0, any free one */
  port?: number | undefined;
  /** @default "127.0.0.1" */
  host?: string | undefined;
  /**
   * Opens the control door: clock, faults, accounts, requests and snapshots over HTTP, and a page for people. On the loopback
   * and any free port unless told otherwise. @default false
   */
  control?: boolean | { port?: number | undefined; host?: string | undefined } | undefined;
  /** @default "demo-key-…", made from the seed */
  apiKey?: string | undefined;
  /** The same seed and the same calls give the same ids, addresses, logins and order numbers. @default 1 */
  seed?: number | undefined;
  /** What the account begins with. @default "1000.00" */
  balance?: string | number | undefined;
  /** ISO code. @default "USD" */
  currency?: string | undefined;
  /** What the service's clock goes by; `advance` moves it ahead of that. It must not go back. @default the machine's */
  now?: (() => Date) | undefined;
  /** How long each answer is held back. @default 0 */
  latencyMs?: number | undefined;
  /** How long after the order its proxies appear in the listing, by `now`. @default 0 */
  deliveryDelayMs?: number | undefined;
  /** After the delay, proxies appear `size` at a time, every `everyMs`. @default all at once */
  deliveryBatch?: { size: number; everyMs: number } | undefined;
  /** A larger page size is silently cut down to this; small, so that nobody gets away without paging. @default 25 */
  pageCap?: number | undefined;
  /** Whether the number told to the buyer differs from the `orderId` of the listing. @default false */
  orderNumberDiffersFromOrderId?: boolean | undefined;
  /** Whether each extension, automatic ones too, gives the proxies new ids; addresses, ports and logins stay. @default false */
  idsChangeOnExtension?: boolean | undefined;
  /** Whether countries and rent periods of ISP are refused (code 4) without `/users`; else both forms work. @default false */
  ispNeedsUsersPrefix?: boolean | undefined;
  /** In which form calculate/extend takes the ids of IPv6; the string is separated by commas. @default "either" */
  ipv6IdsAs?: "list" | "string" | "either" | undefined;
  /** The smallest quantity of an order, by type. @default 1 each */
  minimumQuantity?: Partial<Record<ProxyType, number>> | undefined;
}

const loopback = "127.0.0.1";

/** The options with every default filled in. */
export interface Settings {
  port: number;
  host: string;
  control: { port: number; host: string } | undefined;
  apiKey: string | undefined;
  seed: number;
  balance: Big;
  currency: string;
  now: () => Date;
  latencyMs: number;
  deliveryDelayMs: number;
  deliveryBatch: { size: number; everyMs: number } | undefined;
  pageCap: number;
  orderNumberDiffersFromOrderId: boolean;
  idsChangeOnExtension: boolean;
  ispNeedsUsersPrefix: boolean;
  ipv6IdsAs: "list" | "string" | "either";
  minimumQuantity: Partial<Record<ProxyType, number>>;
  catalogue: Catalogue;
}

export function resolveSettings(options: SimulatorOptions): Settings {
  return {
    port: requireInteger("port", options.port ?? 0, 0),
    host: options.host ?? loopback,
    control: resolveControl(options.control),
    apiKey: options.apiKey,
    seed: requireInteger("seed", options.seed ?? 1, 0),
    balance: parseMoney("balance", options.balance ?? "1000.00"),
    currency: options.currency ?? "USD",
    now: options.now ?? (() => new Date()),
    latencyMs: requireInteger("latencyMs", options.latencyMs ?? 0, 0),
    deliveryDelayMs: requireInteger("deliveryDelayMs", options.deliveryDelayMs ?? 0, 0),
    deliveryBatch: options.deliveryBatch && {
      size: requireInteger("deliveryBatch.size", options.deliveryBatch.size, 1),
      everyMs: requireInteger("deliveryBatch.everyMs", options.deliveryBatch.everyMs, 0),
    },
    pageCap: requireInteger("pageCap", options.pageCap ?? 25, 1),
    orderNumberDiffersFromOrderId: options.orderNumberDiffersFromOrderId ?? false,
    idsChangeOnExtension: options.idsChangeOnExtension ?? false,
    ispNeedsUsersPrefix: options.ispNeedsUsersPrefix ?? false,
    ipv6IdsAs: options.ipv6IdsAs ?? "either",
    minimumQuantity: options.minimumQuantity ?? {},
    catalogue: defaultCatalogue,
  };
}

function resolveControl(control: SimulatorOptions["control"]): Settings["control"] {
  if (!control) return undefined;
  const { port = 0, host = loopback } = control === true ? {} : control;
  return { port: requireInteger("control.port", port, 0), host };
}

export function parseMoney(name: string, value: string | number): Big {
  try {
    return new Big(value).round(2);
  } catch {
    throw new TypeError(`${name} must be a decimal number, not "${value}"`);
  }
}

function requireInteger(name: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new TypeError(`${name} must be a whole number of at least ${least}, not ${value}`);
  }
  return value;
}
