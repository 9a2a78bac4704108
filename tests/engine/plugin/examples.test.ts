import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Simulator } from "../../../simulator/index.ts";
import { checkoutDir, makeProject } from "../../../toolchain/project.ts";
import { startForTest } from "../../simulator/start.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { createStack, type Stack } from "../../support/stack.ts";
import { encrypted } from "../../support/stack-documents.ts";

const fixedTime = { now: () => new Date("2026-03-01T12:00:00Z") };

/** Makes a stack of a YAML example. npm has installed the package, and only the stack's settings name the account. */
async function openExample(
  name: string,
  simulator: Simulator,
  edit: (text: string) => string = (text) => text,
): Promise<Stack> {
  const text = await readFile(join(checkoutDir, "examples", name, "Pulumi.yaml"), "utf8");
  const stack = await createStack({
    simulator,
    program: "",
    fill: (folder) => makeProject(folder, { "Pulumi.yaml": edit(text) }),
    env: { PROXYRENTAL_BASE_URL: "", PROXYRENTAL_API_KEY: "" },
  });
  await stack.succeed("config set", "proxyrental:baseUrl", simulator.baseUrl);
  await stack.succeed("config set --secret", "proxyrental:apiKey", simulator.apiKey);
  return stack;
}

async function outputsOf(stack: Stack): Promise<Record<string, unknown>> {
  const { resources } = await stack.state();
  return resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
}

it("runs examples/yaml-fleet: two orders at the plan's price, one with automatic extension", async () => {
  const simulator = await startForTest(fixedTime);
  const stack = await openExample("yaml-fleet", simulator);
  const plan = await stack.plan();
  expect(plan.changes).toEqual({ create: 4 });
  const prices = ["crawlers-usa", "prices-deu"].map((name) => plan.inputs(name).quote);
  expect(prices).toMatchObject([{ price: 7 }, { price: 4.83 }]);
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up");
  expect(spendingOf(simulator).charges.toSorted()).toEqual(["4.83", "7.00"]);
  expect(spendingOf(simulator).orderCalls).toBe(2);
  expect((await stack.state()).find("default")?.inputs).toMatchObject({ apiKey: encrypted });
  const extended = simulator.proxies().filter(({ autoExtend }) => autoExtend);
  expect(extended.map(({ country }) => country)).toEqual(["DEU", "DEU"]);
  expect(await outputsOf(stack)).toMatchObject({
    balanceBefore: 1000,
    paidUntil: expect.stringMatching(/^2026-03-31/),
    nextExtensionCosts: 4.83,
    crawlerUrls: encrypted,
    priceUrls: encrypted,
  });

  await stack.succeed("destroy");
  expect(simulator.proxies().some(({ autoExtend }) => autoExtend)).toBe(false);
  expect(spendingOf(simulator).orderCalls).toBe(2);
});

it("runs examples/yaml-paid-through: the order and the periods up to the date, for no more than the plan", async () => {
  const simulator = await startForTest(fixedTime);
  const stack = await openExample("yaml-paid-through", simulator);
  await stack.succeed("config set", "through", "2026-05-15");
  const plan = await stack.plan();
  expect(plan.inputs("campaign").quote).toMatchObject({ effect: "buy", price: 7 });
  expect(plan.inputs("campaign-through").quote).toMatchObject({ priceAtMost: 30 });
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  const paid = { orderCalls: 1, extendCalls: 2, charges: ["7.00", "7.00", "7.00"] };
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(paid);
  expect(await outputsOf(stack)).toMatchObject({
    paidUntil: expect.stringMatching(/^2026-05-30/),
    extensionsPaid: [{ price: 7 }, { price: 7 }],
  });
  expect(await stack.succeed("up")).toContain("3 unchanged");
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual(paid);
});

it("runs examples/yaml-imported-order: an order bought by hand is imported, and nothing is bought", async () => {
  const simulator = await startForTest(fixedTime);
  const byHand = simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 },
  });
  const { charges } = spendingOf(simulator);
  const nothingMore = { ...nothingSpent, charges };
  const stack = await openExample("yaml-imported-order", simulator, (text) =>
    text.replace('"123456"', JSON.stringify(byHand.orderId)),
  );
  const plan = await stack.plan();
  expect(plan.op("bought-by-hand")).toBe("import");

  await stack.succeed("up");
  expect(await outputsOf(stack)).toMatchObject({
    paidUntil: expect.stringMatching(/^2026-03-31/),
    urls: encrypted,
  });
  expect(await stack.succeed("up")).toContain("2 unchanged");
  // An import records what it has found. The next run records what the program adds.
  expect((await stack.state()).find("bought-by-hand")).toMatchObject({
    id: byHand.orderId,
    inputs: { quantity: 3, goal: "price comparison" },
  });
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual(nothingMore);
});
