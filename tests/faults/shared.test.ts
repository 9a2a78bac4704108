import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { machineClock } from "./fast-clock.ts";
import { expectInvariants } from "./invariants.ts";
import { readIntents } from "./journal-files.ts";
import { createMachinesScene } from "./machines-scene.ts";

/** Two stacks that buy different things, so that none takes the purchase of the other one for its own. */
const two = { one: {}, other: { country: "DEU", goal: "another" } };

const phases = async (journalDir: string) =>
  (await readIntents(journalDir)).map(({ phase, closedBecause }) => closedBecause ?? phase).sort();

describe("85: two runs on two machines race for the rest of the monthly budget", () => {
  it("85 A: one buys, and the other one sends nothing", async () => {
    const scene = await createMachinesScene(two, { monthlyBudget: 14 }, machineClock);
    const planned = [await scene.plan("one"), await scene.plan("other")];
    const ends = await Promise.all(planned.map((run) => run.create()));
    expect(ends.filter(({ failed }) => !failed)).toHaveLength(1);
    expect(ends.filter(({ text }) => text.includes("BUDGET_EXCEEDED: "))).toHaveLength(1);
    const charges = scene.simulator.ledger().map(({ price }) => price);
    expect(charges).toHaveLength(1);
    await expectInvariants(scene, { charges, again: "stopped" });
  });

  it("85 B: both buy where it is enough for both", async () => {
    const scene = await createMachinesScene(two, { monthlyBudget: 14.35 }, machineClock);
    const planned = [await scene.plan("one"), await scene.plan("other")];
    const ends = await Promise.all(planned.map((run) => run.create()));
    expect(ends.filter(({ failed }) => failed)).toEqual([]);
    const charges = scene.simulator.ledger().map(({ price }) => price);
    expect(charges.toSorted()).toEqual(["7.00", "7.35"]);
    await expectInvariants(scene, { charges });
  });
});

describe("86: a run is killed when its purchase is written down", () => {
  it("86 A: before it is sent: the next run on any machine finds that out, and what was reserved is free again", async () => {
    const scene = await createMachinesScene(two, { monthlyBudget: 14 });
    const planned = await scene.plan("other");
    await scene.kill("one", "before");
    const { failed, text } = await planned.create();
    expect([failed, text]).toEqual([
      false,
      expect.stringContaining("that earlier run has bought nothing"),
    ]);
    expect(await phases(scene.journalDir)).toEqual(["notPlaced", "returned"]);
    await expectInvariants(scene, { charges: ["7.35"], again: "stopped" });
  });

  it("86 B: once it is charged: what was reserved is spent, and the next run of its stack takes the order over", async () => {
    const scene = await createMachinesScene(two, { monthlyBudget: 14 });
    await scene.kill("one", "after");
    const { failed, text } = await scene.up("other");
    expect([failed, text]).toEqual([true, expect.stringContaining("BUDGET_EXCEEDED: ")]);
    expect((await scene.up("one")).failed).toBe(false);
    await expectInvariants(scene, { charges: ["7.00"], again: "stopped" });
  });
});

it("87: a purchase of which nobody can tell whether it was placed keeps its part of the monthly budget", async () => {
  const scene = await createMachinesScene(two, { monthlyBudget: 14 });
  const { simulator } = scene;
  const item = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;
  for (const fault of [{ kind: "foreignOrder", item } as const, { kind: "reset" } as const]) {
    simulator.addFault({
      ...{ endpoint: "createOrder", calls: [1] },
      phase: fault.kind === "reset" ? "after" : "before",
      fault,
    });
  }
  expect((await scene.up("one")).text).toContain("ORDER_OUTCOME_UNKNOWN");
  const { failed, text } = await scene.up("other");
  expect([failed, text]).toEqual([true, expect.stringContaining("BUDGET_EXCEEDED: ")]);
  expect(simulator.requestCounts().createOrder).toBe(1);
  await expectInvariants(scene, { charges: ["7.00"], again: "stopped" });
});

describe("88: what a run that was killed on one machine has sent is judged before another one sends anything", () => {
  it.each([
    ["88 A", "before", ["notPlaced"], ["7.35"], ["7.00"]],
    ["88 B", "after", ["placed"], ["7.00", "7.35"], []],
  ] as const)("%s: killed %s the charge", async (_, when, before, charges, again) => {
    const scene = await createMachinesScene(two);
    await scene.kill("one", when);
    let seen: string[] = [];
    scene.simulator.addFault({
      ...{ endpoint: "createOrder", calls: [1], phase: "before" },
      fault: {
        kind: "act",
        run: async () => {
          seen = (await phases(scene.journalDir)).filter((phase) => phase !== "sending");
        },
      },
    });
    const { failed, tookMs } = await scene.up("other");
    expect(failed).toBe(false);
    expect(seen).toEqual(before);
    // The deadline of a call, the settling time, and some seconds.
    expect(tookMs).toBeLessThan(100_000);
    await expectInvariants(scene, { charges, again });
  });
});

it("280: a run has looked at the account before it waits for another one of its stack: it takes over what that one has bought meanwhile", async () => {
  const quick = { timeoutMs: 5_000, settlingMs: 5_000 };
  const scene = await createMachinesScene({ one: {} }, quick, machineClock);
  const waiting = await scene.look("one");
  const buying = await scene.charge("one");
  const waited = waiting.goOn();
  await sleep(1_500);
  expect((await buying.goOn()).failed).toBe(false);
  const { failed, text } = await waited;
  expect(text).toContain("another run may be buying for this resource");
  expect([failed, text]).toEqual([false, expect.stringContaining("takes over order")]);
  await expectInvariants(scene, { charges: ["7.00"] });
});
