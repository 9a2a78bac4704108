import { fileURLToPath } from "node:url";
import { execaNode } from "execa";
import { z } from "zod";
import { ask } from "./ask.ts";

/** How many calls went to each endpoint. An endpoint without a call is left out. */
export type RequestCounts = Record<string, number>;

/** A rental service in its own process. */
export interface Service {
  /** The variables with which the provider finds the service. */
  readonly env: Record<string, string>;
  /** The calls since this method was last called. */
  takeRequestCounts(): Promise<RequestCounts>;
  stop(): Promise<void>;
}

/** The page size that the provider asks for. The listing then has as few pages as possible. */
export const PAGE_CAP = 100;

const script = fileURLToPath(new URL("./simulator-process.ts", import.meta.url));
const addressSchema = z.object({ baseUrl: z.string(), apiKey: z.string() });
const countsSchema = z.record(z.string(), z.number());

/** Starts a service with an empty account. Each answer takes `latencyMs`. */
export async function startService(latencyMs: number): Promise<Service> {
  const child = execaNode(script, [String(latencyMs), String(PAGE_CAP)], { reject: false });
  const { baseUrl, apiKey } = addressSchema.parse(await child.getOneMessage());
  return {
    env: { PROXYRENTAL_BASE_URL: baseUrl, PROXYRENTAL_API_KEY: apiKey },
    async takeRequestCounts() {
      const counts = countsSchema.parse(await ask(child, "counts"));
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    },
    async stop() {
      child.kill();
      await child;
    },
  };
}
