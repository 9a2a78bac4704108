import { fileURLToPath } from "node:url";
import { execaNode } from "execa";
import { z } from "zod";

/** How many calls went to each endpoint; endpoints that were not called are left out. */
export type RequestCounts = Record<string, number>;

/** A service to rent from, in a process of its own. */
export interface Service {
  /** What the provider must be told to find it. */
  readonly env: Record<string, string>;
  /** The requests since the last time this was asked. */
  takeRequestCounts(): Promise<RequestCounts>;
  stop(): Promise<void>;
}

/** The page size that the provider asks for, so that the listing has as few pages as it can have. */
export const PAGE_CAP = 100;

const script = fileURLToPath(new URL("./simulator-process.ts", import.meta.url));
const addressSchema = z.object({ baseUrl: z.string(), apiKey: z.string() });
const countsSchema = z.record(z.string(), z.number());

/** Starts an empty account whose every answer takes `latencyMs`. */
export async function startService(latencyMs: number): Promise<Service> {
  const child = execaNode(script, [String(latencyMs), String(PAGE_CAP)], { reject: false });
  const { baseUrl, apiKey } = addressSchema.parse(await child.getOneMessage());
  return {
    env: { PROXYRENTAL_BASE_URL: baseUrl, PROXYRENTAL_API_KEY: apiKey },
    async takeRequestCounts() {
      const answer = child.getOneMessage();
      await child.sendMessage("counts");
      const counts = countsSchema.parse(await answer);
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
    },
    async stop() {
      child.kill();
      await child;
    },
  };
}
