import { describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../simulator/index.ts";
import {
  adopt,
  type BoughtOrder,
  buy,
  buyPending,
  buysAnew,
  countRenewing,
  goOn,
  HOUR_MS,
  journalKinds,
  makeRuns,
  onceSwitching,
  onceWriting,
  oneRun,
  ownTwice,
  readPhases,
  refusesSwitches,
  remove,
  resize,
  resizeIn,
  type ScopedRuns,
  slow,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

const FIRST = "4683731";

const SECOND = "4683732";

/** The proxies that extend themselves and that none of these has. */
function findStray({ simulator }: ScopedRuns, owners: readonly BoughtOrder[]): string[] {
  const held = owners.flatMap(({ state }) => state.ipAddressIds);
  return simulator
    .proxies()
    .filter(({ autoExtend, ipAddressId }) => autoExtend && !held.includes(ipAddressId))
    .map(({ ip }) => ip);
}

describe.each(journalKinds)("244: two resources have one order, with a %s journal", (kind) => {
  test.each(["fleet", "keeper"] as const)(
    "both let a part of it go, %s first: what nobody has does not extend itself",
    async (first) => {
      const { runs, ...owners } = await ownTwice(kind, FIRST);
      const shrink = (name: "fleet" | "keeper") => resize(runs, "", owners[name], 3, name);
      const second = first === "fleet" ? "keeper" : "fleet";
      const left = [await shrink(first), await shrink(second)];
      expect(findStray(runs, left)).toEqual([]);
    },
  );

  test("both let a part of it go at the same time", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    const left = await Promise.all([
      resize(runs, "", fleet, 3),
      resize(runs, "", keeper, 3, "keeper"),
    ]);
    expect(findStray(runs, left)).toEqual([]);
  });

  test.each(["fleet", "keeper"] as const)(
    "%s lets a part of it go, and the other one is deleted",
    async (name) => {
      const { runs, ...owners } = await ownTwice(kind, FIRST);
      const left = await resize(runs, "", owners[name], 3, name);
      const run = await runs.begin("");
      await run.orders.delete(owners[name === "fleet" ? "keeper" : "fleet"].state);
      expect(run.lines.join()).toMatch(
        new RegExp(`is left to ${name}.*not show \\S+::${name} as deleted`),
      );
      expect(findStray(runs, [left])).toEqual([]);
      expect(countRenewing(runs)).toBe(3);
    },
  );

  test.each(["before", "after"])(
    "the buyer has let the whole order go, %s another one adopted it; that one is deleted",
    async (when) => {
      const runs = await makeRuns(kind);
      let fleet = await resize(runs, "", await buy(runs, ""), 7);
      for (const order of [FIRST, SECOND]) await switchOn(runs, order);
      if (when === "before") fleet = await resize(runs, "", fleet, 2);
      const keeper = await adopt(runs, "", "keeper", FIRST);
      if (when === "before") await switchOn(runs, FIRST);
      else fleet = await resize(runs, "", fleet, 2);
      await goOn(await runs.begin(""), keeper, "keeper");
      await goOn(await runs.begin(""), fleet, "fleet", { quantity: 2 });
      await remove(runs, "", keeper);
      expect(findStray(runs, [fleet])).toEqual([]);
      expect(countRenewing(runs)).toBe(2);
    },
  );

  test.each(["deleted", "made smaller"])(
    "one lets a part go and takes it back, and the other one is %s: it has all of it",
    async (what) => {
      const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
      const smaller = await resize(runs, "", keeper, 3, "keeper");
      await resize(runs, "", smaller, 5, "keeper");
      await switchOn(runs, FIRST);
      if (what === "deleted") await remove(runs, "", fleet);
      else await resize(runs, "", fleet, 3);
      expect(countRenewing(runs)).toBe(5);
    },
  );

  test("one of three lets a part go, and another one is deleted: the third one has all of it", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    const third = await adopt(runs, "", "third", FIRST);
    await resize(runs, "", third, 3, "third");
    await goOn(await runs.begin(""), keeper, "keeper");
    await switchOn(runs, FIRST);
    await remove(runs, "", fleet);
    expect(countRenewing(runs)).toBe(5);
  });

  test("what both have let go in part is let go by a delete with `abandon`, though it can't be switched off", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    await resize(runs, "", keeper, 3, "keeper");
    const run = await runs.begin("", {
      interpose: refusesSwitches,
      settings: { onDeleteFailure: "abandon" },
    });
    await run.orders.delete(fleet.state);
    expect(run.lines.join()).toContain("is abandoned although its auto-extension may still be on");
  });
});

describe.each(journalKinds)("253: with a %s journal", (kind) => {
  describe.each<[string, SimulatorOptions]>([
    ["nothing", slow],
    [
      "nothing, and that is not listed as it was numbered",
      { ...slow, orderNumberDiffersFromOrderId: true },
    ],
    ["a part", { deliveryBatch: { size: 2, everyMs: 1_000_000 } }],
  ])("of an order its buyer has seen %s, and another one has taken it over", (_what, options) => {
    /** The other one lets a part go, and the buyer is deleted. */
    async function play(isBuyerMet: boolean) {
      const runs = await makeRuns(kind, options);
      const fleet = await buyPending(runs, "", {});
      runs.clock.advance(HOUR_MS);
      const keeper = await adopt(runs, "", "keeper", fleet.state.orderNumber);
      await switchOn(runs, runs.simulator.orders()[0]?.orderNumber ?? "");
      await goOn(await runs.begin(""), keeper, "keeper");
      if (isBuyerMet) await cutOff(runs, fleet);
      const smaller = await resize(runs, "", keeper, 3, "keeper");
      await goOn(await runs.begin(""), smaller, "keeper", { quantity: 3 });
      await remove(runs, "", fleet);
      const on = runs.simulator.proxies().filter(({ autoExtend }) => autoExtend);
      return { runs, smaller, on: on.map(({ ipAddressId }) => ipAddressId) };
    }

    /** A run that meets its state, and saves nothing. */
    async function cutOff(runs: ScopedRuns, { checked, state }: BoughtOrder) {
      const run = await runs.begin("");
      await run.orders.diff(state, await planOrder(run, "fleet", {}, checked), new Set());
      await run.account.journal.endRun();
    }

    test.each([
      ["", false],
      [", after a run has met its state", true],
    ])(
      "that one lets a part go, and the buyer is deleted%s: that one has the rest",
      async (_when, isMet) => {
        const { runs, smaller, on } = await play(isMet);
        expect(on.toSorted()).toEqual(smaller.state.ipAddressIds.toSorted());
        expect(await readPhases(runs)).toEqual(["keeper confirmed"]);
        expect(await buysAnew(runs, "", "keeper", { goal: "fleet" })).toBe(0);
      },
    );
  });
});

test.each(["fleet", "keeper"] as const)(
  "255: %s lets a part go in one process of a run while another process deletes the other owner: what nobody has does not extend itself",
  async (name) => {
    const { runs, ...owners } = await ownTwice("local", FIRST);
    const other = owners[name === "fleet" ? "keeper" : "fleet"];
    const second = await runs.begin("", { run: oneRun });
    await second.orders.read(other.state);
    const interpose = onceWriting(() => second.orders.delete(other.state));
    const first = await runs.begin("", { run: oneRun, interpose });
    await resizeIn(first, owners[name], 3, name);
    expect(countRenewing(runs)).toBe(3);
  },
);

describe.each(journalKinds)("256: two resources have one order, with a %s journal", (kind) => {
  test.each(["deleted", "made smaller"])(
    "one has let a part go, and takes it back while the other one is %s: that one says so",
    async (what) => {
      const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
      const smaller = await resize(runs, "", keeper, 3, "keeper");
      await goOn(await runs.begin(""), smaller, "keeper", { quantity: 3 });
      await switchOn(runs, FIRST);
      const interpose = onceSwitching(() => resize(runs, "", smaller, 5, "keeper"));
      const run = await runs.begin("", { interpose });
      if (what === "deleted") await run.orders.delete(fleet.state);
      else await resizeIn(run, fleet, 3);
      expect(countRenewing(runs)).toBe(3);
      expect(run.lines.join()).toContain(
        "keeper has taken order 4683731 over, or a part of it back",
      );
    },
  );
});

test.each(journalKinds)(
  "263: with a %s journal, another one adopts an order while a run is about to let a part of it go, and is deleted: what nobody has does not extend itself",
  async (kind) => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const run = await runs.begin("");
    const next = await planOrder(run, "fleet", { quantity: 3 }, fleet.checked);
    await run.orders.diff(fleet.state, next, new Set());
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), keeper, "keeper");
    const state = await run.orders.update(fleet.state, next);
    await run.account.journal.endRun();
    await remove(runs, "", keeper);
    expect(findStray(runs, [{ checked: next, state }])).toEqual([]);
    expect(countRenewing(runs)).toBe(3);
  },
);
