import { expect, test } from "vitest";
import { listIds, listPage, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

test("a page larger than the cap is cut without notice, and the totals use the cut size", async () => {
  const simulator = await startForTest({ pageCap: 4 });
  await post(simulator, "order", { ...orders.IPv4, quantity: 7 });
  await post(simulator, "order", { ...orders.IPv4, quantity: 3, country: "DEU" });
  const pages = [0, 1, 2, 3].map((page) => listPage(simulator, "IPv4", page, 100));
  const answers = (await Promise.all(pages)).map((answer) => answer.data);
  expect(answers.map(({ content }) => content.length)).toEqual([4, 4, 2, 0]);
  for (const { totalElements, totalPages } of answers) {
    expect({ totalElements, totalPages }).toEqual({ totalElements: 10, totalPages: 3 });
  }
  const rows = answers.flatMap(({ content }) => content);
  expect(new Set(rows.map((row) => row.ipAddressId)).size).toBe(10);
  expect(rows.map((row) => row.country)).toEqual([
    ...Array<string>(7).fill("USA"),
    ...Array<string>(3).fill("DEU"),
  ]);
});

test("a page smaller than the cap has the requested size", async () => {
  const simulator = await startForTest({ pageCap: 4 });
  await post(simulator, "order", orders.IPv4);
  const { data } = await listPage(simulator, "IPv4", 1, 2);
  expect(data).toMatchObject({ totalElements: 5, totalPages: 3 });
  expect(data.content).toHaveLength(2);
});

test("each type has its own listing", async () => {
  const simulator = await startForTest();
  for (const order of Object.values(orders)) await post(simulator, "order", order);
  const totals = Object.keys(orders).map(async (proxyType) => {
    return (await listPage(simulator, proxyType)).data.totalElements;
  });
  expect(await Promise.all(totals)).toEqual(Object.values(orders).map(({ quantity }) => quantity));
});

test("proxies appear when the delivery delay is over by the service's clock, and not before", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now, deliveryDelayMs: 60_000 });
  await post(simulator, "order", orders.IPv4);
  clock.advance(59_999);
  expect((await listPage(simulator, "IPv4")).data).toEqual({
    totalElements: 0,
    totalPages: 0,
    content: [],
  });
  expect(simulator.proxies().map(({ state }) => state)).toEqual(Array(5).fill("undelivered"));
  clock.advance(1);
  expect(await listIds(simulator, "IPv4")).toEqual(simulator.orders()[0]?.ipAddressIds);
});

test("proxies appear a few at a time, grouped by order even if orders overlap", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({
    now: clock.now,
    deliveryDelayMs: 1000,
    deliveryBatch: { size: 2, everyMs: 500 },
  });
  const first = await post(simulator, "order", orders.IPv4);
  const second = await post(simulator, "order", { ...orders.IPv4, quantity: 2 });
  const seen: string[][] = [];
  for (const step of [1000, 500, 500]) {
    clock.advance(step);
    seen.push((await listPage(simulator, "IPv4")).data.content.map((row) => row.orderId));
  }
  const [a, b] = [first.orderNumber, second.orderNumber];
  expect(seen).toEqual([
    [a, a, b, b],
    [a, a, a, a, b, b],
    [a, a, a, a, a, b, b],
  ]);
});

test("an undelivered proxy can't be extended or switched, because its id is unknown", async () => {
  const simulator = await startForTest({ deliveryDelayMs: 60_000 });
  await post(simulator, "order", orders.IPv4);
  const ipAddressIds = simulator.orders()[0]?.ipAddressIds;
  const request = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30, autoExtend: true };
  expect((await post(simulator, "extend", request)).error?.code).toBe(9006);
  expect((await post(simulator, "extend/auto", request)).error?.code).toBe(9006);
});

test("a proxy leaves the listing at its end, and the simulator still has it", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  await post(simulator, "order", orders.IPv4);
  await post(simulator, "order", { ...orders.IPv4, quantity: 2, rentPeriodDays: 60 });
  clock.advanceDays(30);
  const { data } = await listPage(simulator, "IPv4");
  expect(data.totalElements).toBe(2);
  expect(data.content[0]?.dateEnd).toBe("2026-04-30T12:00:00.000+00:00");
  expect(simulator.proxies().filter(({ state }) => state === "expired")).toHaveLength(5);
});

test("proxies that a test ends or removes leave the listing at once", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  const [a = "", b = "", ...rest] = await listIds(simulator, "IPv4");
  simulator.expireProxies([a]);
  simulator.removeProxies([b]);
  expect(await listIds(simulator, "IPv4")).toEqual(rest);
  expect(simulator.proxies().map(({ ipAddressId }) => ipAddressId)).toEqual([a, ...rest]);
  expect(() => simulator.removeProxies([b])).toThrow(b);
});

test("the order number can differ from the listing's order id", async () => {
  const simulator = await startForTest({ orderNumberDiffersFromOrderId: true });
  const { orderNumber } = await post(simulator, "order", orders.IPv4);
  const [order] = simulator.orders();
  const { data } = await listPage(simulator, "IPv4");
  expect(order?.orderNumber).toBe(orderNumber);
  expect(order?.orderId).not.toBe(orderNumber);
  expect(data.content[0]?.orderId).toBe(order?.orderId);
});
