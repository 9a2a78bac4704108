import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkoutDir } from "../../toolchain/project.ts";
import { startForTest } from "../simulator/start.ts";
import { spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";

/** The repository as a clone has it, less what the example does not need. */
async function copyCheckout(folder: string): Promise<void> {
  for (const name of ["Pulumi.yaml", "package.json", "dist", "examples"]) {
    await cp(join(checkoutDir, name), join(folder, name), { recursive: true });
  }
  await symlink(join(checkoutDir, "node_modules"), join(folder, "node_modules"));
}

it("runs the example of the repository by the repository's own Pulumi.yaml, which reads before it plans", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ simulator, program: "", fill: copyCheckout });
  const plan = await stack.plan();
  expect(plan.changes.create).toBe(6);
  await stack.succeed("up");
  const { orderCalls, charges } = spendingOf(simulator);
  expect(orderCalls).toBe(4);
  expect(charges.toSorted()).toEqual(["4.56", "44.10", "7.00", "7.35"]);
  simulator.resetRequestCounts();

  expect(await stack.succeed("up")).toContain("6 unchanged");
  expect(simulator.requestCounts()).toMatchObject({ calculateOrder: 0, createOrder: 0 });
  expect(simulator.requestCounts().listProxies).toBeGreaterThan(0);
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges });
});
