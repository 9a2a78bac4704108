import { expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { expectInvariants } from "../invariants.ts";
import { createScene } from "./engine-scene.ts";

const { on, order, program } = writerFor("plugin");

const impatient = program(order("usa", { deliveryTimeoutSeconds: 1 }));

it("17 A: the proxies come after seconds, within the timeout: the run waits", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now, deliveryDelayMs: 2_000 });
  // The simulator's time moves on by a second with each listing, however long the call takes.
  const run = () => {
    now = new Date(now.getTime() + 1_000);
  };
  simulator.addFault({ endpoint: "listProxies", phase: "after", fault: { kind: "act", run } });
  const { stack, scene } = await createScene({
    ...on,
    simulator,
    program: program(order("usa")),
  });
  expect(await stack.succeed("up")).toContain("0 of 5 proxies have arrived, waiting");
  await expectInvariants(scene, { charges: ["7.00"] });
});

it("17 B: the proxies come after 600 s, beyond the timeout: saved, the run fails, and the next up completes it", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now, deliveryDelayMs: 600_000 });
  const { stack, scene } = await createScene({ ...on, simulator, program: impatient });
  expect(await stack.fail("up")).toContain("DELIVERY_PENDING: order");
  const [made] = simulator.orders();
  expect((await stack.state()).find("usa")?.id).toBe(made?.orderNumber);
  now = new Date("2026-03-01T12:10:01Z");
  await expectInvariants(scene, { charges: ["7.00"] });
});

it("18: three of five proxies arrive: saved, a message, no purchase; a later up completes it", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({
    now: () => now,
    deliveryBatch: { size: 3, everyMs: 3_600_000 },
  });
  const { stack, scene } = await createScene({ ...on, simulator, program: impatient });
  expect(await stack.fail("up")).toContain("is paid, but 3 of its 5 proxies have arrived");
  expect(await stack.fail("up", "--refresh")).toContain("3 of its 5 proxies have arrived");
  now = new Date("2026-03-01T13:00:01Z");
  await expectInvariants(scene, { charges: ["7.00"] });
});
