import { describe, expect, test } from "vitest";
import {
  adopt,
  buy,
  countRenewing,
  goOn,
  journalKinds,
  makeRuns,
  oneRun,
  orderByHand,
  ownTwice,
  type ScopedRuns,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

const FIRST = "4683731";

/** A resource has an order that was bought by hand, and another one an order of its own. */
async function takeOverByHand(runs: ScopedRuns) {
  const number = await orderByHand(runs, 5, "USA");
  await switchOn(runs, number);
  const keeper = await adopt(runs, "", "keeper", number);
  await goOn(await runs.begin(""), keeper, "keeper");
  const fleet = await buy(runs, "", { country: "DEU" });
  return { number, keeper, fleet };
}

describe.each(journalKinds)("250: an order that was bought by hand, with a %s journal", (kind) => {
  test.each(["its former owner", "the former state", "neither"])(
    "is taken over by a resource that is replaced for it; %s is deleted first: it goes on",
    async (first) => {
      const runs = await makeRuns(kind);
      const { number, keeper, fleet } = await takeOverByHand(runs);
      const run = await runs.begin("");
      const args = { adoptOrderNumber: number, allowReplacement: true };
      const plan = await planOrder(run, "fleet", args, fleet.checked);
      await run.orders.diff(fleet.state, plan, new Set());
      await run.orders.create(await planOrder(run, "fleet", args));
      const both = first === "the former state" ? [fleet, keeper] : [keeper, fleet];
      if (first === "neither") await Promise.all(both.map(({ state }) => run.orders.delete(state)));
      else for (const { state } of both) await run.orders.delete(state);
      await run.account.journal.endRun();
      expect(countRenewing(runs)).toBe(5);
    },
  );
});

test.each([true, false])(
  "250: a resource is renamed, and another one of its former name takes over what was bought by hand (refreshed: %s)",
  async (isRefreshed) => {
    const runs = await makeRuns("local");
    const { number, keeper, fleet } = await takeOverByHand(runs);
    const run = await runs.begin("");
    if (isRefreshed) for (const { state } of [fleet, keeper]) await run.orders.read(state);
    await run.orders.create(await planOrder(run, "fleet", { adoptOrderNumber: number }));
    const armada = await planOrder(run, "armada", { country: "DEU", goal: "fleet" }, fleet.checked);
    await run.orders.diff(fleet.state, armada, new Set());
    await run.orders.delete(keeper.state);
    await run.account.journal.endRun();
    expect(countRenewing(runs)).toBe(5);
  },
);

describe("251: one process of a run has refreshed a resource, and another one", () => {
  async function refreshed() {
    const runs = await makeRuns("local");
    const { checked, state } = await buy(runs, "");
    await goOn(await runs.begin(""), { checked, state });
    await switchOn(runs, FIRST);
    await (await runs.begin("", { run: oneRun })).orders.read(state, state.owner);
    return { runs, checked, state, run: await runs.begin("", { run: oneRun }) };
  }

  test("renames and replaces it: its order is let go", async () => {
    const { runs, checked, state, run } = await refreshed();
    const anew = { country: "DEU", allowReplacement: true, goal: "fleet" };
    await run.orders.diff(state, await planOrder(run, "armada", anew, checked), new Set());
    await run.orders.create(await planOrder(run, "armada", anew));
    await run.orders.delete(state, state.owner);
    expect(countRenewing(runs)).toBe(0);
  });

  test("renames it and lets a part of its order go", async () => {
    const { runs, checked, state, run } = await refreshed();
    const plan = await planOrder(run, "armada", { quantity: 3, goal: "fleet" }, checked);
    await run.orders.diff(state, plan, new Set());
    await run.orders.update(state, plan);
    expect(countRenewing(runs)).toBe(3);
  });

  test.each(["keeper", "fleet"] as const)(
    "deletes it, %s, of two that have one order: the second lets it go",
    async (first) => {
      const { runs, ...owners } = await ownTwice("local", FIRST);
      const refresh = await runs.begin("", { run: oneRun });
      for (const { state } of Object.values(owners)) await refresh.orders.read(state);
      await (await runs.begin("", { run: oneRun })).orders.delete(owners[first].state);
      await refresh.orders.delete(owners[first === "fleet" ? "keeper" : "fleet"].state);
      expect(countRenewing(runs)).toBe(0);
    },
  );
});
