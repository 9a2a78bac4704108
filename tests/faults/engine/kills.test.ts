import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { hosts } from "../../support/program-files.ts";
import { writerFor } from "../../support/program-writer.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { expectInvariants } from "../invariants.ts";
import { readIntents } from "../journal-files.ts";
import { createScene } from "./engine-scene.ts";
import { awaitPhase, freezeAt, killCliAlone, killUp, stopEngine } from "./moments.ts";

describe.each(hosts)("%s host", (host) => {
  const { on, order, program } = writerFor(host);

  const one = program(order("usa"));

  it("25: killed after the charge, before the answer: preview shows the recovery at 0, the next up recovers the order", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
    await killUp(stack, () => reached);
    expect(await readIntents(stack.journalDir)).toMatchObject([{ phase: "sending" }]);
    const plan = await stack.plan();
    expect(plan.inputs("usa").quote).toMatchObject({ effect: "recover", price: 0 });
    await expectInvariants(scene, { charges: ["7.00"], killed: true });
  });

  it("26 B: killed after create returned, before the engine saved the state: the next up returns the same order", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    await killUp(stack, async (up) => {
      simulator.addFault({
        ...{ endpoint: "createOrder", phase: "after" },
        fault: { kind: "act", run: () => stopEngine(up.pid) },
      });
      await awaitPhase(stack.journalDir, "returned");
    });
    expect((await stack.state()).find("usa")).toBeUndefined();
    const plan = await stack.plan();
    expect(plan.inputs("usa").quote).toMatchObject({ effect: "recover", price: 0 });
    await expectInvariants(scene, { charges: ["7.00"], killed: true });
  });

  it("64: the CLI alone is killed while the first of three orders is sent: that one is recorded, the others are not sent, and the provider ends", async () => {
    const simulator = await startForTest();
    const three = program(...["a", "b", "c"].map((name) => order(name)));
    const env = { PROXYRENTAL_TIMEOUT_SECONDS: "20" };
    const { stack, scene } = await createScene({ ...on, simulator, program: three, env });
    const reached = Promise.withResolvers<void>();
    const rule = { endpoint: "createOrder", phase: "after", calls: [1] } as const;
    simulator.addFault({ ...rule, fault: { kind: "act", run: () => reached.resolve() } });
    simulator.addFault({ ...rule, fault: { kind: "delay", ms: 8_000 } });
    expect(await killCliAlone(stack, reached.promise, 60_000), "processes left").toEqual([]);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
    const [paid] = simulator.orders();
    expect(await readIntents(stack.journalDir)).toMatchObject([
      { phase: "returned", orderNumber: paid?.orderNumber },
    ]);
    await expectInvariants(scene, { charges: ["7.00"], again: ["7.00", "7.00"] });
  });

  it("35b: killed during a further order: recovered at 0, not bought again", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    await stack.succeed("up");
    await stack.rewrite(program(order("usa", { quantity: 8 })));
    const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
    await killUp(stack, () => reached);
    const plan = await stack.plan();
    expect(plan.inputs("usa").quote).toMatchObject({ effect: "recover", quantity: 3, price: 0 });
    await expectInvariants(scene, { charges: ["7.00", "4.20"], killed: true });
  });
});

/** What a kill leaves in the journal and in the account. The core judges it, so that one host is enough. */
describe("plugin host", () => {
  const { on, order, program } = writerFor("plugin");

  const one = program(order("usa"));

  it("23: killed before the journal entry: the next up buys one", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    // The first price is asked for the plan. The second is asked right before the order.
    const reached = freezeAt(simulator, { endpoint: "calculateOrder", phase: "before", call: 2 });
    await killUp(stack, () => reached);
    expect(await readIntents(stack.journalDir)).toEqual([]);
    await expectInvariants(scene, { charges: [], again: ["7.00"], killed: true });
  });

  it("24: killed with the intent written, the order never sent: the next up proves it, and buys one in total", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "before" });
    await killUp(stack, () => reached);
    expect(await readIntents(stack.journalDir)).toMatchObject([{ phase: "sending" }]);
    await expectInvariants(scene, { charges: [], orderCalls: 1, again: ["7.00"], killed: true });
    const [unsent, bought] = await readIntents(stack.journalDir);
    expect(unsent).toMatchObject({ phase: "closed", closedBecause: "notPlaced" });
    expect(bought).toMatchObject({ phase: "confirmed" });
  });

  it("26 A: killed during the wait for delivery: preview shows the recovery at 0, the next up returns the same order", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const simulator = await startForTest({ now: () => now, deliveryDelayMs: 3_600_000 });
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    await killUp(stack, () => awaitPhase(stack.journalDir, "placed"));
    now = new Date("2026-03-01T13:00:01Z");
    const plan = await stack.plan();
    expect(plan.inputs("usa").quote).toMatchObject({ effect: "recover", price: 0 });
    await expectInvariants(scene, { charges: ["7.00"], killed: true });
  });

  it("102: killed during a further order, then destroyed: the destroy names the order that no state has", async () => {
    const simulator = await startForTest();
    const { stack } = await createScene({ ...on, simulator, program: one });
    await stack.succeed("up");
    await stack.rewrite(program(order("usa", { quantity: 8 })));
    const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
    await killUp(stack, () => reached);
    simulator.clearFaults();
    const [, lost] = simulator.orders();
    const text = await stack.succeed("destroy");
    expect(text).toContain(
      `order ${lost?.orderNumber} (3 IPv4 proxies in USA for 30 days for 4.20 USD) was paid for usa`,
    );
    expect(text).toContain(`adoptOrderNumber: "${lost?.orderNumber}"`);
    expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.20"));
  });

  it("30: killed, and the journal lost: an error names the order at preview and at up, and adopting it costs nothing", async () => {
    const simulator = await startForTest();
    const { stack, scene } = await createScene({ ...on, simulator, program: one });
    const reached = freezeAt(simulator, { endpoint: "createOrder", phase: "after" });
    await killUp(stack, () => reached);
    await rm(stack.journalDir, { recursive: true });
    simulator.clearFaults();

    const [paid] = simulator.orders();
    for (const command of ["preview", "up"]) {
      const text = await stack.fail(command);
      expect(text).toContain(`order ${paid?.orderNumber}`);
      expect(text).toContain(`adoptOrderNumber: "${paid?.orderNumber}"`);
    }
    const lost = { charges: ["7.00"], journalTellsLess: true, killed: true } as const;
    await expectInvariants(scene, { ...lost, again: "stopped" });

    await stack.rewrite(program(order("usa", { adoptOrderNumber: paid?.orderNumber })));
    await expectInvariants(scene, lost);
    expect((await scene.state()).held).toEqual([paid?.orderNumber]);
  });
});
