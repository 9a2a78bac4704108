import { expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { expectInvariants } from "../invariants.ts";
import { createScene } from "./engine-scene.ts";

const { on, order, program } = writerFor("plugin");

const projectLines = ["options:", "  refresh: always"];

it("33: all of an order expired: gone on refresh, and a priced purchase in the plan", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now });
  const { stack, scene } = await createScene({
    ...{ ...on, simulator, projectLines, machineClock: () => now },
    program: program(order("usa")),
  });
  await stack.succeed("up");
  now = new Date("2026-04-01T12:00:00Z");
  const plan = await stack.plan();
  expect(plan.op("usa")).toBe("create");
  expect(plan.inputs("usa").quote).toMatchObject({ effect: "buy", price: 7 });
  await expectInvariants(scene, { charges: ["7.00"], again: ["7.00"], ended: 1 });
});

it("33b: a refunded order: an error with both ways out, and gone once goneOrders has it", async () => {
  const simulator = await startForTest();
  const { stack, scene } = await createScene({
    ...{ ...on, simulator, projectLines },
    program: program(order("usa")),
  });
  await stack.succeed("up");
  const [refunded] = simulator.orders();
  simulator.removeProxies(refunded?.ipAddressIds ?? []);
  const text = await stack.fail("preview");
  expect(text).toContain(`list ${refunded?.orderNumber} in PROXYRENTAL_GONE_ORDERS`);
  expect(text).toContain("--refresh=false");
  await expectInvariants(scene, { charges: ["7.00"], again: "stopped" });

  await stack.rewrite(program(order("usa"), order("deu", { country: "DEU" })));
  await stack.succeed("up", "--refresh=false");
  await expectInvariants(scene, { charges: ["7.00", "7.35"], again: "stopped" });

  stack.setEnv({ PROXYRENTAL_GONE_ORDERS: String(refunded?.orderNumber) });
  const plan = await stack.plan();
  expect(plan.op("usa")).toBe("create");
  expect(plan.changes).toEqual({ create: 1, same: 2 });
  await expectInvariants(scene, { charges: ["7.00", "7.35"], again: ["7.00"], ended: 1 });
});
