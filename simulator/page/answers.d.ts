/** The answers of the control API, as far as the page reads them. */

export type ProxyCounts = Record<"undelivered" | "listed" | "expired", number>;

export interface AccountSummary {
  name: string;
  balance: string;
  currency: string;
  charges: number;
  orders: number;
  proxies: ProxyCounts;
}

export interface Item {
  proxyType: string;
  country: string;
  quantity: number;
  rentPeriodDays: number;
}

export interface Charge extends Item {
  at: string;
  kind: "order" | "extension";
  origin: "api" | "foreign" | "automatic";
  orderNumber: string;
  price: string;
  balanceAfter: string;
}

export interface Payment {
  at: string;
  amount: string;
  balanceAfter: string;
}

export interface Ledger {
  opening: string;
  entries: Charge[];
  payments: Payment[];
}

export interface OrderSummary extends Item {
  orderNumber: string;
  orderId: string;
  placedAt: string;
  origin: "api" | "foreign";
  goal: string;
  authType: string;
  authIp?: string;
  protocol?: string;
  mobileOperator?: string;
  rotationTime?: number;
  promoCode?: string | null;
  proxies: ProxyCounts;
  autoExtending: number;
  endsAt: string | null;
}

export interface Proxy {
  ipAddressId: string;
  ip: string;
  httpsPort: string;
  socks5Port: string;
  dateStart: string;
  dateEnd: string;
  autoExtend: boolean;
  extendDays: number;
  state: keyof ProxyCounts;
}

export interface RequestSummary {
  number: number;
  endpoint?: string;
  method: string;
  path: string;
  proxyType?: string;
  account?: string;
  at: string;
  body?: unknown;
  status?: number;
  answer?: unknown;
  faults: string[];
  tookMs: number | null;
}

export interface FaultRule {
  endpoint: string;
  calls?: number[];
  probability?: number;
  phase: string;
  fault: { kind: string; [parameter: string]: unknown };
}

export interface StandingFault extends FaultRule {
  id: string;
  hits: number;
  usedUp: boolean;
}

/** The variables for a shell; null for a key that the simulator does not tell. */
export type Environment = Record<string, string | null>;

export interface Invariant {
  account: string;
  name: string;
  holds: boolean;
  detail?: string;
}
