import { expect, test } from "vitest";
import { Account } from "../../simulator/account/account.ts";
import { checkInvariants } from "../../simulator/account/invariants.ts";
import { Clock } from "../../simulator/clock.ts";
import type { Simulator, Snapshot } from "../../simulator/index.ts";
import { resolveSettings } from "../../simulator/settings.ts";
import { listIds, orders, post, StillClock } from "./caller.ts";
import { openControlApi } from "./control-api.ts";
import { startForTest } from "./start.ts";

test("hold with any calls, times and other buyers", async () => {
  const { simulator, call } = await openControlApi({
    idsChangeOnExtension: true,
    balance: "300.00",
  });
  for (const order of Object.values(orders)) await post(simulator, "order", order);
  const extension = { proxyType: "IPv4", rentPeriodDays: 30 };
  await post(simulator, "extend", { ...extension, ipAddressIds: await listIds(simulator, "IPv4") });
  await post(simulator, "extend/auto", {
    ...extension,
    ipAddressIds: await listIds(simulator, "IPv4"),
    autoExtend: true,
  });
  simulator.placeForeignOrder({
    proxyType: "ISP",
    country: "USA",
    quantity: 2,
    rentPeriodDays: 30,
  });
  simulator.setBalance("80.00");
  simulator.removeProxies((await listIds(simulator, "ISP")).slice(0, 1));
  simulator.expireProxies((await listIds(simulator, "IPv6")).slice(0, 1));
  simulator.advance({ days: 200 });
  const { body } = await call("GET", "/invariants");
  expect(body.hold).toBe(true);
  expect(body.checks.map(({ holds }: { holds: boolean }) => holds)).toEqual(
    Array.from({ length: 6 }, () => true),
  );
});

type AccountState = Snapshot["accounts"][string];

/** The messages of the checks about an account after this change of its record. */
async function spoil(change: (account: AccountState) => void): Promise<string[]> {
  const simulator = await startOrdered();
  const account = simulator.save().accounts.main;
  if (account === undefined) throw new Error("no account");
  change(account);
  const clock = new Clock(new StillClock().now);
  const identity = { name: "main", apiKey: "demo-key-1" };
  const spoiled = new Account(identity, account, resolveSettings({}), clock);
  return checkInvariants(spoiled)
    .filter(({ holds }) => !holds)
    .map(({ name, detail }) => `${name}: ${detail}`);
}

async function startOrdered(): Promise<Simulator> {
  const simulator = await startForTest({ now: new StillClock().now });
  await post(simulator, "order", orders.IPv4);
  return simulator;
}

test.each<[string, (account: AccountState) => void, RegExp]>([
  [
    "an order charged twice",
    ({ money }) => money.entries.push(...money.entries),
    /exactly once: \d+/,
  ],
  ["an order without a charge", ({ money }) => money.entries.splice(0), /exactly once: \d+/],
  ["a charge without an order", (account) => account.orders.splice(0), /exactly once: \d+/],
  [
    "two proxies with one id",
    ({ orders: [order] }) => {
      const [first, second] = order?.proxies ?? [];
      if (first && second) second.ipAddressId = first.ipAddressId;
    },
    /share an id: \d+/,
  ],
  [
    "two proxies at one address",
    ({ orders: [order] }) => {
      const [first, second] = order?.proxies ?? [];
      if (first && second) Object.assign(second, { ip: first.ip, httpsPort: first.httpsPort });
    },
    /share address and port: /,
  ],
  [
    "more proxies than were bought",
    ({ orders: [order] }) => {
      if (order) order.quantity = 4;
    },
    /as many proxies as were bought/,
  ],
  [
    "a proxy listed past its end",
    ({ orders: [order] }) => {
      const [first] = order?.proxies ?? [];
      if (first) first.endMs = 0;
    },
    /past its end: \d+/,
  ],
])("%s is found", async (_name, change, expected) => {
  expect(await spoil(change)).toEqual([expect.stringMatching(expected)]);
});

test("unexplained money is found", async () => {
  const simulator = await startOrdered();
  const { main } = simulator.save().accounts;
  if (main === undefined) throw new Error("no account");
  const clock = new Clock(new StillClock().now);
  const account = new Account({ name: "main", apiKey: "k" }, main, resolveSettings({}), clock);
  Object.defineProperty(account.ledger, "balance", { value: account.ledger.balance.minus("0.01") });
  expect(checkInvariants(account).filter(({ holds }) => !holds)).toMatchObject([
    { detail: "992.99, not 993.00" },
  ]);
});
