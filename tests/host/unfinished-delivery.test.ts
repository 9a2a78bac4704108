import { expect, test } from "vitest";
import { StillClock } from "../simulator/caller.ts";
import { startForTest } from "../simulator/start.ts";
import { inputsOf, startProvider } from "./provider-process.ts";
import { expectNoNull, expectNoSecrets } from "./secrecy.ts";
import { initFailureOf, type Props } from "./unary.ts";

test("a paid order without its proxies is saved, and a later run finishes it", {
  timeout: 30_000,
}, async () => {
  const clock = new StillClock();
  const simulator = await startForTest({
    now: clock.now,
    deliveryDelayMs: 10_000,
    deliveryBatch: { size: 2, everyMs: 10_000 },
  });
  const { baseUrl, apiKey } = simulator;
  const news = inputsOf("ProxyOrder", {
    proxyType: "IPv4",
    country: "USA",
    quantity: 3,
    rentPeriodDays: 30,
    goal: "price monitoring",
    deliveryTimeoutSeconds: 1,
  });
  const run = await startProvider({ baseUrl, apiKey });
  const { inputs } = await run.check({}, news);
  const failure = await initFailureOf(run.create(inputs));
  const [order] = simulator.orders();
  expect(failure.id).toBe(order?.orderNumber);
  expect(failure.message).toContain("DELIVERY_PENDING");
  expect(failure.reasons).toEqual([failure.message]);
  expect(failure.properties).toMatchObject({
    orderNumber: order?.orderNumber,
    status: "pendingDelivery",
    proxies: [],
    __provider: news.__provider,
  });
  expectNoNull(failure.properties);

  const next = await startProvider({ baseUrl, apiKey });
  clock.advance(10_000);
  const read = await next.read(failure.id, failure.properties);
  expect(read.properties).toMatchObject({ status: "pendingDelivery" });
  expect(read.properties.proxies).toHaveLength(2);
  const { inputs: rechecked } = await next.check(inputs, news);
  expect(await next.diff(failure.id, read.properties, rechecked)).toMatchObject({
    changes: true,
    replaces: [],
  });
  const still = await initFailureOf(next.update(failure.id, read.properties, rechecked));
  expect(still.properties).toMatchObject({
    status: "pendingDelivery",
    __provider: news.__provider,
  });
  expect(still.properties.proxies).toHaveLength(2);

  clock.advance(10_000);
  const { properties } = await next.update(failure.id, still.properties, rechecked);
  expect(properties).toMatchObject({ status: "active", quote: inputs.quote });
  expect(properties.ipAddressIds).toEqual(order?.ipAddressIds);
  const { purchases } = properties as { purchases: Props[] };
  expect(purchases).toHaveLength(1);
  expect(await next.diff(failure.id, properties, rechecked)).toMatchObject({ changes: false });

  expect(simulator.requestCounts().createOrder).toBe(1);
  expect(simulator.ledger().map(({ price }) => price)).toEqual(["4.20"]);
  for (const provider of [run, next]) {
    await expectNoSecrets(
      simulator,
      provider,
      inputs,
      failure.properties,
      still.properties,
      properties,
    );
  }
});

test("an order listed under another number is found as the new one there, and bought once", {
  timeout: 30_000,
}, async () => {
  const simulator = await startForTest({ orderNumberDiffersFromOrderId: true });
  const provider = await startProvider({ baseUrl: simulator.baseUrl, apiKey: simulator.apiKey });
  const args = { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30, goal: "a" };
  const news = inputsOf("ProxyOrder", { ...args, deliveryTimeoutSeconds: 1 });
  const { inputs } = await provider.check({}, news);
  const { id, properties } = await provider.create(inputs);
  const [order] = simulator.orders();
  expect(id).toBe(order?.orderNumber);
  expect(properties).toMatchObject({
    orderNumber: order?.orderNumber,
    orderIds: [order?.orderId],
    ipAddressIds: order?.ipAddressIds,
    status: "active",
  });
  expect((await provider.create(inputs)).id).toBe(id);
  expect(simulator.requestCounts().createOrder).toBe(1);
  expect(simulator.ledger()).toHaveLength(1);
});
