import { expect, test } from "vitest";
import { createMachine, deploy, HOUR_MS } from "./machine.ts";

test.each([
  [
    "167 A: an order is deleted beside a proxy of another type with its id that is kept on",
    "IPv6",
    false,
  ],
  ["167 B: an order is deleted whose own proxy another resource keeps on", "IPv4", true],
] as const)("%s", async (_what, proxyType, stays) => {
  const machine = await createMachine();
  const saved = await deploy(machine.begin(), undefined);
  const ipAddressIds = saved.outputs.proxies.map(({ ipAddressId }) => ipAddressId);
  machine.simulator.setAutoExtension(ipAddressIds, true);
  machine.clock.advance(HOUR_MS);
  const run = machine.begin();
  const flag = "org/urn:pulumi:dev::fleet::proxyrental:IpAutoExtend::flag";
  const wanted = { proxyType, ipAddressIds, rentPeriodDays: 90, autoExtend: true };
  await run.account.declarations.declare(flag, wanted);
  await run.account.declarations.keep(flag, wanted);
  const read = await run.orders.read(saved.outputs);
  if (read.kind !== "present") throw new Error(read.kind);
  await run.orders.delete(read.state);
  const flags = machine.simulator.proxies().map(({ autoExtend }) => autoExtend);
  expect(flags, run.lines.join("\n")).toEqual([stays]);
});
