import type { Hono } from "hono";
import { z } from "zod";
import type { RequestRecord } from "../../api/request-journal.ts";
import type { Service } from "../../service.ts";
import { readQuery } from "../reading.ts";

const Window = z.object({
  after: z.coerce.number().int().min(0).optional(),
  /** Single requests, "3,7", for a caller that waits until these have ended. */
  numbers: z
    .string()
    .regex(/^\d+(,\d+)*$/, "numbers are expected, separated by commas")
    .transform((text) => new Set(text.split(",").map(Number)))
    .optional(),
  /** Those of one account, and those that are nobody's. */
  account: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
});

export function addRequestRoutes(app: Hono, { requests }: Service): void {
  app.get("/requests", (c) => {
    const { after, numbers, account, limit } = readQuery(c, Window);
    const records = requests
      .records(after, account)
      .filter(({ number }) => numbers === undefined || numbers.has(number));
    const shown = after === undefined ? records.slice(-limit) : records.slice(0, limit);
    return c.json({
      counts: requests.counts(),
      total: requests.countFor(account),
      first: requests.firstNumber(),
      requests: shown.map(view),
    });
  });

  app.delete("/requests", (c) => {
    requests.reset();
    return c.body(null, 204);
  });
}

/** Times of the simulator's process mean nothing elsewhere, but the duration does. */
function view({ beganAtMs, endedAtMs, ...rest }: RequestRecord) {
  return { ...rest, tookMs: endedAtMs === undefined ? null : endedAtMs - beganAtMs };
}
