import { expect, test } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { ordered, spendingOf } from "../../support/spending.ts";
import { orderArgs } from "../order-args.ts";
import { configOf, secret, startPlugin } from "./plugin-process.ts";

const args = { ...orderArgs, quantity: 2 };

test("an order's whole life on the plugin: priced, bought once, read, grown and let go", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const plugin = await startPlugin();
  expect(await plugin.checkConfig(configOf(simulator))).toEqual([]);
  await plugin.configure(configOf(simulator));
  const fleet = plugin.resource("ProxyOrder");
  const { inputs, failures } = await fleet.check({}, args);
  expect(failures).toEqual([]);
  const planned = await fleet.create(inputs, { preview: true });
  expect(planned.properties.orderNumber).toBe("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
  const saved = await fleet.create(inputs);
  expect(saved.id).toBe(saved.properties.orderNumber);
  expect(saved.properties).toMatchObject({
    credentials: secret(expect.anything()),
    urls: secret(expect.anything()),
  });
  const read = await fleet.read(saved);
  expect(read).toEqual(saved);
  const { inputs: grown } = await fleet.check(inputs, { ...args, quantity: 3 });
  expect(await fleet.diff(saved, grown)).toMatchObject({
    changes: true,
    details: { quantity: "UPDATE", quote: "UPDATE" },
    replaces: [],
  });
  const more = await fleet.update(saved, grown);
  expect(more.properties.ipAddressIds).toHaveLength(3);
  await fleet.delete(more);
  expect(spendingOf(simulator)).toEqual(ordered("2.80", "1.40"));
  const { result } = await plugin.invoke("getBalance", {});
  expect(result).toMatchObject({ currency: "USD" });
  await plugin.stop();
  expect(plugin.logged[0]).toMatchObject({ severity: "progress", urn: fleet.urn });
  expect(plugin.printed()).toBe("");
});
