import { expect, it } from "vitest";
import type { Simulator } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { expectInvariants } from "../invariants.ts";
import { createScene } from "./engine-scene.ts";

const { on, autoExtension, order, program } = writerFor("plugin");

const renewing = program(order("usa"), autoExtension("keep", "usa"));

const flags = (simulator: Simulator) => [
  ...new Set(simulator.proxies().map(({ autoExtend }) => autoExtend)),
];

it("37: auto-extension fails after a good order: the order is saved, the next up only sets the flag", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({ ...on, simulator, program: renewing });
  const fault = { kind: "status", status: 500 } as const;
  simulator.addFault({ endpoint: "setAutoExtension", phase: "before", fault });
  await stack.fail("up");
  expect((await stack.state()).find("usa")?.outputs.status).toBe("active");
  expect(flags(simulator)).toEqual([false]);
  simulator.clearFaults();
  const plan = await stack.plan();
  expect(plan.op("keep")).toBe("update");
  expect(plan.changes).toEqual({ update: 1, same: 2 });
  await expectInvariants(scene, { charges: ["7.00"] });
  expect(flags(simulator)).toEqual([true]);
});

it.each([
  ["38 A", "keep their ids", { idsChangeOnExtension: false }],
  ["38 B", "get new ids", { idsChangeOnExtension: true }],
])(
  "%s: auto-extension happens between preview and up, and the proxies %s: nothing changes",
  async (_row, _ids, options) => {
    let now = new Date("2026-03-01T12:00:00Z");
    const simulator = await startForTest({ now: () => now, ...options });
    const { stack, scene } = await createScene({
      ...{ ...on, simulator, program: renewing },
      projectLines: ["options:", "  refresh: always"],
    });
    await stack.succeed("up");
    expect((await stack.plan()).changes).toEqual({ same: 3 });
    now = new Date("2026-03-31T11:30:00Z");
    const text = await stack.succeed("up");
    expect(simulator.ledger().map(({ origin }) => origin)).toEqual(["api", "automatic"]);
    expect(text).toContain("3 unchanged");
    await expectInvariants(scene, { charges: ["7.00"] });
    expect(flags(simulator)).toEqual([true]);
  },
);

it("42 A: destroy: nothing is spent, and auto-extension is off", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({ ...on, simulator, program: renewing });
  await stack.succeed("up");
  await stack.succeed("destroy");
  expect(flags(simulator)).toEqual([false]);
  await stack.rewrite(program());
  await expectInvariants(scene, { charges: ["7.00"], ended: 1 });
});

it("42 B: protect: the destroy is refused, and all is unchanged", async () => {
  const simulator = await startForTest();
  const text = program(order("usa", {}, "{ protect: true }"), autoExtension("keep", "usa"));
  const { stack, scene } = await createScene({ ...on, simulator, program: text });
  await stack.succeed("up");
  await stack.fail("destroy");
  expect((await stack.state()).find("usa")?.outputs.status).toBe("active");
  await expectInvariants(scene, { charges: ["7.00"] });
  expect(flags(simulator)).toEqual([true]);
});

it("42 C: retainOnDelete: the order is unchanged, and goes on renewing", async () => {
  const simulator = await startForTest();
  const text = program(order("usa", {}, "{ retainOnDelete: true }"));
  const { stack, scene } = await createScene({ ...on, simulator, program: text });
  await stack.succeed("up");
  const ids = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
  simulator.setAutoExtension(ids, true);
  await stack.rewrite(program());
  await stack.succeed("up");
  expect(simulator.requestCounts().setAutoExtension).toBe(0);
  expect(flags(simulator)).toEqual([true]);
  await expectInvariants(scene, { charges: ["7.00"], ended: 1 });
});
