import { expect, test } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { inputsOf, startProvider } from "./provider-process.ts";
import { expectNoNull, expectNoSecrets } from "./secrecy.ts";

test("auto-extension is switched on, found off, put right and switched off, for nothing", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest({ pageCap: 2 });
  const { baseUrl, apiKey } = simulator;
  const order = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;
  const { ipAddressIds } = simulator.placeForeignOrder(order);
  const [first = "", second = "", third = ""] = ipAddressIds;
  const paid = simulator.ledger();
  const renewing = () =>
    simulator.proxies().flatMap((proxy) => (proxy.autoExtend ? [proxy.ipAddressId] : []));
  const news = inputsOf("IpAutoExtend", {
    proxyType: "IPv4",
    ipAddressIds: [first, second],
    rentPeriodDays: 30,
  });

  const up = await startProvider({ baseUrl, apiKey });
  const { inputs, failures } = await up.check({}, news);
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({
    autoExtend: true,
    quote: { effect: "autoExtend", pricePerCycle: 2.8, currency: "USD" },
  });
  const { id, properties } = await up.create(inputs);
  expect(id).toMatch(/^auto-extend-[0-9a-f]{12}$/);
  expect(renewing()).toEqual([first, second]);
  expectNoNull(properties);

  simulator.setAutoExtension([second], false);
  const later = await startProvider({ baseUrl, apiKey });
  const read = await later.read(id, properties);
  expect(read.inputs).toMatchObject({ autoExtend: false });
  simulator.resetRequestCounts();
  const repair = await later.check(read.inputs ?? {}, news);
  expect(await later.diff(id, read.properties, repair.inputs)).toMatchObject({
    changes: true,
    replaces: [],
  });
  const repaired = await later.update(id, read.properties, repair.inputs);
  // The run that has switched them is another one.
  const { switchedBy } = repaired.properties;
  expect(switchedBy).not.toBe(properties.switchedBy);
  expect(repaired.properties).toEqual({ ...properties, switchedBy });
  expect(renewing()).toEqual([first, second]);
  expect(simulator.requestCounts().setAutoExtension).toBe(1);

  const swapped = await later.check(repair.inputs, { ...news, ipAddressIds: [third, second] });
  const moved = await later.update(id, repaired.properties, swapped.inputs);
  expect(renewing()).toEqual([second, third]);
  // Another run: in the one before, the program still declares it.
  const destroy = await startProvider({ baseUrl, apiKey });
  await destroy.delete(id, moved.properties);
  expect(renewing()).toEqual([]);

  expect(simulator.requestCounts()).toMatchObject({
    createOrder: 0,
    extend: 0,
    setAutoExtension: 4,
  });
  expect(simulator.ledger()).toEqual(paid);
  for (const provider of [up, later, destroy]) {
    await expectNoSecrets(
      simulator,
      provider,
      inputs,
      properties,
      repaired.properties,
      moved.properties,
    );
  }
});

test("another type replaces it, and the old one is deleted first", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const { ipAddressIds } = simulator.placeForeignOrder({
    proxyType: "IPv4",
    country: "USA",
    quantity: 1,
    rentPeriodDays: 30,
  });
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const news = inputsOf("IpAutoExtend", {
    proxyType: "IPv4",
    ipAddressIds,
    rentPeriodDays: 30,
  });
  const { inputs } = await provider.check({}, news);
  const { id, properties } = await provider.create(inputs);
  expect(await provider.diff(id, properties, { ...inputs, proxyType: "ISP" })).toEqual({
    changes: true,
    replaces: ["proxyType"],
    deleteBeforeReplace: true,
  });
});
