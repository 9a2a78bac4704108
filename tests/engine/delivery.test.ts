import { expect, it } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";
import { encrypted } from "../support/stack-documents.ts";

const { on, order, program } = writerFor("plugin");

const impatient = program(order("usa", { deliveryTimeoutSeconds: 1 }));

/** The ways in which a stack may finish a delivery. */
const ways: Record<string, (stack: Stack) => Promise<unknown>> = {
  "the next up": (stack) => stack.succeed("up"),
  "an up that refreshes": (stack) => stack.succeed("up", "--refresh"),
  "a refresh and an up": async (stack) => {
    await stack.succeed("refresh");
    expect((await stack.state()).find("usa")?.outputs.status).toBe("pendingDelivery");
    expect((await stack.plan()).op("usa")).toBe("update");
    await stack.succeed("up");
  },
};

it.each(Object.keys(ways))(
  "saves a paid order if its listing fails, and %s finishes it",
  async (way) => {
    const simulator = await startForTest();
    const failListing = () =>
      simulator.addFault({ endpoint: "listProxies", phase: "before", fault: { kind: "garbage" } });
    // The listing fails only after the order, because an up also reads the listing before it buys.
    const fault = { kind: "act", run: failListing } as const;
    simulator.addFault({ endpoint: "createOrder", phase: "after", fault });
    const stack = await createStack({ ...on, simulator, program: impatient });
    const text = await stack.fail("up");
    expect(text).toContain("DELIVERY_PENDING: order");
    expect(text).toContain("is paid, but 0 of its 5 proxies have arrived");
    await expectPending(stack, simulator, 0);

    simulator.clearFaults();
    await ways[way]?.(stack);
    await expectFinished(stack, simulator);
    expect(await stack.succeed("up", "--refresh")).toContain("2 unchanged");
  },
);

it.each(Object.keys(ways))(
  "saves an order with three of five proxies, secrets encrypted, and %s finishes it",
  async (way) => {
    let now = new Date("2026-03-01T12:00:00Z");
    const simulator = await startForTest({
      now: () => now,
      deliveryBatch: { size: 3, everyMs: 3_600_000 },
    });
    const stack = await createStack({ ...on, simulator, program: impatient });
    expect(await stack.fail("up")).toContain("is paid, but 3 of its 5 proxies have arrived");
    await expectPending(stack, simulator, 3);

    now = new Date("2026-03-01T14:00:00Z");
    await ways[way]?.(stack);
    await expectFinished(stack, simulator);
  },
);

it("fails each up until all proxies are there, and buys nothing meanwhile", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now, deliveryDelayMs: 3_600_000 });
  const stack = await createStack({ ...on, simulator, program: impatient });
  await stack.fail("up");
  await stack.fail("up", "--refresh");
  await expectPending(stack, simulator, 0);

  await stack.rewrite(program(order("usa", { deliveryTimeoutSeconds: 1, quantity: 6 })));
  expect(await stack.fail("preview")).toContain("from 5 to 6 while the delivery of order");

  await stack.rewrite(impatient);
  now = new Date("2026-03-01T14:00:00Z");
  await stack.succeed("up");
  await expectFinished(stack, simulator);
});

it("waits for late proxies, and says how many have arrived", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({
    ...{ now: () => now, deliveryBatch: { size: 2, everyMs: 700 } },
  });
  // The simulator's time moves on with each listing, however long the call takes.
  const run = () => {
    now = new Date(now.getTime() + 500);
  };
  simulator.addFault({ endpoint: "listProxies", phase: "after", fault: { kind: "act", run } });
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  expect(await stack.succeed("up")).toMatch(/order \d+: 2 of 5 proxies have arrived, waiting/);
  await expectFinished(stack, simulator);
});

it("keeps the secrets of a half-delivered order encrypted after a refresh and a failed update", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({
    now: () => now,
    deliveryBatch: { size: 2, everyMs: 3_600_000 },
  });
  const stack = await createStack({ ...on, simulator, program: impatient });
  await stack.fail("up");
  await expectPending(stack, simulator, 2);
  await stack.succeed("refresh");
  await expectPending(stack, simulator, 2);
  now = new Date("2026-03-01T13:30:00Z");
  await stack.fail("up");
  await expectPending(stack, simulator, 4);
});

async function expectPending(stack: Stack, simulator: Simulator, arrived: number): Promise<void> {
  const usa = (await stack.state()).find("usa");
  expect(usa?.id).toBe(simulator.orders()[0]?.orderNumber);
  expect(usa?.outputs).toMatchObject({ status: "pendingDelivery", orderNumber: usa?.id });
  expect(usa?.outputs.proxies).toHaveLength(arrived);
  expectEncrypted(usa?.outputs);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
}

async function expectFinished(stack: Stack, simulator: Simulator): Promise<void> {
  const usa = (await stack.state()).find("usa");
  expect(usa?.outputs).toMatchObject({ status: "active", orderNumber: usa?.id });
  expect(usa?.outputs.ipAddressIds).toEqual(simulator.orders()[0]?.ipAddressIds);
  expectEncrypted(usa?.outputs);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
}

function expectEncrypted(outputs: Record<string, unknown> = {}): void {
  expect([outputs.credentials, outputs.urls]).toEqual([encrypted, encrypted]);
}
