import { expect, test } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { inputsOf, startProvider } from "./provider-process.ts";
import { expectNoNull, expectNoSecrets } from "./secrecy.ts";
import { initFailureOf } from "./unary.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** An account with one order of three proxies that end in 30 days. */
async function holdOrder() {
  const simulator = await startForTest({ pageCap: 2, idsChangeOnExtension: true });
  const order = { proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 } as const;
  const { ipAddressIds } = simulator.placeForeignOrder(order);
  const beganMs = Date.parse(simulator.proxies()[0]?.dateStart ?? "");
  /** A moment that these periods reach. They do not reach a moment one day later. */
  const through = (periods: number) =>
    new Date(beganMs + (30 * (periods + 1) - 1) * DAY_MS).toISOString();
  const paid = simulator.ledger().length;
  const charges = () =>
    simulator
      .ledger()
      .slice(paid)
      .map(({ price }) => price);
  const { baseUrl, apiKey } = simulator;
  return { simulator, ipAddressIds, through, charges, config: { baseUrl, apiKey } };
}

test("proxies are paid through a date, found paid, paid for longer, and left paid", {
  timeout: 30_000,
}, async () => {
  const { simulator, ipAddressIds, through, charges, config } = await holdOrder();
  const args = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30, paidThrough: through(1) };
  const news = inputsOf("IpExtension", args);

  const up = await startProvider(config);
  const { inputs, failures } = await up.check({}, news);
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({
    quote: { effect: "extend", quantity: 3, price: 4.2, currency: "USD" },
    rounds: [{ quantity: 3, price: 4.2 }],
    __provider: news.__provider,
  });
  const { id, properties } = await up.create(inputs);
  expect(id).toMatch(/^extension-[0-9a-f]{12}$/);
  expect(properties.ipAddressIds).toEqual(simulator.proxies().map((proxy) => proxy.ipAddressId));
  expect(properties.ipAddressIds).not.toEqual(ipAddressIds);
  expect(charges()).toEqual(["4.20"]);
  expectNoNull(properties);

  const later = await startProvider(config);
  const read = await later.read(id, properties);
  expect([read.properties, read.inputs]).toEqual([properties, undefined]);
  const same = await later.check(inputs, news);
  expect(same.inputs).toMatchObject({ quote: { effect: "none" }, rounds: [] });
  expect(await later.diff(id, read.properties, same.inputs)).toMatchObject({ changes: false });
  const longer = await later.check(same.inputs, { ...news, paidThrough: through(3) });
  expect(longer.inputs.quote).toMatchObject({ effect: "extend", price: 8.4 });
  expect(await later.diff(id, read.properties, longer.inputs)).toMatchObject({
    ...{ changes: true, replaces: [] },
  });
  const updated = await later.update(id, read.properties, longer.inputs);
  expect(updated.properties.purchases).toHaveLength(3);
  expect(charges()).toEqual(["4.20", "4.20", "4.20"]);
  await later.delete(id, updated.properties);

  expect(simulator.requestCounts()).toMatchObject({
    extend: 3,
    createOrder: 0,
    setAutoExtension: 0,
  });
  const printed = await later.printed();
  expect(printed).toContain("3 proxies stay paid until");
  for (const provider of [up, later]) {
    await expectNoSecrets(simulator, provider, inputs, properties, updated.properties);
  }
});

test("unknown ids leave the price open, below the cap; another type replaces it", {
  timeout: 30_000,
}, async () => {
  const { ipAddressIds, through, charges, config } = await holdOrder();
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const args = { proxyType: "IPv4", rentPeriodDays: 30, paidThrough: through(1), maxPrice: 5 };
  const open = inputsOf("IpExtension", { ...args, ipAddressIds: unknown });
  const provider = await startProvider(config);
  const { inputs, failures } = await provider.check({}, open);
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({
    ...{ ipAddressIds: unknown, quote: { effect: "unknown", priceAtMost: 5 } },
  });
  const known = await provider.check({}, { ...open, ipAddressIds });
  const { id, properties } = await provider.create(known.inputs);
  expect(await provider.diff(id, properties, { ...known.inputs, proxyType: "ISP" })).toEqual({
    ...{ changes: true, replaces: ["proxyType"], deleteBeforeReplace: true },
  });
  expect(charges()).toEqual(["4.20"]);
});

test("if a later extension fails, the paid ones are saved, and a later run pays the rest", {
  timeout: 30_000,
}, async () => {
  const { simulator, ipAddressIds, through, charges, config } = await holdOrder();
  const args = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30, paidThrough: through(2) };
  const news = inputsOf("IpExtension", args);
  const fault = { kind: "refuse", code: 14 } as const;
  const rule = simulator.addFault({ endpoint: "extend", calls: [2], phase: "before", fault });
  const up = await startProvider(config);
  const { inputs } = await up.check({}, news);
  const failure = await initFailureOf(up.create(inputs));
  expect(failure.message).toContain("EXTENSION_INCOMPLETE: 1 of 2 planned extensions is paid");
  expect(failure.id).toMatch(/^extension-[0-9a-f]{12}$/);
  expect(failure.properties).toMatchObject({
    ...{ purchases: [{ price: 4.2 }], __provider: news.__provider },
  });
  expectNoNull(failure.properties);
  rule.remove();

  const next = await startProvider(config);
  const rest = await next.check(inputs, news);
  expect(rest.inputs.quote).toMatchObject({ effect: "extend", price: 4.2 });
  const { properties } = await next.update(failure.id, failure.properties, rest.inputs);
  expect(properties.purchases).toHaveLength(2);
  expect(charges()).toEqual(["4.20", "4.20"]);
  expect(simulator.requestCounts().extend).toBe(3);
});
