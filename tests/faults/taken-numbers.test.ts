import { describe, expect, test } from "vitest";
import {
  buy,
  buyAndDie,
  buyPending,
  countRenewing,
  goOn,
  HOUR_MS,
  journalKinds,
  makeRuns,
  orderByHand,
  planAnew,
  readPurchases,
  type ScopedRuns,
  switchOn,
  tells,
  unwritten,
  upAgain,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

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

  test.each([
    // Nobody can tell that the number was another's: of that country nothing was looked at.
    ["DEU", { status: "pendingDelivery", proxies: [] }],
    ["USA", { status: "active", orderIds: ["4683732"] }],
  ])(
    "is not delivered in place of an order whose answer was not written down, if that is in %s",
    async (country, delivered) => {
      const runs = await makeRuns(kind, { deliveryDelayMs: 200_000 });
      const number = await orderByHand(runs, 5, country);
      const bought = await buyPending(runs, "", { ...tells(number), ...unwritten });
      const { state } = await upAgain(runs, "", bought);
      expect(state).toMatchObject(delivered);
      expect(state.orderIds).not.toContain(number);
      await switchOn(runs, number);
      await (await runs.begin("")).orders.delete(state);
      expect(countRenewing(runs)).toBe(5);
    },
  );

  test("does not close an order whose answer was not written down", async () => {
    const runs = await makeRuns(kind);
    const number = await orderByHand(runs);
    const bought = await buyPending(runs, "staging", { ...tells(number), ...unwritten });
    const seen = await runs.begin("staging");
    const again = await planOrder(seen, "fleet", {}, bought.checked);
    await seen.orders.diff(bought.state, again, new Set());
    await seen.account.journal.endRun();
    const run = await runs.begin("production");
    const adopting = { country: "DEU", adoptOrderNumber: number };
    await run.orders.create(await planOrder(run, "keeper", adopting));
    await run.account.journal.endRun();
    expect(await planAnew(runs, "staging")).toMatch(/may have bought/);
  });
});

test.each(journalKinds)(
  "117: what another run has recorded by its listed id is known to its state (%s journal)",
  async (kind) => {
    const runs = await makeRuns(kind, { deliveryDelayMs: 200_000 });
    const bought = await buyPending(runs, "", { ...tells("A-77"), ...unwritten });
    // The turn of another purchase finds out what became of it.
    const other = await runs.begin("");
    const more = { quantity: 3, deliveryTimeoutSeconds: 300 };
    await other.orders.create(await planOrder(other, "other", more));
    await other.account.journal.endRun();
    const delivered = await upAgain(runs, "", bought);
    await goOn(await runs.begin(""), delivered);
    const phase = async () =>
      (await readPurchases(runs)).find(({ owner }) => owner.endsWith("fleet"))?.phase;
    expect(await phase()).toBe("confirmed");
    const run = await runs.begin("");
    await run.orders.delete(delivered.state);
    await run.account.journal.endRun();
    expect(await phase()).toBe("closed");
  },
);

describe.each(journalKinds)(
  "118: an order that a later run has found, and that extends itself, is not bought again after its first period (%s journal)",
  (kind) => {
    test.each([
      ["at once", 0],
      ["after another run has seen it", 2 * HOUR_MS],
    ])("its state is lost %s", async (_when, laterMs) => {
      const runs = await makeRuns(kind, {
        ...{ orderNumberDiffersFromOrderId: true, deliveryDelayMs: 200_000 },
      });
      const delivered = await upAgain(runs, "", await buyPending(runs, "", {}));
      expect(delivered.state.status).toBe("active");
      await switchOn(runs, delivered.state.orderNumber);
      runs.clock.advance(laterMs);
      if (laterMs > 0) await goOn(await runs.begin(""), delivered);
      runs.clock.advance(31 * 24 * HOUR_MS);
      expect(await planAnew(runs, "")).toMatch(/an earlier run has bought/);
    });
  },
);
