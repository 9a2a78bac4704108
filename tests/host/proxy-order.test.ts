import { expect, test } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { inputsOf, startProvider } from "./provider-process.ts";
import { expectNoNull, expectNoSecrets } from "./secrecy.ts";
import type { Props } from "./unary.ts";

const fiveProxies = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
};

test("an order is checked, bought once, read, left alone, let go", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest({ pageCap: 2 });
  const { baseUrl, apiKey } = simulator;
  const news = inputsOf("ProxyOrder", fiveProxies);

  const preview = await startProvider({ baseUrl, apiKey });
  const shown = await preview.check({}, news);
  expect(shown.failures).toEqual([]);
  expect(simulator.requestCounts().createOrder).toBe(0);

  const up = await startProvider({ baseUrl, apiKey });
  const { inputs, failures } = await up.check({}, news);
  expect(failures).toEqual([]);
  expect(inputs).toEqual(shown.inputs);
  expect(inputs).toMatchObject({
    ...fiveProxies,
    quote: { effect: "buy", quantity: 5, price: 7, currency: "USD", balance: 1000 },
    holdings: { held: 5, released: [] },
  });
  const { id, properties } = await up.create(inputs);
  const [order] = simulator.orders();
  expect(id).toBe(order?.orderNumber);
  expect(properties).toMatchObject({ orderNumber: id, status: "active", stateVersion: 1 });
  expect(properties.ipAddressIds).toEqual(order?.ipAddressIds);
  expect(properties.__provider).toBe(news.__provider);
  expectNoNull(properties);

  const second = await startProvider({ baseUrl, apiKey });
  simulator.resetRequestCounts();
  const read = await second.read(id, properties);
  expect(read).toEqual({ id, properties });
  const rechecked = await second.check(inputs, news);
  expect(rechecked.inputs).toMatchObject({ quote: { effect: "none" } });
  expect(await second.diff(id, read.properties, rechecked.inputs)).toMatchObject({
    changes: false,
  });
  expect(simulator.requestCounts()).toMatchObject({ listProxies: 3, calculateOrder: 0 });
  await second.delete(id, read.properties);
  expect(await second.printed()).toContain("the service has no cancellation");

  expect(simulator.requestCounts().createOrder).toBe(0);
  expect(simulator.ledger().map(({ price, orderNumber }) => [orderNumber, price])).toEqual([
    [id, "7.00"],
  ]);
  expect(await up.printed()).toContain("bought 5 IPv4 proxies in USA for 30 days for 7.00 USD");
  for (const provider of [preview, up, second]) {
    await expectNoSecrets(simulator, provider, shown.inputs, inputs, properties, read.properties);
  }
});

test("one process pays once for repeated creates", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const { inputs } = await provider.check({}, inputsOf("ProxyOrder", fiveProxies));
  const created = await Promise.all(Array.from({ length: 100 }, () => provider.create(inputs)));
  expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  expect(simulator.requestCounts().createOrder).toBe(1);
  expect(simulator.ledger()).toHaveLength(1);
});

test("two first checks at once, before any configuration, both get their price", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const news = inputsOf("ProxyOrder", fiveProxies);
  const renewal = inputsOf("IpAutoExtend", {
    proxyType: "IPv4",
    ipAddressIds: ["1"],
    rentPeriodDays: 30,
    autoExtend: false,
  });
  const checks = await Promise.all([
    provider.check({}, { ...news, owner: "org/urn::a" }),
    provider.check({}, { ...news, owner: "org/urn::b" }),
    provider.check({}, renewal),
  ]);
  expect(checks.map(({ failures }) => failures)).toEqual([[], [], []]);
  expect(checks.slice(0, 2).map(({ inputs }) => (inputs.quote as Props).price)).toEqual([7, 7]);
  expect(simulator.requestCounts()).toMatchObject({ listProxyTypes: 1, createOrder: 0 });
});

test("unknown inputs stay unknown, and the price stays open", {
  timeout: 30_000,
}, async () => {
  const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const args = { ...fiveProxies, quantity: UNKNOWN, goal: UNKNOWN, maxPrice: 10 };
  const { inputs, failures } = await provider.check({}, inputsOf("ProxyOrder", args));
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ quantity: UNKNOWN, goal: UNKNOWN, country: "USA" });
  expect(inputs.quote).toEqual({
    ...{ effect: "unknown", priceAtMost: 10, balance: 1000, currency: "USD" },
  });
  const ids = inputsOf("IpAutoExtend", {
    proxyType: "IPv4",
    rentPeriodDays: 30,
    ipAddressIds: ["1", UNKNOWN],
  });
  expect((await provider.check({}, ids)).inputs).toMatchObject({ ipAddressIds: ["1", UNKNOWN] });
  expect(simulator.requestCounts()).toMatchObject({ calculateOrder: 0, calculateExtension: 0 });
});

test("every wrong input is a check failure, and nothing is bought", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const wrong = { ...fiveProxies, country: "XXX", quantity: 0, protocol: "HTTP", colour: "red" };
  const { failures } = await provider.check({}, inputsOf("ProxyOrder", wrong));
  expect(failures.map(({ property }) => property).toSorted()).toEqual([
    "colour",
    "country",
    "protocol",
    "quantity",
  ]);
  expect(simulator.ledger()).toEqual([]);
});

test("a price that rose after the plan is refused before the order", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const { inputs } = await provider.check({}, inputsOf("ProxyOrder", fiveProxies));
  simulator.setPriceFactor("IPv4", "1.5");
  await expect(provider.create(inputs)).rejects.toThrow(
    /PRICE_ROSE: the plan showed 7.00 USD, .* 10.50/,
  );
  expect(simulator.requestCounts().createOrder).toBe(0);
  expect(simulator.ledger()).toEqual([]);
});

test("an edit that would buy again is refused by diff, and bought once if it is allowed", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest();
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const news = inputsOf("ProxyOrder", fiveProxies);
  const { inputs } = await provider.check({}, news);
  const { id, properties } = await provider.create(inputs);

  const later = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const moved = { ...news, country: "DEU" };
  const refused = await later.check(inputs, moved);
  await expect(later.diff(id, properties, refused.inputs)).rejects.toThrow(
    /EDIT_REFUSED: .*country/,
  );

  const allowed = { ...moved, allowReplacement: true };
  const first = await later.check(inputs, allowed);
  expect(await later.diff(id, properties, first.inputs)).toEqual({
    changes: true,
    replaces: ["country"],
    deleteBeforeReplace: false,
  });
  const second = await later.check({}, allowed);
  expect(second).toEqual(first);
  await later.create(second.inputs);
  await later.delete(id, properties);
  expect(simulator.requestCounts().createOrder).toBe(2);
  expect(simulator.ledger().map(({ country, price }) => [country, price])).toEqual([
    ["USA", "7.00"],
    ["DEU", "7.35"],
  ]);
});
