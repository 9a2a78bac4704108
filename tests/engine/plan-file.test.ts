import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { output } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

const { on, autoExtension, laterValue, order, program } = writerFor("plugin");

it("buys by a saved plan if nothing has changed", async () => {
  const simulator = await startForTest();
  const text = program(
    order("usa"),
    order("deu", { country: "DEU" }),
    autoExtension("keep", "usa"),
  );
  const stack = await createStack({ ...on, simulator, program: text });
  await stack.succeed("preview", "--save-plan", "plan.json");
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up", "--plan", "plan.json");
  const { orderCalls, charges } = spendingOf(simulator);
  expect([orderCalls, charges.toSorted()]).toEqual([2, ["7.00", "7.35"]]);
  expect(simulator.proxies().filter((proxy) => proxy.autoExtend)).toHaveLength(5);
});

it("buys by a saved plan although a preview of another branch has shown something else since", async () => {
  const simulator = await startForTest();
  const approved = program(order("usa"));
  const stack = await createStack({ ...on, simulator, program: approved });
  await stack.succeed("preview", "--save-plan", "plan.json");
  await stack.rewrite(program(order("deu", { country: "DEU" })));
  await stack.succeed("preview");
  await stack.rewrite(approved);
  await stack.succeed("up", "--skip-preview", "--plan", "plan.json");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("is refused by the engine before any purchase if the price changed after the plan was saved", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("preview", "--save-plan", "plan.json");
  simulator.setPriceFactor("IPv4", "1.01");

  const text = await stack.fail("up", "--plan", "plan.json");
  expect(text).toMatch(/violates plan: properties changed: \S*quote/);
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("binds a further order of a paid fleet as it binds the first", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");

  await stack.rewrite(program(order("usa"), order("gbr", { country: "GBR" })));
  await stack.succeed("preview", "--save-plan", "plan.json");
  simulator.setPriceFactor("IPv4", "1.01");
  expect(await stack.fail("up", "--plan", "plan.json")).toContain("violates plan");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  simulator.setPriceFactor("IPv4", "1");
  await stack.succeed("up", "--plan", "plan.json");
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "7.70"));
});

it("is refused if another purchase changed the balance, unless the quotes leave the balance out", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  const elsewhere = { proxyType: "ISP", country: "USA", quantity: 1, rentPeriodDays: 30 } as const;
  await stack.succeed("preview", "--save-plan", "plan.json");
  simulator.placeForeignOrder(elsewhere);
  expect(await stack.fail("up", "--plan", "plan.json")).toContain("violates plan");
  expect(spendingOf(simulator)).toMatchObject({ orderCalls: 0, charges: ["2.30"] });

  stack.setEnv({ PROXYRENTAL_SHOW_BALANCE: "false" });
  const text = await stack.succeed("preview", "--save-plan", "plan.json");
  expect(text).not.toContain("balance");
  simulator.placeForeignOrder(elsewhere);
  await stack.succeed("up", "--plan", "plan.json");
  expect(spendingOf(simulator)).toMatchObject({ orderCalls: 1, charges: ["2.30", "2.30", "7.00"] });
});

it("refuses a saved plan without a price, even if it has a cap", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(
      laterValue("size", 3),
      order("usa", { quantity: output("size.value"), maxPrice: 5 }),
    ),
  });
  await stack.succeed("preview", "--save-plan", "plan.json");
  expect(await stack.fail("up", "--plan", "plan.json")).toMatch(
    /violates plan: properties changed: \S*quote/,
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("never buys above the price that the preview of the same run showed", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa", { maxPrice: 7 })),
  });
  await stack.succeed("preview");
  simulator.setPriceFactor("IPv4", "1.01");
  expect(await stack.fail("up")).toContain(
    "the price is 7.07 USD, above the 7.00 USD that is allowed",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});
