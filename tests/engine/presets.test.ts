import { expect, it } from "vitest";
import type { PresetName, Simulator } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { createStack, type Stack } from "../support/stack.ts";

const { on, autoExtension, order, program } = writerFor("plugin");

/** 7.00 + 7.20 + 4.60 + 84.00 USD at list prices, one order of each type. */
const fleet = (ipv4Quantity: number) =>
  program(
    order("ipv4", { quantity: ipv4Quantity }),
    order("ipv6", {
      proxyType: "IPv6",
      country: "NLD",
      quantity: 10,
      rentPeriodDays: 90,
      protocol: "HTTP",
    }),
    order("isp", { proxyType: "ISP", quantity: 2 }),
    order("mobile", {
      proxyType: "MOBILE",
      country: "USA",
      quantity: 2,
      mobileOperator: "tmobile",
      rotationTime: 600,
    }),
    autoExtension("keepIpv6", "ipv6", { proxyType: "IPv6", rentPeriodDays: 90 }),
  );

const orderedOnce = ["IPv4 5", "IPv6 10", "ISP 2", "MOBILE 2"];

it.each<PresetName>(["strict", "hostile"])(
  "rents, grows, renews and lets go of a fleet on a %s service, and buys nothing twice",
  async (preset) => {
    const simulator = await startForTest({ preset, seed: 2 });
    const stack = await createStack({
      ...on,
      simulator,
      program: fleet(5),
      machineClock: () => simulator.now(),
      env: { PROXYRENTAL_SETTLING_SECONDS: "2" },
    });
    await persist(stack, "up");
    expect(bought(simulator)).toEqual(orderedOnce);
    await persist(stack, "up", "--refresh", "--expect-no-changes");

    await stack.rewrite(fleet(7));
    await persist(stack, "up");
    expect(bought(simulator)).toEqual(["IPv4 2", ...orderedOnce].toSorted());

    simulator.advance({ days: 85 });
    await persist(stack, "refresh");
    await persist(stack, "destroy");
    expect(simulator.proxies().filter(({ autoExtend }) => autoExtend)).toEqual([]);
    expect(bought(simulator)).toEqual(["IPv4 2", ...orderedOnce].toSorted());
    expect(simulator.invariants().filter(({ holds }) => !holds)).toEqual([]);
  },
);

/** Runs a command again while the service makes it fail, as a person would. */
async function persist(stack: Stack, command: string, ...flags: string[]): Promise<void> {
  for (let tries = 1; tries <= 5; tries += 1) {
    const { exitCode } = await stack.run(command, "--yes", ...flags);
    if (exitCode === 0) return;
  }
  throw new Error(`${command} still fails: ${stack.outcomes.at(-1)?.text}`);
}

function bought(simulator: Simulator): string[] {
  return simulator
    .ledger()
    .filter(({ kind }) => kind === "order")
    .map(({ proxyType, quantity }) => `${proxyType} ${quantity}`)
    .toSorted();
}
