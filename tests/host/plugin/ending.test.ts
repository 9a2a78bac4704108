import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Fault } from "../../../simulator/index.ts";
import { readIntents } from "../../faults/journal-files.ts";
import { startForTest } from "../../simulator/start.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { orderArgs } from "../order-args.ts";
import { initFailureOf } from "../unary.ts";
import { configOf, type PluginProcess, secret, startPlugin } from "./plugin-process.ts";

const args = { ...orderArgs, quantity: 2 };

/** The ways in which the engine ends a plugin. */
const endings: Readonly<Record<string, (plugin: PluginProcess) => void>> = {
  SIGINT: (plugin) => plugin.signal("SIGINT"),
  SIGTERM: (plugin) => plugin.signal("SIGTERM"),
  "the end of its standard input": (plugin) => plugin.closeStdin(),
};

const table = Object.entries(endings);

/** A test must end within this time. The usual wait for a delivery is longer, so the end must cut that wait short. */
const timeout = 60_000;

/** Locks that the process did not remove. */
async function locksOf({ journalDir }: PluginProcess): Promise<string[]> {
  const names = await readdir(journalDir, { recursive: true });
  return names.filter((name) => name.endsWith(".lock"));
}

test.each(table)("an idle plugin ends at once by %s", { timeout }, async (_by, end) => {
  const simulator = await startForTest();
  const plugin = await startPlugin();
  await plugin.configure(configOf(simulator));
  end(plugin);
  expect(await plugin.ended).toEqual({ code: 0, signal: null });
  expect(plugin.printed()).toBe("");
});

test.each(table)(
  "an order under way is finished, recorded and answered, after %s",
  { timeout },
  async (_by, end) => {
    const simulator = await startForTest();
    const plugin = await startPlugin();
    await plugin.configure(configOf(simulator));
    const fleet = plugin.resource("ProxyOrder");
    const { inputs } = await fleet.check({}, args);
    const act: Fault = { kind: "act", run: () => end(plugin) };
    const delay: Fault = { kind: "delay", ms: 700 };
    simulator.addFault({ endpoint: "createOrder", phase: "before", fault: act });
    simulator.addFault({ endpoint: "createOrder", phase: "after", fault: delay });
    const saved = await fleet.create(inputs);
    expect(saved.properties).toMatchObject({ status: "active", orderNumber: saved.id });
    expect(await plugin.ended).toEqual({ code: 0, signal: null });
    expect(await readIntents(plugin.journalDir)).toMatchObject([
      { phase: "returned", orderNumber: saved.id },
    ]);
    expect(await locksOf(plugin)).toEqual([]);
    expect(spendingOf(simulator)).toEqual(ordered("2.80"));
  },
);

test("only the order under way is sent, and the engine hears of each of several", {
  timeout,
}, async () => {
  const simulator = await startForTest();
  const plugin = await startPlugin();
  await plugin.configure(configOf(simulator));
  const orders = await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      const order = plugin.resource("ProxyOrder", name);
      return { order, ...(await order.check({}, args)) };
    }),
  );
  const act: Fault = { kind: "act", run: () => plugin.signal("SIGINT") };
  const delay: Fault = { kind: "delay", ms: 700 };
  simulator.addFault({ endpoint: "createOrder", phase: "before", fault: act });
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: delay });
  const created = await Promise.allSettled(orders.map(({ order, inputs }) => order.create(inputs)));
  const refused = created.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => String(reason))).toEqual([
    expect.stringContaining("RUN_CANCELLED"),
    expect.stringContaining("RUN_CANCELLED"),
  ]);
  expect(await plugin.ended).toEqual({ code: 0, signal: null });
  expect(spendingOf(simulator)).toEqual(ordered("2.80"));
  expect(await locksOf(plugin)).toEqual([]);
});

test.each([
  ["the engine's cancel", (plugin: PluginProcess) => plugin.cancel()],
  ["SIGINT", (plugin: PluginProcess) => plugin.signal("SIGINT")],
])(
  "%s ends a wait for delivery at once, and the paid order is saved",
  { timeout },
  async (_by, end) => {
    const simulator = await startForTest({ deliveryDelayMs: 3_600_000 });
    const plugin = await startPlugin();
    await plugin.configure(configOf(simulator));
    const fleet = plugin.resource("ProxyOrder");
    const { inputs } = await fleet.check(
      {},
      { ...args, goal: secret("launch of the new product") },
    );
    const creating = initFailureOf(fleet.create(inputs));
    while (!plugin.logged.some(({ message }) => message.endsWith("waiting"))) await sleep(20);
    const { listProxies: looksBefore } = simulator.requestCounts();
    await end(plugin);
    const failure = await creating;
    // The plugin does not wait. At most it takes one answer that was already on its way.
    expect(simulator.requestCounts().listProxies - looksBefore).toBeLessThanOrEqual(1);
    const [order] = simulator.orders();
    expect(failure.message).toMatch(/^DELIVERY_PENDING: .*the run was cancelled/);
    expect(failure.reasons).toEqual([failure.message]);
    expect(failure.id).toBe(order?.orderNumber);
    expect(failure.inputs).toEqual(inputs);
    expect(failure.properties).toMatchObject({
      orderNumber: order?.orderNumber,
      status: "pendingDelivery",
      goal: secret("launch of the new product"),
      credentials: secret({}),
      urls: secret({}),
    });
    await plugin.stop();
    expect(await readIntents(plugin.journalDir)).toMatchObject([{ phase: "returned" }]);
    expect(await locksOf(plugin)).toEqual([]);

    simulator.advance({ hours: 2 });
    const next = await startPlugin({ folder: plugin.folder });
    await next.configure(configOf(simulator));
    const again = next.resource("ProxyOrder");
    const saved = { id: failure.id, inputs: failure.inputs, properties: failure.properties };
    expect(await again.diff(saved, inputs)).toMatchObject({ changes: true });
    const { properties } = await again.update(saved, inputs);
    expect(properties).toMatchObject({ status: "active", ipAddressIds: order?.ipAddressIds });
    expect(spendingOf(simulator)).toEqual(ordered("2.80"));
  },
);
