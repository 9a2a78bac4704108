import { once } from "node:events";
import { request } from "node:http";
import type { ProxyType, Simulator } from "../../simulator/index.ts";

export interface Call {
  method: string;
  /** The path; `{apiKey}` stands in the place of the key. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

interface ListedProxy {
  ipAddressId: string;
  ipAddressIp: string;
  orderId: string;
  country: string;
  dateStart: string;
  dateEnd: string;
  httpsPort: string;
  socks5Port: string;
  authInfo: { login: string; password: string };
  extendInfo: { autoExtend: boolean; extendDays: number };
}

/** All fields that endpoints may answer. If a test reads a field that is missing, it finds undefined and fails. */
export interface Answer {
  success: boolean;
  error: { code: number; message: string } | null;
  warnings: { code: number; message: string }[] | null;
  balance: number;
  price: number;
  discount: number;
  promoCodeStatus: string | null;
  orderNumber: string;
  quantity: number;
  ipAddressIds: string[];
  proxyTypes: string[];
  countries: { name: string; alpha3code: string }[];
  rentPeriodDays: number[];
  promoCodes: { code: string; countUses: number }[];
  mobileOperators: Record<string, { mobileOperator: string; rotationTimes: number[] }[]>;
  data: { totalElements: number; totalPages: number; content: ListedProxy[] };
}

export async function send(simulator: Simulator, call: Call, apiKey = simulator.apiKey) {
  const query = call.query ? `?${new URLSearchParams(call.query)}` : "";
  return fetch(simulator.baseUrl + call.path.replace("{apiKey}", apiKey) + query, {
    method: call.method,
    ...(call.body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(call.body) }),
  });
}

export async function ask(simulator: Simulator, call: Call, apiKey?: string): Promise<Answer> {
  const response = await send(simulator, call, apiKey);
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

export function get(simulator: Simulator, name: string, query?: Record<string, string>) {
  const path = `/client/api/v1/{apiKey}/${name}`;
  return ask(simulator, { method: "GET", path, ...(query ? { query } : {}) });
}

export function post(simulator: Simulator, name: string, body: unknown) {
  return ask(simulator, { method: "POST", path: `/client/api/v1/{apiKey}/${name}`, body });
}

export function listPage(simulator: Simulator, proxyType: string, page = 0, size = 1000) {
  return ask(simulator, {
    method: "POST",
    path: "/client/api/v1/{apiKey}/ipAddress",
    query: { proxyType },
    body: { proxyType, page, size },
  });
}

export async function listIds(simulator: Simulator, proxyType: string): Promise<string[]> {
  const { data } = await listPage(simulator, proxyType);
  return data.content.map((record) => record.ipAddressId);
}

const common = { goal: "tests", authType: "LOGIN" };

export const orders = {
  IPv4: { ...common, proxyType: "IPv4", quantity: 5, country: "USA", rentPeriodDays: 30 },
  IPv6: {
    ...common,
    proxyType: "IPv6",
    quantity: 3,
    country: "NLD",
    rentPeriodDays: 90,
    protocol: "HTTP",
  },
  MOBILE: {
    ...common,
    proxyType: "MOBILE",
    quantity: 1,
    country: "DEU",
    rentPeriodDays: 30,
    mobileOperator: "telekom",
    rotationTime: 300,
  },
  ISP: { ...common, proxyType: "ISP", quantity: 2, country: "USA", rentPeriodDays: 60 },
} satisfies Record<ProxyType, object>;

/** Sends an order and returns when the server has received the request. The answer has not come then. */
export async function beginOrder(baseUrl: string, apiKey: string) {
  const outcome = Promise.withResolvers<unknown>();
  const sending = request(`${baseUrl}/client/api/v1/${apiKey}/order`, {
    method: "POST",
    // The server sends "100 Continue" when it begins with the request. While it holds the answer back, only this tells.
    headers: { "Content-Type": "application/json", Expect: "100-continue" },
  });
  sending.on("response", () => outcome.resolve("answered"));
  sending.on("error", outcome.resolve);
  sending.flushHeaders();
  await once(sending, "continue");
  sending.end(JSON.stringify(orders.IPv4));
  return { outcome: outcome.promise };
}

/** A clock that stands still until a test moves it. */
export class StillClock {
  #ms = Date.parse("2026-03-01T12:00:00.000Z");
  readonly now = () => new Date(this.#ms);

  advance(ms: number): void {
    this.#ms += ms;
  }

  advanceDays(days: number): void {
    this.advance(days * 86_400_000);
  }
}
