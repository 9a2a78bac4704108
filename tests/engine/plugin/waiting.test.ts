import { expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

const { on, order, program } = writerFor("plugin");

it("waits for a delivery as long as customTimeouts says, saves the order, and completes it with the next up", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now, deliveryDelayMs: 3_600_000 });
  const timed = program(order("web", {}, "{ customTimeouts: { create: 1s } }"));
  const stack = await createStack({ ...on, simulator, program: timed });
  const text = await stack.fail("up");
  expect(text).toContain("DELIVERY_PENDING");
  expect(text).toContain("waited 1 s for them");
  const web = (await stack.state()).find("web");
  expect(web?.outputs).toMatchObject({ status: "pendingDelivery", orderNumber: web?.id });
  expect(web?.outputs).not.toHaveProperty("deliveryTimeoutSeconds");

  now = new Date("2026-03-01T13:00:01Z");
  const plan = await stack.plan("--refresh");
  expect(plan.op("web")).toBe("update");
  await stack.succeed("up", "--refresh");
  expect((await stack.state()).find("web")?.outputs.status).toBe("active");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("Ctrl-C ends a wait for delivery at once: the order is saved, and nothing more is bought", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now, deliveryDelayMs: 3_600_000 });
  const stack = await createStack({ ...on, simulator, program: program(order("web")) });
  const up = stack.start("up");
  await up.says("proxies have arrived, waiting");
  const { listProxies: looksBefore } = simulator.requestCounts();
  up.interrupt();
  const { text, exitCode } = await up.ended;
  expect(simulator.requestCounts().listProxies - looksBefore).toBeLessThanOrEqual(1);
  expect(exitCode).not.toBe(0);
  expect(text).toContain("the run was cancelled");
  expect((await stack.state()).find("web")?.outputs.status).toBe("pendingDelivery");

  now = new Date("2026-03-01T13:00:01Z");
  await stack.run("cancel --yes");
  await stack.succeed("up", "--refresh");
  expect((await stack.state()).find("web")?.outputs.status).toBe("active");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
