import { expect, it } from "vitest";
import { runCli } from "../../cli/command.ts";
import { startForTest } from "../../simulator/start.ts";
import { writerFor } from "../../support/program-writer.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

const { on, order, program } = writerFor("plugin");

const pack = ["--policy-pack", "node_modules/pulumi-proxyrental/policy"];

it("the policy pack stops a YAML program's order above its cap, at preview and at an up without one", async () => {
  const simulator = await startForTest();
  const dear = program(order("dear", { quantity: 100 }));
  const stack = await createStack({ ...on, simulator, program: dear });
  for (const command of ["preview", "up"]) {
    const refusal = await stack.fail(command, ...pack);
    expect(refusal).toContain("max-order-price");
    expect(refusal).toContain("dear: this purchase costs");
  }
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("`pulumi-proxyrental cost` sums up a YAML program's preview", async () => {
  const simulator = await startForTest();
  const two = program(order("one"), order("other", { country: "DEU", quantity: 3 }));
  const stack = await createStack({ ...on, simulator, program: two });
  const { stdout: input } = await stack.run("preview --json");
  const { stdout } = await runCli(["cost", "-", "--json"], { input });
  const cost = JSON.parse(stdout);
  expect(cost.purchases.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    ...["one", "other"],
  ]);
  await stack.succeed("up");
  const charged = spendingOf(simulator).charges.map(Number);
  expect(cost.sums[0].price).toBeCloseTo(charged.reduce((sum, price) => sum + price, 0));
});

it("a provider with settings unknown before up plans without a price, and up asks every gate", async () => {
  const simulator = await startForTest();
  const later = (args: object) => `
resources:
  first: { type: "proxyrental:ProxyOrder", properties: ${JSON.stringify({
    ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30, goal: "prices" },
  })} }
  late:
    type: pulumi:providers:proxyrental
    properties: { foreignOrders: "\${first.orderNumber}" }
  web:
    type: proxyrental:ProxyOrder
    properties: ${JSON.stringify({
      ...{ proxyType: "IPv4", country: "DEU", quantity: 5, rentPeriodDays: 30, goal: "prices" },
      ...args,
    })}
    options: { provider: "\${late}" }
`;
  const stack = await createStack({ ...on, simulator, program: later({ maxPrice: 1 }) });
  await stack.succeed("preview");
  expect(await stack.fail("up")).toContain("above the 1.00 USD that is allowed");
  expect(spendingOf(simulator).charges).toEqual(["1.40"]);
  await stack.rewrite(later({ maxPrice: 10 }));
  await stack.succeed("up");
  expect(spendingOf(simulator).charges).toHaveLength(2);
});
