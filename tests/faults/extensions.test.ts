import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ProxyType } from "../../provider/client/index.ts";
import { isProxyRentalError } from "../../provider/core/errors.ts";
import { type ExtensionOrder, extendProxies } from "../../provider/core/extension/extend.ts";
import type { PricedQuote } from "../../provider/core/quote.ts";
import type { Fault, SimulatorOptions } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { beginAccountRun } from "../support/account.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

const PERIOD_DAYS = 30;

/** An account that holds one order, and a run that is about to extend it. */
async function holdOrder(proxyType: ProxyType, options: SimulatorOptions = {}) {
  const clock = createVirtualClock();
  const simulator = await startForTest({ ...options, now: clock.now });
  const journalDir = await mkdtemp(join(tmpdir(), "proxyrental-extensions-"));
  onTestFinished(() => rm(journalDir, { recursive: true, force: true }));
  const days = proxyType === "IPv6" ? 90 : PERIOD_DAYS;
  const item = { proxyType, country: "USA", quantity: 3, rentPeriodDays: days };
  simulator.placeForeignOrder(item);
  const spentBefore = simulator.ledger().length;
  const run = beginAccountRun({ simulator, journalDir, clock, callTimeoutMs: 300 });
  const ends = () => simulator.proxies().map((proxy) => proxy.dateEnd);
  const { records } = await run.account.listing.recent(proxyType);
  const order: ExtensionOrder = {
    owner: "org/urn::keep",
    requestId: "0123456789abcdef",
    terms: { proxyType, rentPeriodDays: days },
    proxies: records,
  };
  const ipAddressIds = records.map((proxy) => proxy.ipAddressId);
  const { price, currency } = await run.account.service.calculateExtension({
    ...order.terms,
    ipAddressIds,
  });
  const shown: PricedQuote = { effect: "extend", quantity: 3, price: price ?? 0, currency };
  simulator.resetRequestCounts();
  return {
    ...{ simulator, clock, run, order, shown, ends },
    charges: () => simulator.ledger().slice(spentBefore),
    openIntents: async () => (await run.account.journal.readOpen()).map(({ phase }) => phase),
  };
}

const lostAnswers: Fault[] = [
  { kind: "hang" },
  { kind: "reset" },
  { kind: "truncate" },
  { kind: "garbage" },
  { kind: "status", status: 502 },
];

test.each(lostAnswers)(
  "34: an extension whose answer is lost after the charge ($kind) is found by the ends that moved, and not paid again",
  async (fault) => {
    const { simulator, run, order, shown, charges, ends, openIntents } = await holdOrder("IPv4");
    const before = ends();
    simulator.addFault({ endpoint: "extend", calls: [1], phase: "after", fault });
    const paid = await extendProxies(run.account, order, shown);
    const again = await extendProxies(run.account, order, shown);
    expect(again).toBe(paid);
    expect(simulator.requestCounts().extend).toBe(1);
    expect(charges()).toMatchObject([{ kind: "extension", price: shown.price.toFixed(2) }]);
    expect(ends()).not.toEqual(before);
    expect(await openIntents()).toEqual(["accepted"]);
  },
);

test.each(lostAnswers)(
  "34: an extension that the service never heard of ($kind) is proven not sent, and not sent again in the run",
  async (fault) => {
    const held = await holdOrder("IPv4");
    const { simulator, run, order, shown, charges } = held;
    simulator.addFault({ endpoint: "extend", calls: [1], phase: "before", fault });
    for (const _ of [1, 2]) {
      const failure = await extendProxies(run.account, order, shown).catch((error) => error);
      expect(isProxyRentalError(failure) && failure.code).toBe("ORDER_NOT_PLACED");
    }
    expect(charges()).toEqual([]);
    expect(await held.openIntents()).toEqual([]);
    expect(simulator.requestCounts().extend).toBe(1);
  },
);

test("34: an extension that is charged after the caller gave up is still found", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  const late = { kind: "lateCommit", afterMs: 30_000 } as const;
  simulator.addFault({ endpoint: "extend", phase: "before", fault: late });
  await extendProxies(run.account, order, shown);
  expect(charges()).toHaveLength(1);
  expect(simulator.requestCounts().extend).toBe(1);
});

test("36: part of an IPv6 order is refused before any call that asks for it", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv6");
  const [left, ...part] = order.proxies;
  const refused = extendProxies(run.account, { ...order, proxies: part }, shown);
  await expect(refused).rejects.toThrow(`these are missing: ${left?.ipAddressId}`);
  expect(simulator.requestCounts()).toMatchObject({ calculateExtension: 0, extend: 0 });
  expect(charges()).toEqual([]);
  await extendProxies(run.account, order, shown);
  expect(charges()).toHaveLength(1);
});

test("a dearer extension than was shown is not paid", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  simulator.setPriceFactor("IPv4", 2);
  await expect(extendProxies(run.account, order, shown)).rejects.toThrow("PRICE_ROSE");
  expect(simulator.requestCounts().extend).toBe(0);
  expect(charges()).toEqual([]);
});

test("what somebody else extended after it was decided to pay is not paid again", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  await extendProxies(run.account, order, shown);
  const again = { ...order, requestId: "fedcba9876543210" };
  await expect(extendProxies(run.account, again, shown)).rejects.toThrow("NOT_PLANNED");
  expect(simulator.requestCounts().extend).toBe(1);
  expect(charges()).toHaveLength(1);
});
