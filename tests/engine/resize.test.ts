import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, autoExtension, order, program } = writerFor("plugin");

const fleet = (quantity: number) =>
  program(order("usa", { quantity }), autoExtension("keep", "usa"));

it("buys the difference when it grows, lets the surplus go, and takes it back for nothing", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: fleet(5) });
  await stack.succeed("up");
  const renewing = () => simulator.proxies().filter((proxy) => proxy.autoExtend).length;
  const held = async () => (await stack.state()).find("usa")?.outputs;

  await stack.rewrite(fleet(8));
  const grown = await stack.plan("--save-plan", "plan.json");
  expect(grown.messages).toContain(
    "buys 3 IPv4 proxies in USA for 30 days, to make 8, for 4.20 USD",
  );
  expect(grown.inputs("usa").quote).toMatchObject({
    ...{ effect: "topUp", quantity: 3, price: 4.2 },
    owned: { quantity: 5, price: 7 },
  });
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.succeed("up", "--plan", "plan.json");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.20"));
  expect((await held())?.proxies).toHaveLength(8);
  expect(renewing()).toBe(8);
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 3 });

  await stack.rewrite(fleet(6));
  expect(await stack.succeed("up")).toContain("let 2 IPv4 proxies in USA go");
  expect(renewing()).toBe(6);
  expect(await held()).toMatchObject({ quantity: 6, released: [{}, {}] });
  const urls = (await held())?.urls;
  expect(urls).toBeDefined();

  await stack.rewrite(fleet(9));
  const plan = await stack.plan("--refresh");
  expect(plan.inputs("usa").quote).toMatchObject({ effect: "topUp", quantity: 1, price: 1.4 });
  expect(plan.messages).toContain("takes back 2 IPv4 proxies in USA");
  await stack.succeed("up", "--refresh");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.20", "1.40"));
  expect(renewing()).toBe(9);
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 3 });

  await stack.succeed("destroy");
  expect(renewing()).toBe(0);
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.20", "1.40"));
});

it("refuses a top-up above its cap or its previewed price, and keeps its proxies", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  await stack.rewrite(program(order("usa", { quantity: 8, maxPrice: 4.19 })));
  expect(await stack.fail("preview")).toContain("above the 4.19 USD that is allowed");
  await stack.rewrite(program(order("usa", { quantity: 8 })));
  await stack.succeed("preview");
  simulator.setPriceFactor("IPv4", "1.01");
  expect(await stack.fail("up", "--skip-preview")).toContain("PRICE_ROSE");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect((await stack.state()).find("usa")?.outputs.quantity).toBe(5);
});

it("replaces expired proxies of an order, at the plan's price", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const simulator = await startForTest({ now: () => now });
  const stack = await createStack({
    ...on,
    simulator,
    machineClock: () => now,
    program: program(order("usa")),
  });
  await stack.succeed("up");
  now = new Date("2026-03-20T12:00:00Z");
  await stack.rewrite(program(order("usa", { quantity: 8 })));
  await stack.succeed("up");

  now = new Date("2026-03-31T12:00:01Z");
  const plan = await stack.plan("--refresh");
  expect(plan.op("usa")).toBe("update");
  expect(plan.inputs("usa").quote).toMatchObject({
    ...{ effect: "topUp", quantity: 5, price: 7 },
    owned: { quantity: 3, price: 4.2 },
  });
  await stack.succeed("up", "--refresh");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.20", "7.00"));
  expect((await stack.state()).find("usa")?.outputs.proxies).toHaveLength(8);
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 2 });
});
