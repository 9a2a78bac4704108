import { describe, expect, test } from "vitest";
import {
  adopt,
  type BoughtOrder,
  buy,
  buyAndDie,
  buyPending,
  buysAnew,
  countRenewing,
  goOn,
  HOUR_MS,
  journalKinds,
  makeRuns,
  orderByHand,
  planAnew,
  readPhases,
  readPurchases,
  remove,
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

describe.each(journalKinds)(
  "239: a resource is told the listed id of another's order (%s journal)",
  (kind) => {
    async function buyOther(runs: ScopedRuns) {
      const [first] = runs.simulator.orders();
      const other = await buyMisnumbered(runs, "", first?.orderId ?? "");
      expect(other.state.orderIds).toEqual([runs.simulator.orders()[1]?.orderId]);
      return other;
    }

    /** A run that has met the other resource. */
    async function meetOther(runs: ScopedRuns, { checked, state }: BoughtOrder) {
      const run = await runs.begin("");
      await run.orders.diff(state, await planOrder(run, "keeper", {}, checked), new Set());
      return run;
    }

    test("that order is let go when its own resource is deleted", async () => {
      const runs = await makeRuns(kind, { orderNumberDiffersFromOrderId: true });
      const fleet = await buy(runs, "");
      await switchOn(runs, fleet.state.orderNumber);
      const run = await meetOther(runs, await buyOther(runs));
      await run.orders.delete(fleet.state);
      await run.account.journal.endRun();
      expect(countRenewing(runs)).toBe(0);
      expect(await readPhases(runs)).toEqual(["fleet closed", "keeper confirmed"]);
    });

    test("that order, which a killed run has paid, is not bought again under another name", async () => {
      const runs = await makeRuns(kind, { orderNumberDiffersFromOrderId: true });
      await buyAndDie(runs, "");
      const other = await buyOther(runs);
      runs.clock.advance(2 * HOUR_MS);
      const run = await meetOther(runs, other);
      const armada = await planOrder(run, "armada", { goal: "fleet" });
      await expect(run.orders.create(armada)).rejects.toThrow("ORDER_MAY_BE_PAID");
      expect(runs.simulator.orders()).toHaveLength(2);
    });

    test("that order, which was bought by hand and adopted, is let go when its resource is deleted", async () => {
      const runs = await makeRuns(kind, { orderNumberDiffersFromOrderId: true });
      const { fleet } = await adoptByHand(runs);
      const run = await meetOther(runs, await buyOther(runs));
      await run.orders.delete(fleet.state);
      await run.account.journal.endRun();
      expect(countRenewing(runs)).toBe(0);
    });

    test.each(["recover", "adopt"] as const)(
      "that order, which a killed run has paid, can be taken over (%s)",
      async (how) => {
        const runs = await makeRuns(kind);
        await buyAndDie(runs, "");
        const run = await meetOther(runs, await buyOther(runs));
        const [first] = runs.simulator.orders();
        const orderId = first?.orderId ?? "";
        const plan =
          how === "recover"
            ? await planOrder(run, "fleet")
            : await planOrder(run, "armada", { adoptOrderNumber: orderId, goal: "fleet" });
        expect(plan.quote.effect).toBe(how);
        expect((await run.orders.create(plan)).orderIds).toEqual([orderId]);
      },
    );
  },
);

/** An order that somebody has bought by hand, and that extends itself, is adopted. */
async function adoptByHand(runs: ScopedRuns) {
  await orderByHand(runs, 5, "USA");
  const [byHand] = runs.simulator.orders();
  await switchOn(runs, byHand?.orderNumber ?? "");
  const id = byHand?.orderId ?? "";
  return { fleet: await adopt(runs, "", "fleet", id), id };
}

describe("240: a further order is told the listed id of the resource's first one", () => {
  const grown = { quantity: 8 };

  async function grow(runs: ScopedRuns, { checked, state }: BoughtOrder, args: object = grown) {
    const [first = ""] = state.orderIds;
    const run = await runs.begin("", { interpose: tells(first) });
    const wanted = await planOrder(run, "fleet", args, checked);
    await run.orders.diff(state, wanted, new Set());
    const next = await run.orders.update(state, wanted);
    await run.account.journal.endRun();
    expect(next.orderIds).toEqual(runs.simulator.orders().map(({ orderId }) => orderId));
    expect(next.proxies).toHaveLength(8);
    runs.clock.advance(HOUR_MS);
    return next;
  }

  async function buyFirst() {
    const runs = await makeRuns("local", { orderNumberDiffersFromOrderId: true });
    const fleet = await buy(runs, "");
    await switchOn(runs, fleet.state.orderNumber);
    return { runs, fleet };
  }

  test.each(["at once", "after a refresh"])(
    "and the resource is deleted %s: both are let go",
    async (when) => {
      const { runs, fleet } = await buyFirst();
      let state = await grow(runs, fleet);
      if (when === "after a refresh") {
        const refresh = await runs.begin("");
        const found = await refresh.orders.read(state);
        if (found.kind === "present") state = found.state;
        await refresh.account.journal.endRun();
      }
      await remove(runs, "", { state });
      expect(countRenewing(runs)).toBe(0);
      expect(await readPhases(runs)).toEqual(["fleet closed", "fleet closed"]);
    },
  );

  test("which was bought by hand and adopted: both are let go", async () => {
    const runs = await makeRuns("local", { orderNumberDiffersFromOrderId: true });
    const { fleet, id } = await adoptByHand(runs);
    const state = await grow(runs, fleet, { ...grown, adoptOrderNumber: id });
    await remove(runs, "", { state });
    expect(countRenewing(runs)).toBe(0);
  });

  test("and another resource adopts the further one: the first is let go with its resource", async () => {
    const { runs, fleet } = await buyFirst();
    const state = await grow(runs, fleet);
    const [, second = ""] = state.orderIds;
    await adopt(runs, "", "keeper", second, { quantity: 3 });
    await remove(runs, "", { state });
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual(["fleet closed", "keeper returned"]);
  });
});

test.each([5, 3])(
  "241: a killed purchase under a name that nobody was told is not bought again while %i of its 5 proxies extend themselves",
  async (renewing) => {
    const runs = await makeRuns("local", { orderNumberDiffersFromOrderId: true });
    await buyAndDie(runs, "", { at: "placed" });
    const ids = runs.simulator.proxies().map(({ ipAddressId }) => ipAddressId);
    runs.simulator.setAutoExtension(ids.slice(0, renewing), true);
    runs.clock.advance(40 * 24 * HOUR_MS);
    expect(runs.simulator.proxies().filter(({ state }) => state === "listed")).toHaveLength(
      renewing,
    );
    expect(await buysAnew(runs, "")).toBe(0);
  },
);

test.each(journalKinds)(
  "249: an order that waits under another one's number is found by another run and adopted; the waiting one is deleted (%s journal)",
  async (kind) => {
    const runs = await makeRuns(kind, { deliveryDelayMs: 200_000 });
    const number = await orderByHand(runs, 5, "DEU");
    const waiting = await buyPending(runs, "", { ...tells(number), ...unwritten });
    const order = runs.simulator.orders().at(-1);
    const other = await runs.begin("");
    const more = { quantity: 3, deliveryTimeoutSeconds: 300 };
    await other.orders.create(await planOrder(other, "other", more));
    await other.account.journal.endRun();
    runs.clock.advance(HOUR_MS);
    const keeper = await adopt(runs, "", "keeper", order?.orderId ?? "");
    await goOn(await runs.begin(""), keeper, "keeper");
    await remove(runs, "", waiting);
    expect(await readPhases(runs)).toContain("keeper confirmed");
    expect(await buysAnew(runs, "", "keeper", { goal: "fleet" })).toBe(0);
  },
);
