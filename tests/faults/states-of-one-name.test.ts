import { globSync, mkdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

describe("264: processes of one run have states of one name, or hear late of each other:", () => {
  test.each([1, 2])(
    "one deletes the former state of a resource, and process %i the former owner of what its replacement has taken over: that goes on",
    async (by) => {
      const runs = await makeRuns("local");
      const number = await orderByHand(runs, 5, "USA");
      await switchOn(runs, number);
      const keeper = await adopt(runs, "", "keeper", number);
      await goOn(await runs.begin(""), keeper, "keeper");
      const fleet = await adopt(runs, "", "fleet", await orderByHand(runs, 5, "USA"));
      await goOn(await runs.begin(""), fleet, "fleet");
      const begin = () => runs.begin("", { run: oneRun });
      const processes = [await begin(), await begin(), await begin()] as const;
      await processes[0].orders.read(fleet.state);
      await processes[2].orders.read(keeper.state);
      // Its provider is another one from now on, so the engine replaces it: made by the new one, deleted by the former one.
      const maker = processes[1];
      await maker.orders.create(await planOrder(maker, "fleet", { adoptOrderNumber: number }));
      await processes[0].orders.delete(fleet.state);
      await processes[by as 1 | 2].orders.delete(keeper.state);
      expect(countRenewing(runs)).toBe(5);
    },
  );

  test.each([false, true])(
    "what one has told of an owner is written after that was deleted (%s), and the other owner is deleted: nothing extends itself",
    async (isLate) => {
      const { runs, fleet, keeper } = await ownTwice("local", FIRST);
      const begin = () => runs.begin("", { run: oneRun });
      const [first, second, third] = [await begin(), await begin(), await begin()];
      await second.account.registry.noteRecovery("nobody", undefined);
      const [file = ""] = globSync(join(tmpdir(), "**/shared-runs/*", `${second.runId}.jsonl`));
      const inTheWay = join(dirname(file), `${first.runId}.jsonl`);
      if (isLate) mkdirSync(inTheWay);
      await first.orders.read(fleet.state);
      if (isLate) rmdirSync(inTheWay);
      await second.orders.delete(fleet.state);
      await planOrder(third, "keeper", {}, keeper.checked);
      // The first one tells something else: what it could not write comes first.
      await first.account.registry.noteRecovery("somebody", undefined);
      await third.orders.delete(keeper.state);
      expect(countRenewing(runs)).toBe(0);
    },
  );

  test("a delete fails because the others can't be heard, and the other owner is deleted: the order goes on", async () => {
    const { runs, fleet, keeper } = await ownTwice("local", FIRST);
    const run = await runs.begin("", { run: oneRun });
    const { hearOthers } = run.account;
    let heard = 0;
    run.account.hearOthers = () => {
      heard += 1;
      return heard === 1 ? hearOthers() : Promise.reject(new Error("can't be heard"));
    };
    await expect(run.orders.delete(fleet.state)).rejects.toThrow("can't be heard");
    run.account.hearOthers = hearOthers;
    await run.orders.delete(keeper.state);
    expect(countRenewing(runs)).toBe(5);
  });
});

describe("265: an order that was bought by hand and adopted, and its resource is replaced for it", () => {
  test.each([
    ["in one process", false, false],
    ["by another process", true, false],
    ["by another process, after this one has met it", true, true],
  ])("%s: it goes on", async (_how, isOther, isMet) => {
    const runs = await makeRuns("local");
    const number = await orderByHand(runs, 5, "USA");
    const fleet = await adopt(runs, "", "fleet", number);
    await switchOn(runs, number);
    await goOn(await runs.begin(""), fleet, "fleet");
    const run = await runs.begin("", { run: oneRun });
    if (!isOther || isMet) await run.orders.read(fleet.state);
    const maker = isOther ? await runs.begin("", { run: oneRun }) : run;
    await maker.orders.create(await planOrder(maker, "fleet", { adoptOrderNumber: number }));
    await run.orders.delete(fleet.state);
    expect(countRenewing(runs)).toBe(5);
  });
});
