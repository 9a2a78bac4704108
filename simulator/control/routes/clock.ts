import type { Hono } from "hono";
import { z } from "zod";
import type { TimeSpan } from "../../clock.ts";
import type { Service } from "../../service.ts";
import { readJson } from "../reading.ts";

/** The clock checks the units, here and for programs. */
const Span = z.record(z.string(), z.unknown());

export function addClockRoutes(app: Hono, { accounts, clock }: Service): void {
  const view = () => ({ now: clock.now().toISOString() });

  app.get("/clock", (c) => c.json(view()));

  app.post("/clock/advance", async (c) => {
    clock.advance((await readJson(c, Span)) as TimeSpan);
    accounts.settle();
    return c.json(view());
  });
}
