import { expect, it } from "vitest";
import type { Cost } from "../../cli/cost/planned-cost.ts";
import type { Simulator } from "../../simulator/index.ts";
import { runCli } from "../cli/command.ts";
import { startForTest } from "../simulator/start.ts";
import { output } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { findLeaks, secretsOf } from "../support/secrecy.ts";
import { spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";

const { on, autoExtension, extension, laterValue, order, program, urnOf } = writerFor("plugin");

const now = () => new Date("2026-03-01T12:00:00Z");

/** Pipes a preview of the real CLI into the command. */
async function costOf(stack: Stack, simulator: Simulator, flags: string[], ...options: string[]) {
  const { stdout: input } = await stack.run("preview --json", ...options);
  const outcome = await runCli(["cost", "-", ...flags], { input });
  const said = outcome.stdout + outcome.stderr;
  expect(findLeaks(secretsOf(simulator), [["cost", said]])).toEqual([]);
  expect(said).not.toContain("__provider");
  return outcome;
}

async function readCost(stack: Stack, simulator: Simulator, ...options: string[]): Promise<Cost> {
  const { stdout, stderr } = await costOf(stack, simulator, ["--json"], ...options);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** What has been charged so far, in cents. */
function charged(simulator: Simulator): number {
  const { charges } = spendingOf(simulator);
  return charges.reduce((sum, charge) => sum + Math.round(Number(charge) * 100), 0);
}

const replaceable = { allowReplacement: true };

it("sums up what up then pays: bought, grown, replaced, extended, renewed, adopted, let go", async () => {
  const simulator = await startForTest({ now });
  const byHand = simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "GBR", quantity: 3, rentPeriodDays: 30 },
  });
  const stack = await createStack({
    ...on,
    simulator,
    program: program(
      ...[order("grown"), order("moved", replaceable), order("kept"), order("gone")],
      autoExtension("off", "kept"),
      autoExtension("never", "gone", { autoExtend: false }),
    ),
  });
  const first = await readCost(stack, simulator);
  expect(first.renewals).toMatchObject([{ name: "off", isEnding: false }]);
  expect(first.sums).toEqual([{ currency: "USD", price: 28, atMost: 28 }]);
  const adoptable = charged(simulator);
  await stack.succeed("up");
  expect(charged(simulator) - adoptable).toBe(2800);

  await stack.rewrite(
    program(
      ...[order("grown", { quantity: 8 }), order("moved", { ...replaceable, country: "DEU" })],
      ...[order("kept"), order("fresh", { country: "GBR", quantity: 1 })],
      order("adopted", { country: "GBR", quantity: 3, adoptOrderNumber: byHand.orderId }),
      extension("through", "kept", "2026-05-15"),
      autoExtension("keep", "kept"),
    ),
  );
  const before = charged(simulator);
  const cost = await readCost(stack, simulator, "--refresh", "--show-sames");
  const said = cost.purchases.map(({ name, action, price }) => [
    name,
    action,
    "amount" in price ? price.amount : 0,
  ]);
  expect(said.toSorted()).toEqual([
    ["adopted", "takeOver", 0],
    ["fresh", "buy", 1.54],
    ["gone", "letGo", 0],
    ["grown", "grow", 4.2],
    ["moved", "replace", 7.35],
    ["through", "extend", 14],
  ]);
  expect(cost.renewals).toMatchObject([
    { name: "keep", pricePerCycle: 7, isEnding: false },
    { name: "off", isEnding: true },
  ]);
  expect(cost).toMatchObject({
    sums: [{ currency: "USD", price: 27.09, atMost: 27.09 }],
    unpriced: [],
    balance: { currency: "USD", after: cost.balance && cost.balance.before - 27.09 },
    monthly: {
      held: [{ currency: "USD", before: 28, after: 27.09 }],
      renewing: [{ before: 7, after: 7 }],
      unrated: ["adopted"],
    },
    hiddenCount: 0,
  });
  expect(cost.purchases.every(({ isUnexplained }) => !isUnexplained)).toBe(true);

  await stack.succeed("up", "--refresh");
  expect(charged(simulator) - before).toBe(2709);
  expect(cost.balance?.after).toBe(Number(simulator.balance()));
  expect(await readCost(stack, simulator)).toMatchObject({ purchases: [], renewals: [], sums: [] });

  const renewing = simulator.proxies().filter(({ autoExtend }) => autoExtend);
  const ids = renewing.map(({ ipAddressId }) => ipAddressId);
  simulator.setAutoExtension(ids, false);
  expect(await readCost(stack, simulator, "--refresh")).toMatchObject({
    renewals: [{ name: "keep", isEnding: false }],
    monthly: { renewing: [{ before: 0, after: 7 }] },
  });
});

it("compares a plan with a limit, and names what has no price or only a cap", async () => {
  const simulator = await startForTest();
  const quantity = output("later.value");
  const capped = [laterValue("later", 3), order("capped", { quantity, maxPrice: 5 })];
  const stack = await createStack({ ...on, simulator, program: program(order("usa"), ...capped) });
  expect(await costOf(stack, simulator, ["--fail-above", "12"])).toMatchObject({ exitCode: 0 });
  const above = await costOf(stack, simulator, ["--fail-above", "11.99"]);
  expect(above.exitCode).toBe(2);
  expect(above.stdout).toContain("This run spends 7.00 USD, at most 12.00 USD.");

  await stack.rewrite(program(...capped, order("open", { quantity })));
  const open = await costOf(stack, simulator, ["--fail-above", "1000"]);
  expect(open.exitCode).toBe(2);
  expect(open.stdout).toContain("Balance: 1000.00 USD before, at most 1000.00 USD after.");
  expect(open.stdout).toContain("No price yet, and no maxPrice to count instead: open.");
  expect(charged(simulator)).toBe(0);
});

it("reports a replacement that no argument asks for, with and without a refresh", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa", replaceable)),
  });
  await stack.succeed("up");
  const urn = urnOf("usa");
  const told = ["--target-replace", urn];
  const unexplained = {
    purchases: [{ name: "usa", action: "replace", isUnexplained: true }],
    sums: [{ price: 7 }],
  };
  // Right after the purchase, a replacement would take its order over and pay nothing.
  expect(await readCost(stack, simulator, ...told)).toMatchObject({
    purchases: [{ name: "usa", action: "takeOver", isUnexplained: false }],
  });
  expect(await readCost(stack, simulator, "--refresh", ...told)).toMatchObject(unexplained);
  // The journal knows the order, but without a refresh the engine does not show it to the provider.
  expect(await stack.fail("preview", ...told)).toContain("run with --refresh");
  await stack.succeed("state taint", urn, "--yes");
  expect(await readCost(stack, simulator, "--refresh")).toMatchObject(unexplained);
  expect(charged(simulator)).toBe(700);
});

it("ends with 1 if the preview failed, and repeats nothing of the engine's text", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...on,
    simulator,
    program: program(order("usa", { country: "hush-hush" })),
  });
  const { stdout: input } = await stack.run("preview --json");
  expect(input).toContain("hush-hush");
  const { exitCode, stdout, stderr } = await runCli(["cost", "-"], { input });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("the preview in standard input has failed at usa, so what");
  expect(stderr).not.toContain("hush-hush");
});

it("ends with 1 if the refresh of a preview failed, and says where", async () => {
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: program(order("usa")) });
  await stack.succeed("up");
  stack.setEnv({ PROXYRENTAL_BASE_URL: "http://127.0.0.1:9" });
  const { stdout: input } = await stack.run("preview --json --refresh");
  const { exitCode, stdout, stderr } = await runCli(["cost", "-"], { input });
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("the preview in standard input has failed at usa, so what");
});
