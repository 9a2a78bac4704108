import { expect, inject, it } from "vitest";
import { isAtLeast } from "../../../toolchain/version.ts";
import { startForTest } from "../../simulator/start.ts";
import { nothingSpent, spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

/** The CLI that can work without a stack, at the provider itself. */
const firstWithStateless = "3.259.0";

const plugin = "./node_modules/.bin/pulumi-resource-proxyrental";

it.skipIf(!isAtLeast(inject("pulumiVersion"), firstWithStateless))(
  "`pulumi do` lists orders, and buys nothing outside a stack",
  async () => {
    const simulator = await startForTest();
    const held = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;
    const { orderNumber } = simulator.placeForeignOrder(held);
    const before = spendingOf(simulator);
    const stack = await createStack({ simulator, runtime: "yaml", program: "outputs: {}" });
    const order = (words: string) =>
      stack.shell(`pulumi do --package ${plugin} proxyrental:index:ProxyOrder ${words}`, {});

    const listed = await order("list --country USA");
    expect(JSON.parse(listed.stdout)).toEqual([{ id: orderNumber, name: `usa-${orderNumber}` }]);

    const wanted = "--proxyType IPv4 --country USA --quantity 5 --rentPeriodDays 30 --goal test";
    const refused = await order(`create --stateless --yes ${wanted}`);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.text).toContain("STACK_REQUIRED: a resource without a stack buys nothing");
    expect(spendingOf(simulator)).toEqual(before);
    expect(before).toEqual({ ...nothingSpent, charges: before.charges });
  },
);
