import { expect, test } from "vitest";
import { createAutoExtensionLifecycle } from "../../provider/core/auto-extension/lifecycle.ts";
import { extendProxies } from "../../provider/core/extension/apply/extend.ts";
import { createExtensionLifecycle } from "../../provider/core/extension/lifecycle.ts";
import type { CheckedExtension } from "../../provider/core/extension/model/state.ts";
import type { SimulatorOptions } from "../../simulator/index.ts";
import { serviceFailure } from "../core/support/fake-service.ts";
import { failureOf, given, ownerOf } from "../core/support/orders-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { type AccountRunOptions, beginAccountRun, type Interposition } from "../support/account.ts";
import { nobodyElse } from "../support/presence.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

const urn = (type: string) => `org/urn:pulumi:dev::fleet::proxyrental:${type}::keep`;

const DAY_MS = 24 * 60 * 60 * 1000;

const oneProxy = { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 } as const;

const none: ReadonlySet<string> = new Set();

/** An account with one order of one proxy. Its address can be given to a later order. */
async function holdOne(options: SimulatorOptions = {}) {
  const clock = createVirtualClock();
  const simulator = await startForTest({ ...options, now: clock.now });
  const journalDir = await makeTemporaryFolder();
  simulator.placeForeignOrder(oneProxy);
  const [first] = simulator.proxies();
  if (first === undefined) throw new Error("the order has no proxy");
  /** The proxy that is listed at the address of the first one. */
  let heir = "";
  const interpose: Interposition = {
    service: (real) => ({
      ...real,
      async listProxies(request) {
        const page = await real.listProxies(request);
        const { ip: ipAddressIp, httpsPort, socks5Port } = first;
        const content = page.content.map((row) =>
          row.ipAddressId === heir ? { ...row, ipAddressIp, httpsPort, socks5Port } : row,
        );
        return { ...page, content };
      },
    }),
  };
  const begin = (more: Partial<AccountRunOptions> = {}) => {
    const parts = { simulator, journalDir, clock, presence: nobodyElse, interpose };
    const run = beginAccountRun({ ...parts, ...more });
    const extensions = createExtensionLifecycle(run.account);
    const renewals = createAutoExtensionLifecycle(run.account);
    const usual = { proxyType: "IPv4", ipAddressIds: [first.ipAddressId], rentPeriodDays: 30 };
    return {
      ...{ ...run, extensions, renewals },
      checkExtension: (args: object, before?: unknown) =>
        extensions.check(urn("IpExtension"), before, {
          known: { ...usual, paidThrough: dayAfter(35), ...args },
          unknown: none,
        }),
      checkRenewal: (args: object = {}, before?: unknown) =>
        renewals.check(urn("IpAutoExtend"), before, {
          known: { ...usual, ...args },
          unknown: none,
        }),
    };
  };
  /** The first proxy ends, and its address is given to a new order. */
  const reuse = () => {
    simulator.expireProxies([first.ipAddressId]);
    simulator.placeForeignOrder(oneProxy);
    const proxy = simulator.proxies().find(({ ipAddressId }) => ipAddressId !== first.ipAddressId);
    if (proxy === undefined) throw new Error("the later order has no proxy");
    heir = proxy.ipAddressId;
    return proxy;
  };
  const begunMs = clock.now().getTime();
  const dayAfter = (days: number) => new Date(begunMs + days * DAY_MS).toISOString();
  const isRenewing = (id: string) =>
    simulator.proxies().find(({ ipAddressId }) => ipAddressId === id)?.autoExtend;
  return { simulator, clock, first, begin, reuse, dayAfter, isRenewing, interpose };
}

type Held = Awaited<ReturnType<typeof holdOne>>;

/** An IpExtension that has paid one period for the only proxy. */
async function extendOne({ begin, dayAfter }: Held) {
  const run = begin();
  const { checked } = await run.checkExtension({ paidThrough: dayAfter(35) });
  return { inputs: checked as CheckedExtension, state: await run.extensions.create(checked) };
}

/** What release 0.1.0 has recorded: no order. */
function withoutOrders<Document>(document: Document): Document {
  const strip = (key: string, value: unknown) =>
    key === "orders" || key === "orderId" ? undefined : value;
  return JSON.parse(JSON.stringify(document, strip)) as Document;
}

test.each([
  ["105 A", (document: unknown) => document],
  ["105 B (recorded by an earlier release)", withoutOrders],
])(
  "%s: another order's proxy at the address of one that has ended is not paid",
  async (_row, as) => {
    const held = await holdOne();
    const { simulator, clock, first, begin, reuse, dayAfter } = held;
    const { inputs, state } = await extendOne(held);
    clock.advance(61 * DAY_MS);
    const later = reuse();
    clock.advance(DAY_MS);

    const run = begin();
    const found = await run.extensions.read(as(state));
    expect(found.state.ipAddressIds).not.toContain(later.ipAddressId);
    const { failures } = await run.checkExtension({ paidThrough: dayAfter(120) }, as(inputs));
    expect(failures.map(({ property }) => property)).toEqual(["ipAddressIds"]);
    expect(failures[0]?.reason).toContain(first.ipAddressId);
    expect(failures[0]?.reason).toContain(`${later.ipAddressId} of order ${later.orderId}`);
    expect(simulator.requestCounts().extend).toBe(1);
  },
);

test("105 C: another order's proxy is not paid if it gets the address between preview and up", async () => {
  const held = await holdOne();
  const { simulator, clock, begin, reuse, dayAfter } = held;
  const { inputs, state } = await extendOne(held);
  clock.advance(60 * DAY_MS - 60_000);
  const { checked } = await begin().checkExtension({ paidThrough: dayAfter(115) }, inputs);
  expect(checked.rounds).toHaveLength(2);
  clock.advance(60_000);
  const later = reuse();
  const failure = await failureOf(begin().extensions.update(state, checked));
  expect(failure.message).toContain(`${later.ipAddressId} of order ${later.orderId}`);
  expect(simulator.requestCounts().extend).toBe(1);
});

test("105 D: a proxy whose id has changed since release 0.1.0 is paid once the program names it by its new id", async () => {
  const held = await holdOne({ idsChangeOnExtension: true });
  const { simulator, dayAfter } = held;
  const { inputs, state } = await extendOne(held);
  const journalDir = await makeTemporaryFolder();
  const begin = () => held.begin({ journalDir });
  const [before, old] = [withoutOrders(inputs), withoutOrders(state)];
  const later = { paidThrough: dayAfter(80) };
  const refused = await begin().checkExtension(later, before);
  expect(refused.failures[0]?.reason).toContain(`${state.ipAddressIds[0]} of order `);
  const named = { ...later, ipAddressIds: state.ipAddressIds };
  const { checked, failures } = await begin().checkExtension(named, before);
  expect(failures).toEqual([]);
  const paid = await begin().extensions.update(old, checked);
  expect(paid.proxies.every(({ orderId }) => orderId === held.first.orderId)).toBe(true);
  expect(simulator.requestCounts().extend).toBe(2);
});

test("105 E: an extension whose answer was lost is not proven by another order's end at the address", async () => {
  const { simulator, clock, begin, reuse, first, interpose } = await holdOne();
  clock.advance(30 * DAY_MS - 60_000);
  const losing: Interposition = {
    service: (real) => ({
      ...(interpose.service?.(real) ?? real),
      async extend(_request, options) {
        options?.beforeSend?.();
        reuse();
        throw serviceFailure("unknown");
      },
    }),
  };
  const { account } = begin({ interpose: losing });
  const { records: proxies } = await account.listing.complete("IPv4");
  const terms = { proxyType: "IPv4", rentPeriodDays: 30 } as const;
  const ipAddressIds = [first.ipAddressId];
  const { price, currency } = await account.service.calculateExtension({ ...terms, ipAddressIds });
  const shown = { effect: "extend", quantity: 1, price: price ?? 0, currency } as const;
  const order = { owner: urn("IpExtension"), requestId: "0123456789abcdef", terms, proxies };
  const failure = await failureOf(extendProxies(account, order, shown));
  expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
  expect(simulator.requestCounts().extend).toBe(0);
});

/** An IpAutoExtend of the only proxy. */
async function renewOne({ begin }: Held, args: object = {}) {
  const run = begin();
  const { checked } = await run.checkRenewal(args);
  return { inputs: checked, state: await run.renewals.create(checked) };
}

test.each([
  ["106 A", (document: unknown) => document],
  ["106 B (recorded by an earlier release)", withoutOrders],
])(
  "%s: deleting an IpAutoExtend leaves another order's proxy at its address on",
  async (_row, as) => {
    const held = await holdOne();
    const { begin, reuse, first, isRenewing, simulator } = held;
    const { state } = await renewOne(held);
    const later = reuse();
    simulator.setAutoExtension([later.ipAddressId], true);

    const { state: read, drift } = await begin().renewals.read(as(state));
    expect([read.ipAddressIds, drift]).toEqual([[first.ipAddressId], undefined]);
    const failure = await failureOf(begin().renewals.delete(read));
    expect(failure.message).toContain(first.ipAddressId);
    expect(failure.message).toContain(`${later.ipAddressId} of order ${later.orderId}`);
    expect(isRenewing(later.ipAddressId)).toBe(true);

    const goneOrders = new Set([first.ipAddressId]);
    await begin({ settings: { goneOrders } }).renewals.delete(read);
    expect(isRenewing(later.ipAddressId)).toBe(true);
  },
);

test("106 C: deleting an IpAutoExtend that is off leaves another order's proxy on, and says so", async () => {
  const held = await holdOne();
  const { begin, reuse, isRenewing, simulator } = held;
  const { state } = await renewOne(held, { autoExtend: false });
  const later = reuse();
  simulator.setAutoExtension([later.ipAddressId], true);
  const run = begin();
  await run.renewals.delete(state);
  expect(isRenewing(later.ipAddressId)).toBe(true);
  expect(run.lines.join("\n")).toContain(`${later.ipAddressId} of order ${later.orderId}`);
});

test.each([true, false])(
  "106 D: an IpAutoExtend takes the proxy of another order at the same address in place of the former one (autoExtend %s)",
  async (autoExtend) => {
    const held = await holdOne();
    const { begin, reuse, isRenewing, simulator } = held;
    const { inputs, state } = await renewOne(held);
    const later = reuse();
    simulator.setAutoExtension([later.ipAddressId], !autoExtend);
    const run = begin();
    const wanted = { ipAddressIds: [later.ipAddressId], autoExtend };
    const { checked } = await run.checkRenewal(wanted, inputs);
    const updated = await run.renewals.update(state, checked);
    expect(updated.ipAddressIds).toEqual([later.ipAddressId]);
    expect(isRenewing(later.ipAddressId)).toBe(autoExtend);
  },
);

test("106 E: deleting a ProxyOrder leaves another order's proxy at its address on", async () => {
  const { begin, clock, simulator, dayAfter: _unused, ...held } = await holdOne();
  const run = begin();
  const wanted = given({ quantity: 1, adoptOrderNumber: held.first.orderId });
  const { checked } = await run.orders.check(ownerOf("fleet"), undefined, wanted);
  const state = await run.orders.create(checked);
  clock.advance(31 * DAY_MS);
  const later = held.reuse();
  simulator.setAutoExtension([later.ipAddressId], true);
  await begin().orders.delete(state);
  expect(held.isRenewing(later.ipAddressId)).toBe(true);
});

test("106 F: a proxy is switched off under an empty listing, though another order's was off at its address", async () => {
  const held = await holdOne();
  const { begin, reuse, isRenewing } = held;
  const former = await renewOne(held);
  await begin().renewals.delete(former.state);
  const later = reuse();
  // On a machine with a journal of its own.
  const elsewhere = begin({ journalDir: await makeTemporaryFolder() });
  const wanted = { ipAddressIds: [later.ipAddressId] };
  const { checked } = await elsewhere.checkRenewal(wanted);
  const state = await elsewhere.renewals.create(checked);
  const empty: Interposition = {
    service: (real) => ({
      ...real,
      listProxies: async (request) => ({
        ...(await real.listProxies(request)),
        ...{ totalElements: 0, totalPages: 0, content: [] },
      }),
    }),
  };
  await begin({ interpose: empty }).renewals.delete(state);
  expect(isRenewing(later.ipAddressId)).toBe(false);
});
