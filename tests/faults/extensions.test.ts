import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ProxyType } from "../../provider/client/index.ts";
import { type ExtensionOrder, extendProxies } from "../../provider/core/extension/apply/extend.ts";
import { createExtensionLifecycle } from "../../provider/core/extension/lifecycle.ts";
import type { Presence } from "../../provider/core/ports.ts";
import type { PricedQuote } from "../../provider/core/spending/quote.ts";
import { isProxyRentalError } from "../../provider/core/values/errors.ts";
import type { Fault, Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { beginAccountRun } from "../support/account.ts";
import { deadlineFor, USUAL_DEADLINE_MS } from "../support/deadlines.ts";
import { nobodyElse } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.ts";

const owner = "org/urn:pulumi:dev::fleet::proxyrental:IpExtension::keep";

const PERIOD_DAYS = 30;

/** Makes an account that holds one order, and a run that is about to extend it. */
async function holdOrder(
  proxyType: ProxyType,
  options: SimulatorOptions = {},
  callTimeoutMs = USUAL_DEADLINE_MS,
) {
  const clock = createVirtualClock();
  const simulator = await startForTest({ ...options, now: clock.now });
  const journalDir = await makeTemporaryFolder();
  const days = proxyType === "IPv6" ? 90 : PERIOD_DAYS;
  const item = { proxyType, country: "USA", quantity: 3, rentPeriodDays: days };
  simulator.placeForeignOrder(item);
  const spentBefore = simulator.ledger().length;
  const run = beginAccountRun({ simulator, journalDir, clock, callTimeoutMs });
  const ends = () => simulator.proxies().map((proxy) => proxy.dateEnd);
  const { records } = await run.account.listing.complete(proxyType);
  const order: ExtensionOrder = {
    owner,
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
  const resource = { simulator, journalDir, clock, proxyType, days, callTimeoutMs };
  return {
    ...{ simulator, clock, run, order, shown, ends, ipAddressIds },
    beginRun: () => beginResourceRun(resource),
    /** Like `beginRun`, but the processes of all earlier runs have ended. */
    beginLaterRun: () => beginResourceRun({ ...resource, presence: nobodyElse }),
    charges: () => simulator.ledger().slice(spentBefore),
    openIntents: async () => (await run.account.journal.readOpen()).map(({ phase }) => phase),
  };
}

/** Begins a run with an `IpExtension` of all proxies. It declares them paid through one more period by default. */
function beginResourceRun(scene: {
  simulator: Simulator;
  journalDir: string;
  clock: VirtualClock;
  proxyType: ProxyType;
  days: number;
  callTimeoutMs: number;
  presence?: Presence;
}) {
  const { simulator, clock, proxyType, days } = scene;
  const run = beginAccountRun(scene);
  const extensions = createExtensionLifecycle(run.account);
  const earliest = Math.min(...simulator.proxies().map(({ dateEnd }) => Date.parse(dateEnd)));
  const through = (periods: number) =>
    new Date(earliest + (days * periods - 1) * 24 * 60 * 60 * 1000).toISOString();
  const check = (args: object = {}, before?: unknown) => {
    const ipAddressIds = simulator.proxies().map((proxy) => proxy.ipAddressId);
    const usual = { proxyType, ipAddressIds, rentPeriodDays: days, paidThrough: through(1) };
    return extensions.check(owner, before, { known: { ...usual, ...args }, unknown: new Set() });
  };
  const plan = async (args: object = {}, before?: unknown) => {
    const { checked, failures } = await check(args, before);
    if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
    return checked;
  };
  return { ...run, extensions, check, plan, through, now: clock.now };
}

const lostAnswers: Fault[] = [
  { kind: "hang" },
  { kind: "reset" },
  { kind: "truncate" },
  { kind: "garbage" },
  { kind: "status", status: 502 },
];

const losing = (fault: Fault) => holdOrder("IPv4", {}, deadlineFor(fault));

test.each(lostAnswers)(
  "34: an extension with its answer lost after the charge ($kind) is found by its moved ends, and not paid again",
  async (fault) => {
    const { simulator, run, order, shown, charges, ends, openIntents } = await losing(fault);
    const before = ends();
    simulator.addFault({ endpoint: "extend", calls: [1], phase: "after", fault });
    const paid = await extendProxies(run.account, order, shown);
    const again = await extendProxies(run.account, order, shown);
    expect(again).toBe(paid);
    expect(simulator.requestCounts().extend).toBe(1);
    expect(charges()).toMatchObject([{ kind: "extension", price: shown.price.toFixed(2) }]);
    expect(ends()).not.toEqual(before);
    expect(await openIntents()).toEqual(["placed"]);
  },
);

test.each(lostAnswers)(
  "34: an extension that never reached the service ($kind) is judged not placed, and not sent again in the run",
  async (fault) => {
    const held = await losing(fault);
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

test("164 B: a refusal of an extension that was charged: its own balance has fallen, so the moved ends are looked for", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  const emptied = { proxyType: null, rentPeriodDays: 0, quantity: 0, ipAddressIds: [] };
  const patch = (answer: Readonly<Record<string, unknown>>) => ({
    ...answer,
    ...{ success: false, error: { code: 99, message: "Internal error" }, ...emptied },
  });
  simulator.addFault({
    ...{ endpoint: "extend", calls: [1], phase: "after" },
    fault: { kind: "answer", patch },
  });
  await extendProxies(run.account, order, shown);
  expect(charges()).toHaveLength(1);
  expect(simulator.requestCounts().extend).toBe(1);
});

test("34: an extension that is charged after the caller gave up is still found", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  const late = { kind: "lateCommit", afterMs: 30_000 } as const;
  simulator.addFault({ endpoint: "extend", phase: "before", fault: late });
  await extendProxies(run.account, order, shown);
  expect(charges()).toHaveLength(1);
  expect(simulator.requestCounts().extend).toBe(1);
});

const listed = z.looseObject({ content: z.array(z.looseObject({ ipAddressId: z.string() })) });

/** From now on the listing shows the ends that the proxies have now. */
function lag(simulator: Simulator) {
  const ends = new Map(simulator.proxies().map((proxy) => [proxy.ipAddressId, proxy.dateEnd]));
  const withOldEnd = (record: { ipAddressId: string }) => ({
    ...record,
    dateEnd: ends.get(record.ipAddressId),
  });
  const patch = ({ data, ...answer }: Readonly<Record<string, unknown>>) => {
    const { content, ...rest } = listed.parse(data);
    return { ...answer, data: { ...rest, content: content.map(withOldEnd) } };
  };
  const fault = { kind: "answer", patch } as const;
  return simulator.addFault({ endpoint: "listProxies", phase: "after", fault });
}

describe("59: an extension's answer is lost, and the listing lags behind the charge", () => {
  test.each(lostAnswers)(
    "59 A: it is unknown, never not placed, and is not paid again ($kind)",
    async (fault) => {
      const { simulator, beginRun, beginLaterRun, charges } = await losing(fault);
      const run = beginRun();
      const args = { paidThrough: run.through(1) };
      const planned = await run.plan(args);
      const lagging = lag(simulator);
      simulator.addFault({ endpoint: "extend", calls: [1], phase: "after", fault });
      const failure = await run.extensions.create(planned).catch((error) => error);
      expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
      expect(failure.message).toContain("it was charged, and no end of its proxies has moved");

      await expect(beginLaterRun().plan(args)).rejects.toThrow("it was charged");
      lagging.remove();
      const last = beginLaterRun();
      const again = await last.plan(args);
      expect(again.quote?.effect).toBe("none");
      expect((await last.extensions.create(again)).purchases).toHaveLength(1);
      expect(simulator.requestCounts().extend).toBe(1);
      expect(charges()).toHaveLength(1);
    },
  );

  test("59 B: the same run finds it if the listing lags for less than twice the settling time", async () => {
    const { simulator, beginRun, charges, clock } = await holdOrder("IPv4");
    const run = beginRun();
    const planned = await run.plan();
    const lagging = lag(simulator);
    simulator.addFault({
      endpoint: "extend",
      calls: [1],
      phase: "after",
      fault: { kind: "reset" },
    });
    const endsAtMs = clock.elapsedMs() + 90_000;
    simulator.addFault({
      ...{ endpoint: "getBalance", phase: "before" },
      fault: { kind: "act", run: () => clock.elapsedMs() > endsAtMs && lagging.remove() },
    });
    const state = await run.extensions.create(planned);
    expect(state.purchases).toHaveLength(1);
    expect(simulator.requestCounts().extend).toBe(1);
    expect(charges()).toHaveLength(1);
  });
});

test("60 B: an extension that failed without a reason after the charge is found and not paid again", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  const patch = { success: false, ipAddressIds: [], proxyType: null };
  const fault = { kind: "answer", patch } as const;
  simulator.addFault({ endpoint: "extend", calls: [1], phase: "after", fault });
  await extendProxies(run.account, order, shown);
  expect(simulator.requestCounts().extend).toBe(1);
  expect(charges()).toHaveLength(1);
});

test("57 D: an extension with a price that rises before the charge is recorded with both amounts, and is the last", async () => {
  const { simulator, beginRun, charges } = await holdOrder("IPv4");
  const run = beginRun();
  const planned = await run.plan({ paidThrough: run.through(2) });
  simulator.addFault({
    ...{ endpoint: "extend", calls: [1], phase: "before" },
    fault: { kind: "act", run: () => simulator.setPriceFactor("IPv4", "3") },
  });
  simulator.addFault({
    ...{ endpoint: "extend", calls: [1], phase: "after" },
    fault: { kind: "act", run: () => simulator.setPriceFactor("IPv4", "1") },
  });
  const failure = await run.extensions.create(planned).catch((error) => error);
  expect(failure.code).toBe("EXTENSION_INCOMPLETE");
  expect(failure.message).toContain("1 of 2 planned extensions is paid (12.60 USD)");
  expect(failure.message).toContain("4.20 USD were confirmed, and the balance fell by 12.60 USD");
  expect(failure.state.purchases).toMatchObject([{ price: 4.2, charged: 12.6 }]);
  expect(charges().map(({ price }) => price)).toEqual(["12.60"]);
  expect(simulator.requestCounts().extend).toBe(1);
});

test("36: part of an IPv6 order is refused before any call", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv6");
  const [left, ...part] = order.proxies;
  const refused = extendProxies(run.account, { ...order, proxies: part }, shown);
  await expect(refused).rejects.toThrow(`these are missing: ${left?.ipAddressId}`);
  expect(simulator.requestCounts()).toMatchObject({ calculateExtension: 0, extend: 0 });
  expect(charges()).toEqual([]);
  await extendProxies(run.account, order, shown);
  expect(charges()).toHaveLength(1);
});

test("an extension above its previewed price is not paid", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  simulator.setPriceFactor("IPv4", 2);
  await expect(extendProxies(run.account, order, shown)).rejects.toThrow("PRICE_ROSE");
  expect(simulator.requestCounts().extend).toBe(0);
  expect(charges()).toEqual([]);
});

test("an extension is not paid if its proxies are paid long enough when its turn comes", async () => {
  const { simulator, run, order, shown, charges } = await holdOrder("IPv4");
  await extendProxies(run.account, order, shown);
  const again = { ...order, requestId: "fedcba9876543210" };
  await expect(extendProxies(run.account, again, shown)).rejects.toThrow("NOT_PLANNED");
  expect(simulator.requestCounts().extend).toBe(1);
  expect(charges()).toHaveLength(1);
});

test.each(lostAnswers)(
  "34: an IpExtension with its answer lost after the charge ($kind) is recorded as paid, and nothing is paid again",
  async (fault) => {
    const { simulator, beginRun, charges } = await losing(fault);
    const run = beginRun();
    const args = { paidThrough: run.through(2) };
    simulator.addFault({ endpoint: "extend", calls: [1], phase: "after", fault });
    const inputs = await run.plan(args);
    const state = await run.extensions.create(inputs);
    expect(state.purchases).toHaveLength(2);
    expect(charges()).toHaveLength(2);
    expect(simulator.requestCounts().extend).toBe(2);

    const next = beginRun();
    expect((await next.extensions.read(state)).drift).toBeUndefined();
    expect((await next.plan(args, inputs)).quote).toEqual({ effect: "none" });
    expect(charges()).toHaveLength(2);
  },
);

test.each(lostAnswers)(
  "34: an IpExtension that never reached the service ($kind) fails, and the next run pays once",
  async (fault) => {
    const { simulator, beginRun, charges } = await losing(fault);
    const rule = simulator.addFault({ endpoint: "extend", calls: [1], phase: "before", fault });
    const run = beginRun();
    const inputs = await run.plan();
    await expect(run.extensions.create(inputs)).rejects.toThrow("ORDER_NOT_PLACED");
    rule.remove();
    const next = beginRun();
    const state = await next.extensions.create(await next.plan());
    expect(state.purchases).toHaveLength(1);
    expect(charges()).toHaveLength(1);
    expect(simulator.requestCounts().extend).toBe(2);
  },
);

test.each(["lost", "given"])(
  "35: new ids after an extension are found by address and port (answer %s), and are no edit",
  async (answer) => {
    const held = await holdOrder("IPv4", { idsChangeOnExtension: true });
    const { simulator, beginRun, charges, ipAddressIds } = held;
    if (answer === "lost") {
      simulator.addFault({ endpoint: "extend", phase: "after", fault: { kind: "reset" } });
    }
    const run = beginRun();
    const args = { ipAddressIds, paidThrough: run.through(2) };
    const inputs = await run.plan(args);
    const state = await run.extensions.create(inputs);
    const now = simulator.proxies().map((proxy) => proxy.ipAddressId);
    expect(state.ipAddressIds).toEqual(now);
    expect(now).not.toEqual(ipAddressIds);
    for (const said of [ipAddressIds, now]) {
      const next = beginRun();
      const { state: read } = await next.extensions.read(state);
      const checked = await next.plan({ ...args, ipAddressIds: said }, inputs);
      expect(await next.extensions.diff(read, checked, new Set())).toEqual({ kind: "none" });
    }
    expect(charges()).toHaveLength(2);
  },
);

test("36: part of an IPv6 order is refused by the plan, before its price is asked; the whole order is paid", async () => {
  const { simulator, beginRun, charges, ipAddressIds } = await holdOrder("IPv6");
  const run = beginRun();
  const refused = run.check({ ipAddressIds: ipAddressIds.slice(1) });
  await expect(refused).rejects.toThrow(`these are missing: ${ipAddressIds[0]}`);
  expect(simulator.requestCounts()).toMatchObject({ calculateExtension: 0, extend: 0 });
  await run.extensions.create(await run.plan());
  expect(charges()).toHaveLength(1);
});

test("38: a time that an automatic extension pays between preview and up is not paid again", async () => {
  const { simulator, beginRun, charges, clock, ipAddressIds, ends } = await holdOrder("IPv4");
  const preview = beginRun();
  const args = { paidThrough: preview.through(2) };
  expect((await preview.plan(args)).rounds).toHaveLength(2);
  simulator.setAutoExtension(ipAddressIds.slice(0, 2), true);
  clock.advance(Date.parse(ends()[0] ?? "") - clock.now().getTime() - 60_000);
  const up = beginRun();
  const inputs = await up.plan({ ...args });
  expect(inputs.rounds).toMatchObject([{ quantity: 3 }, { quantity: 1 }]);
  await up.extensions.create(inputs);
  expect(charges().map(({ origin, quantity }) => [origin, quantity])).toEqual([
    ["automatic", 2],
    ["api", 3],
    ["api", 1],
  ]);
});

test("33: proxies that have ended and left the listing are no error, and nothing is paid for them", async () => {
  const { simulator, beginRun, charges, clock } = await holdOrder("IPv4");
  const run = beginRun();
  const inputs = await run.plan();
  const state = await run.extensions.create(inputs);
  clock.advance(90 * 24 * 60 * 60 * 1000);
  const next = beginRun();
  const { state: read, drift } = await next.extensions.read(state);
  expect([drift, read.proxies]).toEqual([undefined, []]);
  await next.extensions.delete(read);
  expect(charges()).toHaveLength(1);
  expect(simulator.requestCounts().extend).toBe(1);
});
