import { describe, expect, test } from "vitest";
import {
  buy,
  buyAndDie,
  goOn,
  journalKinds,
  makeRuns,
  planAnew,
  readPurchases,
  type ScopedRuns,
} from "../journals/shared/scoped-runs.ts";
import type { Interposition } from "../support/account.ts";

/** The service tells the number of another order for the next one. */
const tells = (orderNumber: string): Interposition => ({
  service: (real) => ({
    ...real,
    createOrder: async (...call) => ({ ...(await real.createOrder(...call)), orderNumber }),
  }),
});

/** Another resource buys an order of which it is told that number. */
const buyMisnumbered = (runs: ScopedRuns, scope: string, orderNumber: string) =>
  buy(runs, scope, { name: "keeper", interpose: tells(orderNumber) });

describe.each(journalKinds)("116: the number of another purchase in a %s journal", (kind) => {
  test.each([
    ["staging", "production"],
    ["", ""],
  ])("does not take that one over (scopes '%s' and '%s')", async (theirs, ours) => {
    const runs = await makeRuns(kind);
    const first = await buy(runs, theirs);
    await goOn(await runs.begin(theirs), first);
    const other = await buyMisnumbered(runs, ours, first.state.orderNumber);
    await goOn(await runs.begin(ours), other, "keeper");
    expect((await readPurchases(runs)).map(({ owner }) => owner)).toEqual([
      first.state.owner,
      other.state.owner,
    ]);
    expect(await planAnew(runs, theirs)).not.toBe("buy");
  });

  test("does not confirm what a killed run has paid", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "staging");
    const [paid] = await readPurchases(runs);
    const other = await buyMisnumbered(runs, "production", paid?.orderNumber ?? "");
    await goOn(await runs.begin("production"), other, "keeper");
    expect(await planAnew(runs, "staging")).toBe("recover");
  });

  test("does not release that one when its own is deleted", async () => {
    const runs = await makeRuns(kind);
    const first = await buy(runs, "staging");
    await goOn(await runs.begin("staging"), first);
    const other = await buyMisnumbered(runs, "production", first.state.orderNumber);
    const run = await runs.begin("production");
    await run.orders.delete(other.state);
    await run.account.journal.endRun();
    expect((await readPurchases(runs)).map(({ phase }) => phase)).toEqual(["confirmed", "closed"]);
  });
});
