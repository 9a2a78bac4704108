import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import type { UndiciProxy } from "../../sdk/index.ts";
import type { Simulator } from "../../simulator/index.ts";
import { checkoutDir } from "../../toolchain/project.ts";
import { startForTest } from "../simulator/start.ts";
import { startPage } from "../support/forwarders.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";
import { encrypted, type Plan } from "../support/stack-documents.ts";

/** Copies what the example needs of a clone of the repository. */
async function copyCheckout(folder: string): Promise<void> {
  for (const name of ["Pulumi.yaml", "package.json", "dist", "examples"]) {
    await cp(join(checkoutDir, name), join(folder, name), { recursive: true });
  }
  await symlink(join(checkoutDir, "node_modules"), join(folder, "node_modules"));
}

/** Copies an example into a folder, with the package in the folder above, as in a clone of the repository. */
function copyExample(name: string): (folder: string) => Promise<void> {
  return async (folder) => {
    await cp(join(checkoutDir, "examples", name), folder, { recursive: true });
    for (const needed of ["package.json", "dist"]) {
      await cp(join(checkoutDir, needed), join(folder, "..", needed), { recursive: true });
    }
    await symlink(join(checkoutDir, "node_modules"), join(folder, "..", "node_modules"));
  };
}

/** The outputs of the stack, as the engine keeps them. */
async function outputsOf(stack: Stack): Promise<Record<string, unknown>> {
  const { resources } = await stack.state();
  return resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
}

/** Plans and runs an example. A second run must change nothing. */
async function runExample(
  name: string,
  simulator: Simulator,
): Promise<{ stack: Stack; plan: Plan }> {
  const stack = await createStack({ simulator, program: "", fill: copyExample(name) });
  const plan = await stack.plan();
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  await stack.succeed("up");
  const { charges } = spendingOf(simulator);
  expect(await stack.succeed("up")).toMatch(/Resources:\n +\d+ unchanged/);
  expect(spendingOf(simulator)).toEqual({ orderCalls: charges.length, extendCalls: 0, charges });
  return { stack, plan };
}

it("runs the repository's example with its own Pulumi.yaml, which refreshes before it plans", async () => {
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

it("runs examples/fleet-by-country: an order and an extension for each country", async () => {
  const simulator = await startForTest();
  const { stack, plan } = await runExample("fleet-by-country", simulator);
  expect(plan.changes).toEqual({ create: 6 });
  const prices = ["prices-USA", "prices-DEU"].map((name) => plan.inputs(name).quote);
  expect(prices).toMatchObject([{ price: 6.9 }, { price: 4.83 }]);
  expect(spendingOf(simulator).charges.toSorted()).toEqual(["4.83", "6.90"]);
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
  expect(await outputsOf(stack)).toMatchObject({ germanAddresses: [{}, {}], list: encrypted });
});

it("runs examples/mobile-rotation: the operator that rotates fastest", async () => {
  const simulator = await startForTest();
  const { stack, plan } = await runExample("mobile-rotation", simulator);
  const fastest = { country: "POL", mobileOperator: "orange", rotationTime: 120 };
  expect(plan.inputs("phone")).toMatchObject(fastest);
  expect(simulator.orders()).toMatchObject([fastest]);
  expect(spendingOf(simulator).orderCalls).toBe(1);
  expect(await outputsOf(stack)).toMatchObject({ operator: "orange", browserProxies: encrypted });
});

it("runs examples/growing-fleet: a higher setting buys the difference, a lower one lets proxies go", async () => {
  const simulator = await startForTest();
  const { stack } = await runExample("growing-fleet", simulator);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.succeed("config set", "quantity", "8");
  expect((await stack.plan()).inputs("crawlers").quote).toMatchObject({ price: 4.2, quantity: 3 });
  await stack.succeed("up");
  await stack.succeed("config set", "quantity", "4");
  await stack.succeed("up");
  expect(await outputsOf(stack)).toMatchObject({
    held: 4,
    letGo: 4,
    orders: [/: 5$/, /: 3$/].map((end) => expect.stringMatching(end)),
  });
  await stack.succeed("config set", "quantity", "8");
  await stack.succeed("up");
  expect(await outputsOf(stack)).toMatchObject({ held: 8, letGo: 0 });
  expect(spendingOf(simulator)).toEqual(ordered("7.00", "4.20"));
});

it("runs examples/paid-through: extends only what ends too early, and a date already reached costs nothing", async () => {
  const simulator = await startForTest({ now: () => new Date("2026-03-01T12:00:00Z") });
  const stack = await createStack({ simulator, program: "", fill: copyExample("paid-through") });
  await stack.succeed("config set", "through", "2026-03-30");
  expect((await stack.plan()).inputs("campaign-through").quote).toMatchObject({
    ...{ effect: "unknown", priceAtMost: 30 },
  });
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  await stack.succeed("config set", "through", "2026-05-15");
  const { quote } = (await stack.plan()).inputs("campaign-through");
  expect(quote).toMatchObject({ effect: "extend", quantity: 5, price: 14 });
  await stack.succeed("up");
  expect(spendingOf(simulator)).toEqual({
    ...{ orderCalls: 1, extendCalls: 2, charges: ["7.00", "7.00", "7.00"] },
  });
  expect(await stack.succeed("up")).toContain("3 unchanged");
  expect((await outputsOf(stack)).paidUntil).toContain("2026-05-30");
});

it("runs examples/adopted-order: an order bought by hand is adopted, and nothing is bought", async () => {
  const simulator = await startForTest();
  const byHand = simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "USA", quantity: 3, rentPeriodDays: 30 },
  });
  const { charges } = spendingOf(simulator);
  const stack = await createStack({ simulator, program: "", fill: copyExample("adopted-order") });
  await stack.succeed("config set", "order", byHand.orderId);
  expect((await stack.plan()).inputs("bought-by-hand").quote).toMatchObject({ effect: "adopt" });
  await stack.succeed("up");
  expect(await stack.succeed("up")).toContain("3 unchanged");
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges });
  expect(simulator.proxies().every((proxy) => proxy.autoExtend)).toBe(true);
});

it("runs examples/fetch-through: each proxy is used with its own login", async () => {
  const simulator = await startForTest({ live: true });
  const { stack } = await runExample("fetch-through", simulator);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  const page = await startPage("the page");
  const asked = "stack output proxies --json --show-secrets";
  const input = (await stack.run(asked)).stdout;
  const given: UndiciProxy[] = JSON.parse(input);
  expect(given.map(({ uri }) => uri)).toEqual(
    simulator.proxies().map(({ httpsPort }) => `http://127.0.0.1:${httpsPort}`),
  );
  const read = (proxies: string) =>
    execa(process.execPath, ["read-through.ts", page], { cwd: stack.folder, input: proxies });
  expect((await read(input)).stdout.split("\n")).toEqual(
    given.map(({ uri }) => `${uri} 200 the page`),
  );

  const [first, second] = given;
  await expect(read(JSON.stringify([{ ...first, token: second?.token }]))).rejects.toThrow("407");
});
