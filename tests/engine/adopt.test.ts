import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PricedItem, Simulator } from "../../simulator/index.ts";
import { type Outcome, runCli } from "../cli/command.ts";
import { startForTest } from "../simulator/start.ts";
import { spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";

const items = [
  { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 },
  { proxyType: "IPv4", country: "JPN", quantity: 4, rentPeriodDays: 90 },
  { proxyType: "IPv6", country: "NLD", quantity: 3, rentPeriodDays: 90 },
  { proxyType: "IPv6", country: "FRA", quantity: 2, rentPeriodDays: 180 },
  { proxyType: "MOBILE", country: "DEU", quantity: 1, rentPeriodDays: 30 },
  { proxyType: "ISP", country: "GBR", quantity: 2, rentPeriodDays: 60 },
] as const satisfies PricedItem[];

/** Runs the tool on the account of a simulator, with the journals of a stack. */
async function adopt(
  { baseUrl, apiKey }: Simulator,
  { journalDir }: Stack,
  ...flags: string[]
): Promise<Outcome> {
  const env = {
    PROXYRENTAL_BASE_URL: baseUrl,
    PROXYRENTAL_API_KEY: apiKey,
    PROXYRENTAL_JOURNAL_DIR: journalDir,
  };
  return runCli(["adopt", ...flags], { env, isProcess: true });
}

/** What no takeover may change about the proxies. */
function flagsOf(simulator: Simulator) {
  return simulator.proxies().map(({ ipAddressId, autoExtend, extendDays, dateEnd }) => ({
    ...{ ipAddressId, autoExtend, extendDays, dateEnd },
  }));
}

it("adopts a whole account with the program that it writes: no purchase, no switch, no later change", async () => {
  const simulator = await startForTest();
  const [usa, jpn, nld, fra, deu, gbr] = items.map((item) => simulator.placeForeignOrder(item));
  if (!usa || !jpn || !nld || !fra || !deu || !gbr) throw new Error("there are six orders");
  simulator.setAutoExtension(usa.ipAddressIds, true, 60);
  simulator.setAutoExtension(jpn.ipAddressIds.slice(0, 1), true, 30);
  simulator.setAutoExtension(jpn.ipAddressIds.slice(2), true, 90);
  simulator.setAutoExtension(nld.ipAddressIds, true, 90);
  // No IpAutoExtend can declare these flags. They must stay as they are all the same.
  simulator.setAutoExtension(fra.ipAddressIds.slice(1), true, 90);
  simulator.setAutoExtension(gbr.ipAddressIds, true, 45);
  const flags = flagsOf(simulator);
  const bought = spendingOf(simulator);

  const stack = await createStack({ simulator, program: "" });
  const { stdout, exitCode } = await adopt(simulator, stack);
  expect(exitCode).toBe(0);
  await stack.rewrite(stdout);
  const plan = await stack.plan();
  expect(plan.changes).toEqual({ create: 11 });
  for (const [name, { quantity }] of [
    [`usa-${usa.orderId}`, usa],
    [`deu-${deu.orderId}`, deu],
    [`gbr-${gbr.orderId}`, gbr],
  ] as const) {
    expect(plan.inputs(name).quote).toMatchObject({ effect: "adopt", price: 0, quantity });
  }
  await stack.succeed("up");
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 11 });
  expect(await stack.succeed("up", "--refresh")).toContain("11 unchanged");
  expect(flagsOf(simulator)).toEqual(flags);
  expect(simulator.requestCounts()).toMatchObject({ setAutoExtension: 0, calculateOrder: 0 });
  expect(spendingOf(simulator)).toEqual(bought);

  // The tool leaves out what the stack already has.
  const state = join(stack.folder, "state.json");
  await stack.run("stack export", "--file", state);
  expect(await adopt(simulator, stack, "--state", state)).toMatchObject({
    exitCode: 0,
    stdout: "",
  });

  await stack.succeed("destroy");
  expect(simulator.proxies().filter(({ autoExtend }) => autoExtend)).toEqual([]);
  expect(simulator.proxies().map(({ dateEnd }) => dateEnd)).toEqual(
    flags.map(({ dateEnd }) => dateEnd),
  );
  expect(spendingOf(simulator)).toEqual(bought);
});

it("a program that it wrote survives renewals and ends, and buys nothing by itself", async () => {
  const simulator = await startForTest();
  const [kept, ended] = [items[0], items[1]].map((item) => simulator.placeForeignOrder(item));
  simulator.setAutoExtension(kept?.ipAddressIds ?? [], true, 30);
  // One proxy of this order has ended already.
  simulator.expireProxies(ended?.ipAddressIds.slice(1, 2) ?? []);
  const stack = await createStack({ simulator, program: "", machineClock: () => simulator.now() });
  await stack.rewrite((await adopt(simulator, stack)).stdout);
  await stack.succeed("up");

  simulator.advance({ days: 89 });
  expect(await stack.succeed("up", "--refresh")).toContain("4 unchanged");
  simulator.advance({ days: 2 });
  // One order has ended. Naming it is refused, and so nothing is bought in its place.
  const text = await stack.fail("up", "--refresh");
  expect(text).toContain(`names order ${ended?.orderId}`);
  await stack.rewrite((await adopt(simulator, stack)).stdout);
  expect(await stack.succeed("up", "--refresh")).toContain("3 unchanged");
  expect(spendingOf(simulator)).toEqual({
    ...{ orderCalls: 0, extendCalls: 0 },
    charges: ["7.00", "20.75", "7.00", "7.00", "7.00"],
  });
});

it("writes a program that runs unchanged in a folder of its own", async () => {
  const simulator = await startForTest();
  simulator.placeForeignOrder(items[0]);
  const stack = await createStack({ simulator, program: "" });
  const out = join(stack.folder, "adopted.ts");
  expect((await adopt(simulator, stack, "--out", out)).exitCode).toBe(0);
  await writeFile(join(stack.folder, "index.ts"), 'import "./adopted.ts";\n');
  expect(await stack.succeed("up")).toContain("2 created");
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges: ["7.00"] });
});
