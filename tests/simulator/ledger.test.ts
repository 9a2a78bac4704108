import { Big } from "big.js";
import { expect, test } from "vitest";
import type { Simulator } from "../../simulator/index.ts";
import { get, listIds, orders, post, StillClock } from "./caller.ts";
import { startForTest } from "./start.ts";

function sumLedger(simulator: Simulator): string {
  return simulator
    .ledger()
    .reduce((sum, entry) => sum.plus(entry.price), new Big(0))
    .toFixed(2);
}

function spentOf(opening: string, simulator: Simulator): string {
  return new Big(opening).minus(simulator.balance()).toFixed(2);
}

test("the balance has fallen by the sum of the ledger, to the cent", async () => {
  const simulator = await startForTest({ balance: "1234.56" });
  for (const order of Object.values(orders)) await post(simulator, "order", order);
  await post(simulator, "order", { ...orders.IPv4, quantity: 33, promoCode: "SPRING10" });
  await post(simulator, "order", { ...orders.IPv4, goal: "" });
  const ids = await listIds(simulator, "IPv4");
  await post(simulator, "extend", {
    proxyType: "IPv4",
    ipAddressIds: ids.slice(3, 11),
    rentPeriodDays: 60,
    promoCode: "SPRING10",
  });
  simulator.placeForeignOrder({
    proxyType: "ISP",
    country: "GBR",
    quantity: 1,
    rentPeriodDays: 30,
  });
  expect(simulator.ledger().map(({ kind, origin }) => `${origin} ${kind}`)).toEqual([
    ...Object.keys(orders).map(() => "api order"),
    "api order",
    "api extension",
    "api extension",
    "foreign order",
  ]);
  expect(spentOf("1234.56", simulator)).toBe(sumLedger(simulator));
  expect(simulator.ledger().at(-1)?.balanceAfter).toBe(simulator.balance());
  expect(Number(simulator.balance())).toBe((await get(simulator, "balance")).balance);
});

test("after a year of automatic extensions too, and the balance is not overdrawn", async () => {
  const simulator = await startForTest({ balance: "777.77" });
  for (const order of Object.values(orders)) await post(simulator, "order", order);
  const ids = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
  simulator.setAutoExtension(ids, true);
  simulator.advance({ days: 365 });
  const automatic = simulator.ledger().filter(({ origin }) => origin === "automatic");
  expect(automatic.length).toBeGreaterThan(20);
  expect(spentOf("777.77", simulator)).toBe(sumLedger(simulator));
  expect(simulator.ledger().at(-1)?.balanceAfter).toBe(simulator.balance());
  expect(Number(simulator.balance())).toBeGreaterThanOrEqual(0);
  expect((await get(simulator, "balance")).balance).toBe(Number(simulator.balance()));
});

test("an order costs its calculated price and adds one entry", async () => {
  const clock = new StillClock();
  const simulator = await startForTest({ now: clock.now });
  const calculated = await post(simulator, "calculate/order", orders.IPv4);
  expect(simulator.ledger()).toEqual([]);
  const ordered = await post(simulator, "order", orders.IPv4);
  expect(calculated.price).toBe(7);
  expect(ordered.balance).toBe(993);
  expect(simulator.ledger()).toEqual([
    {
      at: "2026-03-01T12:00:00.000+00:00",
      kind: "order",
      origin: "api",
      orderNumber: ordered.orderNumber,
      proxyType: "IPv4",
      country: "USA",
      quantity: 5,
      rentPeriodDays: 30,
      price: "7.00",
      balanceAfter: "993.00",
    },
  ]);
});

test("an order that costs the whole balance goes through; a cent above, and nothing is charged", async () => {
  const simulator = await startForTest({ balance: "6.99" });
  const refused = await post(simulator, "order", orders.IPv4);
  expect(refused).toMatchObject({ success: false, error: { code: 16 }, balance: 6.99 });
  expect(simulator.ledger()).toEqual([]);
  expect(simulator.orders()).toEqual([]);
  simulator.setBalance("7");
  expect(await post(simulator, "order", orders.IPv4)).toMatchObject({ success: true, balance: 0 });
});

test("a price that changed between calculation and order is charged", async () => {
  const simulator = await startForTest();
  const calculated = await post(simulator, "calculate/order", orders.IPv4);
  simulator.setPriceFactor("IPv4", "1.5");
  await post(simulator, "order", orders.IPv4);
  await post(simulator, "order", orders.ISP);
  expect(calculated.price).toBe(7);
  expect(simulator.ledger().map((entry) => entry.price)).toEqual(["10.50", "8.97"]);
});

test("somebody else's order above the balance throws and charges nothing", async () => {
  const simulator = await startForTest({ balance: 1 });
  const item = { country: "USA", quantity: 1, rentPeriodDays: 30 };
  expect(() => simulator.placeForeignOrder({ ...item, proxyType: "IPv4" })).toThrow("balance");
  expect(simulator.ledger()).toEqual([]);
});

test("a caller who changes a ledger answer does not change the ledger", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", orders.IPv4);
  simulator.ledger().pop();
  for (const entry of simulator.ledger()) entry.price = "0.00";
  expect(sumLedger(simulator)).toBe("7.00");
});
