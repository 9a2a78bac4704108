import type { Hono } from "hono";
import type { Service } from "../../service.ts";

export function addInvariantRoutes(app: Hono, { accounts }: Service): void {
  app.get("/invariants", (c) => {
    const checks = accounts.checkInvariants();
    return c.json({ hold: checks.every(({ holds }) => holds), checks });
  });
}
