import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { isAtLeast } from "../../../toolchain/version.ts";
import { startForTest } from "../../simulator/start.ts";
import { spendingOf } from "../../support/spending.ts";
import { createStack } from "../../support/stack.ts";

/** Older ones have no `pulumi do`, or one with other flags. */
const firstTried = "3.259.0";

const plugin = "./node_modules/.bin/pulumi-resource-proxyrental";

it.skipIf(!isAtLeast(inject("pulumiVersion"), firstTried))(
  "`pulumi do` lists orders, and buys nothing outside a stack",
  async () => {
    const simulator = await startForTest();
    const held = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;
    const { orderNumber } = simulator.placeForeignOrder(held);
    const before = spendingOf(simulator);
    const stack = await createStack({ simulator, runtime: "yaml", program: "outputs: {}" });
    const order = (words: string) =>
      stack.shell(`pulumi do --package ${plugin} proxyrental:index:ProxyOrder ${words}`, {});

    const listed = await order("list --proxy-type IPv4 --country USA");
    expect(JSON.parse(listed.stdout)).toEqual([{ id: orderNumber, name: `usa-${orderNumber}` }]);

    const args = { ...held, goal: "test" };
    const lines = Object.entries(args).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    await writeFile(join(stack.folder, "order.pp"), lines.join("\n"));
    const refused = await order("create --stateless --yes --input pcl --input-file order.pp");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.text).toContain("STACK_REQUIRED: a resource without a stack buys nothing");
    expect(spendingOf(simulator)).toEqual(before);
  },
);
