import { describe, expect, test } from "vitest";
import {
  followTo,
  giveTo,
  holderOf,
  isHolder,
  isOthers,
  takeFrom,
  wasHolder,
} from "../../../provider/core/records/hand-over.ts";
import type { Intent } from "../../../provider/core/records/intent.ts";
import { nameInScope } from "../../../provider/core/values/owner.ts";
import { orderIntent } from "./intents.ts";

/** A purchase of the fleet, in the phase in which a state is known to have it. */
function bought(more: Partial<Intent> = {}): Intent {
  return orderIntent({ owner: "fleet", phase: "confirmed", ...(more as object) });
}

/** The same, which the keeper has taken over from the fleet. */
const handed = bought({
  owner: "keeper",
  handOvers: 1,
  formerHolders: [{ owner: "fleet", handOvers: 0 }],
});

const closed = { phase: "closed", closedBecause: "released" } as const;

describe("a purchase that is given to a state", () => {
  test("counts one more, and remembers whose state may have it still", () => {
    expect(giveTo(bought(), "keeper", true)).toEqual({
      owner: "keeper",
      handOvers: 1,
      formerHolders: [{ owner: "fleet", handOvers: 0 }],
    });
    expect(giveTo(handed, "armada", true)).toMatchObject({
      formerHolders: [
        { owner: "fleet", handOvers: 0 },
        { owner: "keeper", handOvers: 1 },
      ],
    });
  });

  test("remembers nobody if no state had it, and not the resource itself", () => {
    expect(giveTo(bought(), "keeper", false)).toEqual({ owner: "keeper", handOvers: 1 });
    expect(giveTo(bought(), "fleet", true)).toEqual({ owner: "fleet", handOvers: 1 });
    expect(giveTo(handed, "fleet", true)).toEqual({
      owner: "fleet",
      handOvers: 2,
      formerHolders: [{ owner: "keeper", handOvers: 1 }],
    });
  });

  test("is remembered by the plain name of an owner of another scope", () => {
    const foreign = bought({ owner: nameInScope("fleet", "production") });
    expect(giveTo(foreign, "keeper", true).formerHolders).toEqual([
      { owner: "fleet", handOvers: 0 },
    ]);
  });
});

describe("a state that is seen to have a purchase", () => {
  test("tells nothing new while its resource is the owner", () => {
    expect(followTo(bought(), "fleet", {})).toEqual({});
    expect(followTo(handed, "keeper", { handOvers: 1 })).toEqual({});
  });

  test("tells the owner's new name by the same count", () => {
    expect(followTo(handed, "armada", { handOvers: 1 })).toEqual({ owner: "armada" });
  });

  test("tells by a greater count that it was given, where that was not written down", () => {
    expect(followTo(bought(), "keeper", { handOvers: 2 })).toEqual({
      owner: "keeper",
      handOvers: 2,
      formerHolders: [{ owner: "fleet", handOvers: 0 }],
    });
  });

  test("tells by a smaller count only the name of a former holder", () => {
    expect(followTo(handed, "fleet", {})).toEqual({});
    const armada = { formerHolders: [{ owner: "armada", handOvers: 0 }] };
    expect(followTo(handed, "armada", {})).toEqual(armada);
    const { formerHolders: _former, ...forgotten } = handed;
    expect(followTo(forgotten, "armada", {})).toEqual(armada);
  });

  test("is the owner's by its name, too: a state may be put back", () => {
    const again = bought({ handOvers: 1 });
    expect(followTo(again, "fleet", {})).toEqual({ handOvers: 0 });
  });

  test("opens what was closed, whatever its count", () => {
    const open = { phase: "confirmed", handOvers: 0, formerHolders: [] };
    expect(followTo({ ...handed, ...closed }, "fleet", {})).toEqual({ owner: "fleet", ...open });
  });
});

describe("a state that is deleted", () => {
  test("closes the purchase if nobody else has it", () => {
    expect(takeFrom(bought(), "fleet", {}, undefined)).toEqual(closed);
    expect(takeFrom(bought({ handOvers: 1 }), "fleet", {}, undefined)).toEqual(closed);
  });

  test("of a former holder leaves it to its owner, and is forgotten", () => {
    expect(takeFrom(handed, "fleet", {}, undefined)).toEqual({ formerHolders: [] });
    expect(takeFrom(handed, "armada", {}, undefined)).toEqual({ formerHolders: [] });
  });

  test("of the owner gives it back to the former holder", () => {
    expect(takeFrom(handed, "keeper", { handOvers: 1 }, undefined)).toEqual({
      phase: "confirmed",
      owner: "fleet",
      handOvers: 0,
      formerHolders: [],
    });
  });

  test("gives it to whoever is known to go on with it", () => {
    const armada = { owner: "armada", handOvers: 1 };
    expect(takeFrom(bought(), "fleet", {}, armada)).toEqual({ phase: "confirmed", ...armada });
    expect(takeFrom(bought(), "fleet", {}, "unsaved")).toEqual({ phase: "placed" });
    expect(takeFrom(bought(), "fleet", {}, "itself")).toEqual({});
  });

  test("in a copy of the stack closes nothing", () => {
    expect(takeFrom(bought(), "copy", {}, undefined)).toEqual({});
  });
});

describe("who has a purchase", () => {
  test("is told by the count of the state", () => {
    expect(holderOf(handed, { handOvers: 1 })).toBe("keeper");
    expect(holderOf(handed, {})).toBe("fleet");
    expect(holderOf(bought({ handOvers: 1 }), {})).toBeUndefined();
    expect(holderOf({ ...handed, ...closed }, {})).toBe("keeper");
  });

  test("is another resource if that has the newest count, unless it was closed", () => {
    expect(isOthers(handed, "fleet", {})).toBe(true);
    expect(isOthers(handed, "keeper", {})).toBe(false);
    expect(isOthers(handed, "armada", { handOvers: 1 })).toBe(false);
    expect(isOthers({ ...handed, ...closed }, "fleet", {})).toBe(false);
  });

  test("may be a former holder by its state", () => {
    expect(["fleet", "keeper", "armada"].map((owner) => isHolder(handed, owner))).toEqual([
      true,
      true,
      false,
    ]);
    expect(wasHolder(handed, "keeper")).toBe(false);
  });
});
