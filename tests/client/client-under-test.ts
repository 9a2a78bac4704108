import { onTestFinished } from "vitest";
import {
  type Chance,
  type Client,
  type ClientOptions,
  createClient,
  isServiceError,
  type OrderRequest,
  type ServiceError,
} from "../../provider/client/index.ts";

/** A key in which nearly every character needs percent-encoding. */
export const API_KEY = "s3cr3t/key +ü%2F?#&=é";

/** A client that closes with the test. Its retries do not wait. */
export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ baseUrl, apiKey: API_KEY, chance: still(), ...options });
  onTestFinished(() => client.close());
  return client;
}

/** A source of chance that always gives the same value. Its waits are over at once. */
export interface StillChance extends Chance {
  waits: number[];
}

/** Makes such a source. Its time moves on only by waits. */
export function still(random = 0.5): StillChance {
  const waits: number[] = [];
  let nowMs = 0;
  return {
    waits,
    random: () => random,
    nowMs: () => nowMs,
    async sleep(ms) {
      waits.push(ms);
      nowMs += ms;
    },
  };
}

/** The error that a call must fail with. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(
    (value) => new Error(`it did not fail but gave ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (isServiceError(error)) return error;
  throw error;
}

/** An order of five proxies. */
export const order: OrderRequest = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
  authType: "LOGIN",
};

/** An extension of two proxies. */
export const extension = {
  proxyType: "IPv4",
  ipAddressIds: ["58210341", "58210342"],
  rentPeriodDays: 30,
} as const satisfies object;
