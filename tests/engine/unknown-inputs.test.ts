import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { output } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, autoExtension, laterValue, order, program } = writerFor("plugin");

const withLaterQuantity = (args: object) =>
  program(laterValue("size", 3), order("usa", { quantity: output("size.value"), ...args }));

it("plans an order of unknown quantity with its cap, and buys at the price at that time", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: withLaterQuantity({ maxPrice: 5 }),
  });
  const plan = await stack.plan();
  expect(plan.op("usa")).toBe("create");
  expect(plan.inputs("usa").quote).toEqual({
    ...{ effect: "unknown", priceAtMost: 5, balance: 1000, currency: "USD" },
  });
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("4.20"));
  const bought = (await stack.state()).find("usa")?.inputs;
  expect(bought?.quote).toMatchObject({ effect: "buy", price: 4.2, quantity: 3 });
  expect(await stack.succeed("up", "--refresh")).toContain("unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("4.20"));
});

it("says that the price is unknown if there is no cap", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: withLaterQuantity({}) });
  expect((await stack.plan()).inputs("usa").quote).toEqual({
    ...{ effect: "unknown", balance: 1000, currency: "USD" },
  });
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("4.20"));
});

it("refuses at up a price above the cap, and buys nothing", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: withLaterQuantity({ maxPrice: 4 }),
  });
  await stack.succeed("preview");
  expect(await stack.fail("up")).toContain(
    "the price is 4.20 USD, above the 4.00 USD that is allowed",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("checks the known arguments even if others are unknown", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: withLaterQuantity({ promoCode: "SPRING10", protocol: "HTTP" }),
  });
  expect(await stack.fail("preview")).toContain(
    "is accepted only for proxyType IPv6; leave it out",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("counts the cap of an unknown price against the balance", async () => {
  const simulator = await startForTest({ balance: "20.00" });
  const stack = await createStack({
    ...on,
    simulator,
    program: withLaterQuantity({ maxPrice: 20.01 }),
  });
  expect(await stack.fail("preview")).toContain(
    "come to up to 20.01 USD, but the balance is 20.00 USD",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("accepts a country, and proxies to extend, that are unknown at preview", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(
      laterValue("place", "DEU"),
      order("usa", { country: output("place.value"), quantity: 2 }),
      autoExtension("keep", "usa"),
    ),
  });
  const plan = await stack.plan();
  expect(plan.inputs("usa").quote).toMatchObject({ effect: "unknown" });
  await stack.succeed("up");

  expect(spendingOf(simulator)).toEqual(ordered("2.94"));
  expect(simulator.orders()).toMatchObject([{ country: "DEU", quantity: 2 }]);
  expect(simulator.proxies().map((proxy) => proxy.autoExtend)).toEqual([true, true]);
  expect(await stack.succeed("up", "--refresh")).toContain("unchanged");
  expect(simulator.requestCounts()).toMatchObject({ createOrder: 1, setAutoExtension: 1 });
});
