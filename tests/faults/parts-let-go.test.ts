import { describe, expect, test } from "vitest";
import {
  adopt,
  type BoughtOrder,
  buy,
  countRenewing,
  goOn,
  journalKinds,
  makeRuns,
  ownTwice,
  refusesSwitches,
  remove,
  resize,
  type ScopedRuns,
  switchOn,
} from "../journals/shared/scoped-runs.ts";

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
