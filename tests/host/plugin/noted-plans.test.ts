import { expect, test } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { orderArgs } from "../order-args.ts";
import { configOf, startPlugin } from "./plugin-process.ts";

const args = { ...orderArgs, quantity: 2 };

const more = { ...args, quantity: 3 };

const grownTo = (quantity: number) => ({ ...args, quantity });

/** A plugin's process with its provider, in the folder of earlier ones. */
async function startConfigured(config: ReturnType<typeof configOf>, folder?: string) {
  const plugin = await startPlugin(folder === undefined ? {} : { folder });
  await plugin.configure(config);
  return plugin;
}

test("what a preview has shown of new orders is written down, even if the plugin is killed right then", async () => {
  const simulator = await startForTest();
  const config = configOf(simulator);
  const preview = await startConfigured(config);
  const names = ["one", "two", "three"];
  for (const name of names) {
    const order = preview.resource("ProxyOrder", name);
    const { inputs } = await order.check({}, { ...args, goal: name });
    await order.create(inputs, { preview: true });
  }
  preview.signal("SIGKILL");
  await preview.ended;
  for (const name of names) {
    const up = await startConfigured(config, preview.folder);
    const order = up.resource("ProxyOrder", name);
    const { inputs } = await order.check({}, { ...more, goal: name });
    await expect(order.create(inputs)).rejects.toThrow(/NOT_PLANNED: the last preview .* showed/);
    await up.stop();
  }
  expect(simulator.orders()).toEqual([]);
});

test("and what it has shown of further orders of a resource", async () => {
  const simulator = await startForTest();
  const config = configOf(simulator);
  const first = await startConfigured(config);
  const fleet = (plugin: typeof first) => plugin.resource("ProxyOrder");
  const { inputs } = await fleet(first).check({}, args);
  const saved = await fleet(first).create(inputs);
  await first.stop();

  const preview = await startConfigured(config, first.folder);
  // The first note of a process is written in any case.
  const other = preview.resource("ProxyOrder", "other");
  await other.check({}, { ...args, goal: "other" });
  const { inputs: grown } = await fleet(preview).check(inputs, grownTo(3));
  await fleet(preview).diff(saved, grown);
  await fleet(preview).update(saved, grown, { preview: true });
  preview.signal("SIGKILL");
  await preview.ended;

  const up = await startConfigured(config, first.folder);
  const { inputs: further } = await fleet(up).check(inputs, grownTo(4));
  await expect(fleet(up).update(saved, further)).rejects.toThrow(/NOT_PLANNED/);
  expect(spendingOf(simulator)).toEqual(ordered("2.80"));
});
