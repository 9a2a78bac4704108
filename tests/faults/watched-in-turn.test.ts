import { describe, expect, test } from "vitest";
import { expectInvariants } from "./invariants.ts";
import { createMachinesScene } from "./machines-scene.ts";

const two = { one: {}, other: { country: "DEU", goal: "another" } };

const HOUR_MS = 60 * 60_000;

describe("277: a run watches for longer than its turn would last what became of its own order, which got no answer", () => {
  test("277 A: it was not carried out: the run says so, and the next one buys it", async () => {
    const scene = await createMachinesScene({ one: {} });
    const { failed, text } = await scene.upUnanswered("one", false);
    expect([failed, text]).toEqual([true, expect.stringContaining("ORDER_NOT_PLACED")]);
    expect((await scene.up("one")).failed).toBe(false);
    await expectInvariants(scene, { charges: ["7.00"] });
  });

  test("277 B: it was carried out: the run goes on with it", async () => {
    const scene = await createMachinesScene({ one: {} });
    expect((await scene.upUnanswered("one", true)).failed).toBe(false);
    await expectInvariants(scene, { charges: ["7.00"] });
  });
});

test.each([
  ["278 A", "before", ["7.35"]],
  ["278 B", "after", ["7.00", "7.35"]],
] as const)(
  "%s: a run is killed %s its order is charged, when the service tells a time hours ahead: the next run on any machine finds that out in its first turn",
  async (_, when, charges) => {
    const scene = await createMachinesScene(two);
    const ahead = scene.simulator.addFault({
      ...{ endpoint: "listProxies", phase: "after" },
      fault: { kind: "date", aheadMs: 3 * HOUR_MS },
    });
    await scene.kill("one", when);
    ahead.remove();
    const { failed, text } = await scene.up("other");
    expect([failed, text]).toEqual([false, expect.stringContaining("that earlier run has bought")]);
    expect(scene.simulator.ledger().map(({ price }) => price)).toEqual(charges);
  },
);
