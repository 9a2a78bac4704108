import { expect, test } from "vitest";
import { expectInvariants } from "./invariants.ts";
import { createMachinesScene } from "./machines-scene.ts";

const other = { country: "DEU", goal: "another" };

/** Who comes next, and what is charged in all. */
const cases = [
  ["A", "the next run of its stack takes it over", { one: {} }, "one", ["7.00"]],
  ["B", "another stack waits for it", { one: {}, other }, "other", ["7.00", "7.35"]],
] as const;

test.each(cases)(
  "276: %s: an order is held up before it leaves, its run is killed, and it is carried out as late as can be: %s",
  async (_, _what, stacks, next, charges) => {
    const scene = await createMachinesScene(stacks);
    await scene.kill("one", "late");
    expect(scene.simulator.ledger()).toEqual([]);
    expect((await scene.up(next)).failed).toBe(false);
    expect(scene.simulator.ledger().map(({ price }) => price)).toEqual(charges);
    await expectInvariants(scene, { charges: [...charges] });
  },
);

test.each(cases)(
  "281: %s: an order gets no answer, its run can't look for it, and it is carried out as late as can be: %s",
  async (_, _what, stacks, next, charges) => {
    const scene = await createMachinesScene(stacks);
    const { text } = await scene.upUnwatched("one");
    expect(text).toContain("it could not be watched to the end");
    expect(scene.simulator.ledger()).toEqual([]);
    expect(await scene.nameUnclaimed("one")).toContain(
      "an earlier run may have bought 5 IPv4 proxies",
    );
    expect((await scene.up(next)).failed).toBe(false);
    expect(scene.simulator.ledger().map(({ price }) => price)).toEqual(charges);
    await expectInvariants(scene, { charges: [...charges] });
  },
);
