import { describe, expect, test } from "vitest";
import {
  followTo,
  giveTo,
  heirOf,
  holderOf,
  isAmongHolders,
  isFormer,
  takeFrom,
  wasHolder,
} from "../../../provider/core/records/hand-over.ts";
import type { Intent } from "../../../provider/core/records/intent.ts";
import { orderIntent } from "./intents.ts";

/** A purchase of the fleet. */
function bought(more: Partial<Intent> = {}): Intent {
  return orderIntent({ owner: "fleet", phase: "confirmed", ...(more as object) });
}

const closed = { phase: "closed", closedBecause: "released" } as const;

const [fleet, keeper, armada] = ["fleet", "keeper", "armada"].map((owner) => ({
  owner,
  scope: "",
})) as [Owner, Owner, Owner];

type Owner = { owner: string; scope: string };

/** What the states of the fleet, which bought it, and of the keeper, which adopted it, say. */
const [first, second] = [{}, { handOver: "2" }];

const theFleet = { owner: "fleet" };

const theKeeper = { owner: "keeper", handOver: "2" };

const seen = { isSeen: true };

/** The keeper has adopted it. */
const handed = bought({ owner: "keeper", holders: [theFleet, theKeeper] });

/** And the fleet's state was seen since. */
const both = bought({ owner: "keeper", holders: [{ ...theFleet, ...seen }, theKeeper] });

describe("a purchase that is given to a state", () => {
  test("has that one's resource as its newest holder", () => {
    expect(giveTo(bought(), keeper, "2")).toEqual({
      owner: "keeper",
      holders: [theFleet, theKeeper],
    });
    expect(giveTo(both, armada, "3")).toEqual({
      owner: "armada",
      holders: [theFleet, theKeeper, { owner: "armada", handOver: "3" }],
    });
  });

  test("has the scope of each stack", () => {
    const { holders } = giveTo(
      bought({ scopes: ["old", "new"] }),
      { ...keeper, scope: "other" },
      "2",
    );
    expect(holders).toEqual([
      { owner: "fleet", scope: "new" },
      { ...theKeeper, scope: "other" },
    ]);
  });
});

describe("a state that is seen to have a purchase", () => {
  test("tells nothing new of one that was never given to anybody", () => {
    expect(followTo(bought(), fleet, first)).toEqual({});
    expect(followTo(bought(), armada, first)).toEqual({ owner: "armada" });
  });

  test("tells that the newest holder has it, and its new name", () => {
    const known = { ...handed, holders: [theFleet, { ...theKeeper, ...seen }] };
    expect(followTo(handed, keeper, second)).toEqual({ owner: "keeper", holders: known.holders });
    expect(followTo(known, keeper, second)).toEqual({});
    expect(followTo(known, armada, second)).toEqual({
      owner: "armada",
      holders: [theFleet, { ...theKeeper, owner: "armada", ...seen }],
    });
  });

  test("tells that it was given, where that was not written down", () => {
    expect(followTo(both, armada, { handOver: "3" })).toEqual({
      owner: "armada",
      holders: [...(both.holders ?? []), { owner: "armada", handOver: "3", ...seen }],
    });
  });

  test("tells of a former holder only that it has it still, and its name", () => {
    expect(followTo(handed, fleet, first)).toEqual({ holders: both.holders });
    expect(followTo(both, fleet, first)).toEqual({});
    expect(followTo(both, armada, first)).toEqual({
      holders: [{ owner: "armada", ...seen }, theKeeper],
    });
  });

  test("is the newest again if the resource was put back to it", () => {
    const again = bought({ holders: [theFleet, { owner: "fleet", handOver: "2", ...seen }] });
    expect(followTo(again, fleet, first)).toEqual({
      owner: "fleet",
      holders: [
        { owner: "fleet", handOver: "2" },
        { ...theFleet, ...seen },
      ],
    });
  });

  test("opens what was closed", () => {
    const holders = [theFleet, { ...theKeeper, ...seen }];
    expect(followTo({ ...both, holders, ...closed }, fleet, first)).toEqual({
      phase: "confirmed",
      owner: "fleet",
      holders: [theKeeper, { ...theFleet, ...seen }],
    });
  });
});

describe("a state that is deleted", () => {
  test("closes the purchase if nobody goes on with it", () => {
    expect(takeFrom(bought(), fleet, first, undefined)).toEqual(closed);
    expect(takeFrom(handed, keeper, second, undefined)).toEqual(closed);
    // Nobody has ever seen the state to which it was given.
    expect(takeFrom(handed, fleet, first, undefined)).toEqual(closed);
  });

  test("of a former holder leaves it to its owner, and is forgotten", () => {
    expect(takeFrom(both, fleet, first, theKeeper)).toEqual({ holders: [theKeeper] });
  });

  test("of the owner gives it to whoever goes on with it", () => {
    const heir = heirOf(both, "keeper", second, () => true);
    expect(heir).toEqual({ ...theFleet, ...seen });
    expect(takeFrom(both, keeper, second, heir)).toEqual({
      phase: "confirmed",
      owner: "fleet",
      holders: [heir],
    });
    expect(heirOf(handed, "keeper", second, () => true)).toBeUndefined();
    expect(heirOf(both, "keeper", second, () => false)).toBeUndefined();
    expect(heirOf({ ...both, phase: "closed" }, "keeper", second, () => true)).toBeUndefined();
    const other = { owner: "armada", handOver: "3" };
    expect(takeFrom(bought(), fleet, first, other)).toMatchObject({
      owner: "armada",
      holders: [other],
    });
  });

  test("leaves it without a state while its next one is not saved, and as it is if its resource has another state", () => {
    expect(takeFrom(bought(), fleet, first, "unsaved")).toEqual({ phase: "placed", holders: [] });
    expect(takeFrom(bought(), fleet, first, "itself")).toEqual({});
  });

  test("twice, or in a copy of the stack, tells nothing", () => {
    const back = bought({ holders: [{ ...theFleet, ...seen }] });
    expect(takeFrom(back, keeper, second, undefined)).toEqual({});
    expect(takeFrom(bought(), armada, first, undefined)).toEqual({});
  });

  test("before any run has seen it again closes the purchase, too: it was imported", () => {
    expect(takeFrom(bought(), fleet, { handOver: "9" }, undefined)).toEqual(closed);
  });
});

describe("who has a purchase", () => {
  test("is told by its states", () => {
    expect([first, second, { handOver: "9" }].map((state) => holderOf(both, state))).toEqual([
      "fleet",
      "keeper",
      undefined,
    ]);
    expect([first, second].map((state) => isFormer(both, state))).toEqual([true, false]);
    expect(isFormer(bought(), first)).toBe(false);
    expect(isFormer({ ...both, ...closed }, first)).toBe(false);
  });

  test("is also a former holder that was seen since", () => {
    expect(wasHolder(both, "fleet")).toBe(true);
    expect(wasHolder(handed, "fleet")).toBe(false);
    expect(wasHolder(both, "keeper")).toBe(false);
    const all = ["fleet", "keeper", "armada"];
    expect(all.map((owner) => isAmongHolders(handed, owner))).toEqual([true, true, false]);
  });
});
