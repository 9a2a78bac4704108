import { describe, expect, test } from "vitest";
import type { Intent } from "../../provider/core/records/intent.ts";
import { given, ownerOf } from "../core/support/orders-under-test.ts";
import {
  adopt,
  type BoughtOrder,
  buy,
  buyAndDie,
  buyPending,
  countRenewing,
  goOn,
  HOUR_MS,
  importOrder,
  journalKinds,
  makeRuns,
  onceWriting,
  planAnew,
  readPhases,
  readPurchases,
  remove,
  rename,
  type ScopedRuns,
  sendAndDie,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";
import type { Interposition } from "../support/account.ts";

/**
 * A program or a person gives a resource an order that the journal knows: by `adoptOrderNumber`, or by an import. The journal
 * goes on knowing it, as that resource's: when the state is lost, it is not bought again.
 */
describe.each(journalKinds)("119: with a %s journal", (kind) => {
  describe.each(["", "staging"])("in the scope %j", (scope) => {
    test("an order of a killed run that was adopted is not bought again", async () => {
      const runs = await makeRuns(kind);
      await buyAndDie(runs, scope);
      await withoutArgument(runs, scope, await adopt(runs, scope, "fleet", "4683731"));
      expect(await planAnew(runs, scope)).toContain("has bought 5 IPv4 proxies");
      expect(await readPhases(runs)).toEqual(["fleet confirmed"]);
    });

    test("nor is one whose state was lost before", async () => {
      const runs = await makeRuns(kind);
      await goOn(await runs.begin(scope), await buy(runs, scope));
      await withoutArgument(runs, scope, await adopt(runs, scope, "fleet", "4683731"));
      expect(await planAnew(runs, scope)).toContain("has bought 5 IPv4 proxies");
    });

    test("nor is one that was renamed since", async () => {
      const runs = await makeRuns(kind);
      await buyAndDie(runs, scope);
      const adopted = await adopt(runs, scope, "fleet", "4683731");
      await rename(runs, scope, adopted, "armada");
      expect(await planAnew(runs, scope, "armada")).toContain("has bought 5 IPv4 proxies");
    });

    test("nor is one that another resource has taken over", async () => {
      const runs = await makeRuns(kind);
      await buyAndDie(runs, scope);
      await adopt(runs, scope, "keeper", "4683731");
      expect(await planAnew(runs, scope, "keeper")).toContain("has bought 5 IPv4 proxies");
      expect(await planAnew(runs, scope)).toBe("buy");
    });

    test("nor is one that was deleted by mistake", async () => {
      const runs = await makeRuns(kind);
      const bought = await buy(runs, scope);
      await remove(runs, scope, bought);
      expect(await readPhases(runs)).toEqual(["fleet closed"]);
      const adopted = await adopt(runs, scope, "fleet", "4683731");
      expect(await planAnew(runs, scope)).toBe("recover");
      await goOn(await runs.begin(scope), adopted);
      expect(await planAnew(runs, scope)).toContain("has bought 5 IPv4 proxies");
    });
  });

  test("one that had no scope then is known to the stack that has one now", async () => {
    const runs = await makeRuns(kind);
    await goOn(await runs.begin(""), await buy(runs, ""));
    await goOn(await runs.begin("staging"), await adopt(runs, "staging", "fleet", "4683731"));
    expect(await planAnew(runs, "staging")).toContain("has bought 5 IPv4 proxies");
  });

  test("an order whose answer nobody has heard is known by its listed id then", async () => {
    const runs = await makeRuns(kind);
    await sendAndDie(runs, "");
    runs.clock.advance(HOUR_MS);
    const { state } = await adopt(runs, "", "fleet", "4683731");
    expect(state.purchases).toMatchObject([{ orderNumber: "4683731", orderIds: ["4683731"] }]);
    expect(await readPurchases(runs)).toMatchObject([
      { phase: "returned", orderNumber: "4683731", orderIds: ["4683731"] },
    ]);
  });

  test("an order that is listed otherwise is known by both names then", async () => {
    const runs = await makeRuns(kind, lateAndOtherwise);
    const { state } = await buyPending(runs, "", {});
    await adopt(runs, "", "keeper", state.orderNumber);
    expect(await readPurchases(runs)).toMatchObject([
      { orderNumber: state.orderNumber, orderIds: [runs.simulator.orders()[0]?.orderId] },
    ]);
  });

  test("the state has the receipt by the plain name of its request", async () => {
    const runs = await makeRuns(kind);
    const { checked } = await buy(runs, "production");
    const { state } = await adopt(runs, "staging", "keeper", "4683731");
    expect(state.purchases).toMatchObject([{ requestId: checked.requestId }]);
  });

  test.each(["in the same run", "by a later run"])(
    "a resource that adopts the order that it waits for keeps it when its former state is deleted %s",
    async (when) => {
      const runs = await makeRuns(kind, lateAndOtherwise);
      const waiting = await buyPending(runs, "", {});
      const [order] = runs.simulator.orders();
      await switchOn(runs, order?.orderNumber ?? "");
      let run = await runs.begin("");
      const adopting = { adoptOrderNumber: order?.orderId };
      const checked = await planOrder(run, "fleet", adopting, waiting.checked);
      expect((await run.orders.diff(waiting.state, checked, new Set())).kind).toBe("replace");
      // The engine replaces it: it makes the new one first.
      const state = await run.orders.create(await planOrder(run, "fleet", adopting));
      if (when === "by a later run") {
        run = await runs.begin("");
        await run.orders.diff(state, await planOrder(run, "fleet", adopting, checked), new Set());
      }
      await run.orders.delete(waiting.state);
      await run.account.journal.endRun();
      expect(countRenewing(runs)).toBe(5);
      expect(await readPhases(runs)).toEqual([`fleet ${phaseAfter(when)}`]);
      await withoutArgument(runs, "", { checked, state });
      expect(await planAnew(runs, "")).toContain("has bought 5 IPv4 proxies");
    },
  );

  test("a refresh knows a resource that has adopted its own order by its new name", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    const adopted = await adopt(runs, "", "fleet", "4683731");
    await rename(runs, "", adopted, "armada");
    const run = await runs.begin("");
    await run.orders.read(adopted.state);
    // Another resource has its former name now.
    const { quote } = await planOrder(run, "fleet", { country: "DEU" });
    expect(quote.effect).toBe("buy");
  });

  test.each(["in the same run", "by a later run"])(
    "the former owner, deleted %s, lets the order alone",
    async (when) => {
      const runs = await makeRuns(kind);
      const bought = await buy(runs, "");
      await switchOn(runs, "4683731");
      const run = await runs.begin("");
      const checked = await planOrder(run, "keeper", { adoptOrderNumber: "4683731" });
      const state = await run.orders.create(checked);
      if (when === "in the same run") await run.orders.delete(bought.state);
      await run.account.journal.endRun();
      if (when === "by a later run") {
        const later = await runs.begin("");
        const kept = await planOrder(later, "keeper", { adoptOrderNumber: "4683731" }, checked);
        await later.orders.diff(state, kept, new Set());
        await later.orders.delete(bought.state);
        await later.account.journal.endRun();
      }
      expect(countRenewing(runs)).toBe(5);
      expect(await readPhases(runs)).toEqual([`keeper ${phaseAfter(when)}`]);
    },
  );

  test("nor does it when its run never meets the new owner", async () => {
    const runs = await makeRuns(kind);
    const bought = await buy(runs, "");
    await switchOn(runs, "4683731");
    await adopt(runs, "", "keeper", "4683731");
    await remove(runs, "", bought);
    expect(countRenewing(runs)).toBe(5);
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
  });

  test("the former owner's state does not take it back", async () => {
    const runs = await makeRuns(kind);
    const bought = await buy(runs, "");
    await adopt(runs, "", "keeper", "4683731");
    await goOn(await runs.begin(""), bought);
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
  });

  test.each(["number", "listed id"])(
    "an import by the %s, of an order that is listed otherwise, keeps the receipt",
    async (by) => {
      const runs = await makeRuns(kind, lateAndOtherwise);
      const { state, checked } = await buyPending(runs, "", {});
      const listed = runs.simulator.orders()[0]?.orderId ?? "";
      const imported = await importOrder(
        runs,
        state.owner,
        by === "number" ? state.orderNumber : listed,
      );
      expect(imported.state.purchases).toMatchObject([
        { requestId: checked.requestId, orderIds: [listed] },
      ]);
      await rename(runs, "", imported, "armada");
      expect(await planAnew(runs, "", "armada")).toContain("has bought 5 IPv4 proxies");
    },
  );

  test("an import of an order whose answer nobody has heard keeps the receipt", async () => {
    const runs = await makeRuns(kind);
    const owner = await sendAndDie(runs, "");
    runs.clock.advance(HOUR_MS);
    const imported = await importOrder(runs, owner, "4683731");
    // Another purchase has to find out what became of it.
    await buy(runs, "", { name: "other", quantity: 3 });
    await goOn(await runs.begin(""), imported);
    await rename(runs, "", imported, "armada");
    expect(await planAnew(runs, "", "armada")).toContain("has bought 5 IPv4 proxies");
  });

  test.each(["in the same run", "by a later run"])(
    "an import on the other host goes on with its order, and the former resource is deleted %s",
    async (when) => {
      const runs = await makeRuns(kind);
      const { state } = await buy(runs, "");
      await switchOn(runs, "4683731");
      const owner = state.owner.replace("::proxyrental:", "::pulumi-nodejs:dynamic/proxyrental:");
      const run = await runs.begin("");
      const imported = await run.orders.import(owner, "4683731");
      expect(imported.state.purchases).toMatchObject([{ orderNumber: "4683731" }]);
      await run.orders.diff(imported.state, imported.inputs, new Set());
      if (when === "in the same run") await run.orders.delete(state);
      await run.account.journal.endRun();
      if (when === "by a later run") await remove(runs, "", { state });
      expect(countRenewing(runs)).toBe(5);
      expect(await readPurchases(runs)).toMatchObject([{ owner, phase: "returned" }]);
    },
  );

  test("301: an order that a stack of another scope has adopted is that stack's: the buyer's stack does not take it back", async () => {
    const runs = await makeRuns(kind);
    const bought = await buy(runs, "a");
    const { state } = await adopt(runs, "b", "fleet", "4683731");
    expect(state.orderNumber).toBe("4683731");
    await remove(runs, "a", bought);
    expect(await planAnew(runs, "a")).toBe("buy");
  });

  test("296: an order of a killed run that was to be imported, and was not, is not bought again under another name", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "", { at: "placed" });
    const run = await runs.begin("");
    const { checked } = await run.orders.check(ownerOf("fleet"), undefined, given());
    const imported = await run.orders.import(String(checked.owner), "4683731");
    await run.orders.diff(imported.state, imported.inputs, new Set());
    await run.account.journal.endRun();
    const next = await runs.begin("");
    const planned = await planOrder(next, "armada", { goal: "fleet" });
    await expect(next.orders.create(planned)).rejects.toThrow("ORDER_MAY_BE_PAID");
  });

  test("an import takes the newest purchase of a number that was used again", async () => {
    const runs = await makeRuns(kind);
    const old = await buy(runs, "");
    runs.clock.advance(31 * 24 * HOUR_MS);
    const ended = await runs.begin("");
    expect(await ended.orders.read(old.state)).toMatchObject({ kind: "gone" });
    await ended.account.journal.endRun();
    const run = await runs.begin("", { interpose: reusing("4683731", runs) });
    await run.orders.create(await planOrder(run, "fleet", { rentPeriodDays: 60, goal: "again" }));
    await run.account.journal.endRun();
    const { checked, state } = await importOrder(
      runs,
      old.state.owner,
      "4683731",
      reusing("4683731", runs),
    );
    expect(checked).toMatchObject({ rentPeriodDays: 60, goal: "again" });
    expect(state.purchases).toMatchObject([{ rentPeriodDays: 60 }]);
  });

  test("238: a recovery does not take back what another stack has adopted meanwhile", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    const late = await runs.begin("", {
      interpose: onceWriting(() => adopt(runs, "", "keeper", "4683731")),
    });
    const plan = await planOrder(late, "fleet");
    expect(plan.quote.effect).toBe("recover");
    await expect(late.orders.create(plan)).rejects.toThrow(
      /^NOT_PLANNED: .* which an earlier run has bought for this resource, and which .*keeper.* has by now/,
    );
    await late.account.journal.endRun();
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
  });
});

/** A later run sees the state that takes the order over. */
function phaseAfter(when: string): Intent["phase"] {
  return when === "in the same run" ? "returned" : "confirmed";
}

/** Orders are not listed in time, and not under their numbers. */
const lateAndOtherwise = { orderNumberDiffersFromOrderId: true, deliveryDelayMs: 200_000 };

/** The argument is taken out of the program: then only the state and the journal know of the order. */
async function withoutArgument(
  { begin, clock }: ScopedRuns,
  scope: string,
  order: BoughtOrder,
): Promise<void> {
  await goOn(await begin(scope), order);
  clock.advance(HOUR_MS);
}

/** The service gives the newest order a number that an earlier one had. */
function reusing(orderNumber: string, { simulator }: ScopedRuns): Interposition {
  return {
    service: (real) => ({
      ...real,
      createOrder: async (...call) => ({ ...(await real.createOrder(...call)), orderNumber }),
      async listProxies(request) {
        const page = await real.listProxies(request);
        const newest = simulator.orders().at(-1)?.orderId;
        const content = page.content.map((one) =>
          one.orderId === newest ? { ...one, orderId: orderNumber } : one,
        );
        return { ...page, content };
      },
    }),
  };
}
