import type { Simulator } from "../../simulator/index.ts";
import { orders } from "./caller.ts";

/** What a caller gets to see of an answer, or of its absence. */
export interface Sighting {
  /** Of the connection, when there is no answer. */
  code?: string;
  status?: number;
  type?: string | null;
  headers: Headers;
  text: string;
}

/** Orders five IPv4 proxies for 7.00 and tells what comes back; follows no redirect unless told to. */
export async function sightOrder(simulator: Simulator, init: RequestInit = {}): Promise<Sighting> {
  return sight(`${simulator.baseUrl}/client/api/v1/${simulator.apiKey}/order`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(orders.IPv4),
    ...init,
  });
}

export async function sight(url: string, init: RequestInit = {}): Promise<Sighting> {
  try {
    const response = await fetch(url, { redirect: "manual", ...init });
    const { status, headers } = response;
    return { status, type: headers.get("Content-Type"), headers, text: await response.text() };
  } catch (error) {
    return { code: codeOf(error), headers: new Headers(), text: "" };
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return codeOf(error.cause);
  return "code" in error ? String(error.code) : error.name;
}

/** What the account was asked to order, and charged for it. */
export function tally(simulator: Simulator): { calls: number; charges: string[] } {
  return {
    calls: simulator.requestCounts().createOrder,
    charges: simulator.ledger().map(({ origin, price }) => `${origin} ${price}`),
  };
}
