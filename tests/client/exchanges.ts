import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EndpointName } from "../../provider/client/index.ts";

/** A documented request and its documented answer. */
export interface Exchange {
  endpoint: EndpointName;
  /** A name for tests, for instance `createOrder/ok-ipv4`. */
  name: string;
  request: {
    method: string;
    /** The path; `{apiKey}` stands in the place of the key. */
    path: string;
    query?: Record<string, string>;
    body?: Record<string, unknown>;
  };
  response: Record<string, unknown> & {
    success: boolean;
    error: { code: number; message: string } | null;
  };
}

const folder = join(import.meta.dirname, "../fixtures");

/** All exchanges in the folder. */
export const exchanges: Exchange[] = readdirSync(folder)
  .filter((name) => !name.includes("."))
  .flatMap((endpoint) =>
    readdirSync(join(folder, endpoint)).map((file) => ({
      endpoint: endpoint as EndpointName,
      name: `${endpoint}/${file.replace(".json", "")}`,
      ...JSON.parse(readFileSync(join(folder, endpoint, file), "utf8")),
    })),
  );
