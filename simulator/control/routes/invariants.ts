import type { Hono } from "hono";
import { checkInvariants } from "../../account/invariants.ts";
import type { Service } from "../../service.ts";

export function addInvariantRoutes(app: Hono, { accounts }: Service): void {
  app.get("/invariants", (c) => {
    accounts.settle();
    const checks = accounts
      .all()
      .flatMap((account) =>
        checkInvariants(account).map((one) => ({ account: account.name, ...one })),
      );
    return c.json({ hold: checks.every(({ holds }) => holds), checks });
  });
}
