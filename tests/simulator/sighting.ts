import type { Simulator } from "../../simulator/index.ts";
import { orders } from "./caller.ts";

/** What a caller sees of an answer, or of a missing answer. */
export interface Sighting {
  /** The error code of the connection, if there is no answer. */
  code?: string;
  status?: number;
  type?: string | null;
  headers: Headers;
  text: string;
}

/** Orders five IPv4 proxies for 7.00 and returns what the caller sees. By default no redirect is followed. */
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

/** The orders that the account received, and its charges. */
export function tally(simulator: Simulator): { calls: number; charges: string[] } {
  return {
    calls: simulator.requestCounts().createOrder,
    charges: simulator.ledger().map(({ origin, price }) => `${origin} ${price}`),
  };
}
