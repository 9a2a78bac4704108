import { expect, test } from "vitest";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import type { Fault, ProxyType } from "../../../../simulator/index.ts";
import { ordered, spendingOf } from "../../../support/spending.ts";
import { setStage } from "../../support/cancellable-runs.ts";
import { failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

const owner = ownerOf("fleet");

const DAY_MS = 24 * 60 * 60 * 1000;

const unknownText = "not known: imported";

const common = { country: "DEU", quantity: 2, goal: unknownText, authType: "LOGIN" };

test.each<[ProxyType, number, object]>([
  ["IPv4", 30, {}],
  ["ISP", 30, {}],
  ["IPv6", 90, { protocol: "HTTP" }],
  ["MOBILE", 30, { mobileOperator: unknownText, rotationTime: 0 }],
])("somebody else's %s order is imported by the listing's id, for nothing", async (...row) => {
  const [proxyType, rentPeriodDays, more] = row;
  const { simulator, beginRun } = await setStage();
  const item = { proxyType, country: "DEU", quantity: 2, rentPeriodDays };
  const order = simulator.placeForeignOrder(item);
  const charged = simulator.ledger();
  const run = beginRun();
  const { inputs, state } = await run.orders.import(owner, order.orderId);
  expect(inputs).toEqual({
    ...{ ...common, proxyType, rentPeriodDays, ...more, owner },
    requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
    quote: { effect: "adopt", quantity: 2, price: 0, currency: "USD" },
    holdings: { held: 2, released: [], adopted: 2 },
  });
  expect(state).toMatchObject({
    ...inputs,
    orderNumber: order.orderId,
    orderIds: [order.orderId],
    ipAddressIds: order.ipAddressIds,
    status: "active",
    purchases: [],
  });
  expect(simulator.ledger()).toEqual(charged);
  expect(simulator.requestCounts()).toMatchObject({ createOrder: 0, extend: 0 });
  expect(await run.phases()).toEqual([]);
});

/** Changes fields of all listed proxies, or of this one only. A field that is undefined is left out. */
function patchProxies(change: object, only?: string): Fault {
  const patchOne = (one: { ipAddressId?: string }) =>
    only === undefined || one.ipAddressId === only ? { ...one, ...change } : one;
  const patch = (answer: Readonly<Record<string, unknown>>) => {
    const { data, ...rest } = answer as { data: { content: object[] } };
    return {
      ...rest,
      data: { ...data, content: data.content.map(patchOne) },
    };
  };
  return { kind: "answer", patch };
}

const germanOrder = { proxyType: "IPv4", country: "DEU", quantity: 2, rentPeriodDays: 30 } as const;

test.each<[string, ProxyType, object, object]>([
  ["logins", "IPv4", { authInfo: undefined }, { authType: "IP", authIp: "0.0.0.0" }],
  ["HTTP ports", "IPv6", { httpsPort: undefined }, { protocol: "SOCKS" }],
  ["ends", "IPv4", { dateEnd: undefined }, { rentPeriodDays: 1 }],
])("the inputs fill in what a listing without %s lacks", async (...row) => {
  const [, proxyType, hidden, expected] = row;
  const { simulator, beginRun } = await setStage();
  const order = simulator.placeForeignOrder({ ...germanOrder, proxyType, rentPeriodDays: 90 });
  simulator.addFault({ endpoint: "listProxies", phase: "after", fault: patchProxies(hidden) });
  const { inputs } = await beginRun().orders.import(owner, order.orderId);
  expect(inputs).toMatchObject(expected);
});

test.each(["orderNumber", "orderId"] as const)(
  "an order of this machine is imported by its %s as it was bought, without its promo code",
  async (name) => {
    const { simulator, beginRun } = await setStage({ orderNumberDiffersFromOrderId: true });
    const buyer = beginRun();
    const args = { authType: "IP", authIp: "198.51.100.7", goal: "launch", promoCode: "SPRING10" };
    await buyer.orders.create(await buyer.plan("bought", args));
    const [order] = simulator.orders();
    const run = beginRun();
    const { inputs, state } = await run.orders.import(ownerOf("bought"), order?.[name] ?? "");
    expect(inputs).toMatchObject({ authType: "IP", authIp: "198.51.100.7", goal: "launch" });
    expect(inputs).not.toHaveProperty("promoCode");
    expect(inputs.quantity).toBe(5);
    expect(state.orderIds).toEqual([order?.orderId]);
    expect(spendingOf(simulator).orderCalls).toBe(1);
  },
);

test("an unknown order, an ended one, and one of two types are refused", async () => {
  const { simulator, clock, beginRun } = await setStage();
  const order = simulator.placeForeignOrder(germanOrder);
  const missing = await failureOf(beginRun().orders.import(owner, "12"));
  expect(missing.message).toMatch(/^ORDER_MISSING: order 12 is not among .* Nothing was imported/);

  simulator.placeForeignOrder({ ...germanOrder, proxyType: "ISP" });
  const rule = simulator.addFault({
    endpoint: "listProxies",
    phase: "after",
    fault: patchProxies({ orderId: "77" }),
  });
  const twice = await failureOf(beginRun().orders.import(owner, "77"));
  expect(twice.message).toMatch(/^ORDER_MISSING: order 77 is listed for more than one type/);
  rule.remove();

  const past = simulator.addFault({
    endpoint: "listProxies",
    phase: "after",
    fault: patchProxies({ dateEnd: clock.now().toISOString() }),
  });
  const listed = await failureOf(beginRun().orders.import(owner, order.orderId));
  expect(listed.message).toContain("is not among the account's living orders");
  past.remove();

  clock.advance(31 * DAY_MS);
  const ended = await failureOf(beginRun().orders.import(owner, order.orderId));
  expect(ended.message).toContain("is not among the account's living orders");
  expect(spendingOf(simulator).orderCalls).toBe(0);
});

test("an import of a partly ended order takes the living proxies", async () => {
  const { simulator, clock, beginRun } = await setStage();
  const { orderId, ipAddressIds } = simulator.placeForeignOrder(germanOrder);
  const [ended = "", living = ""] = ipAddressIds;
  const past = { dateEnd: clock.now().toISOString() };
  const fault = patchProxies(past, ended);
  simulator.addFault({ endpoint: "listProxies", phase: "after", fault });
  const { inputs, state } = await beginRun().orders.import(owner, orderId);
  expect(inputs).toMatchObject({ quantity: 1, holdings: { held: 1, adopted: 1 } });
  expect(state.ipAddressIds).toEqual([living]);
  expect(Object.keys(state.credentials)).toEqual([living]);
});

test("an order of another resource in the run is refused, but its own resource may import it again", async () => {
  const { simulator, beginRun } = await setStage();
  const buyer = beginRun();
  const inputs = await buyer.plan("other");
  const state = await buyer.orders.create(inputs);
  const run = beginRun();
  await run.orders.check(state.owner, inputs, given());
  await run.orders.read(state);
  const failure = await failureOf(run.orders.import(owner, state.orderNumber));
  expect(failure.message).toMatch(/^INPUT_INVALID: order \d+ is owned by .*other already/);
  const again = await run.orders.import(state.owner, state.orderNumber);
  expect(again.state.orderIds).toEqual(state.orderIds);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

test.each([false, true])(
  "an import does not write to the journal; a run with the order in its state does (other numbers: %s)",
  async (orderNumberDiffersFromOrderId) => {
    const { simulator, beginRun } = await setStage({ orderNumberDiffersFromOrderId });
    const buyer = beginRun();
    await buyer.orders.create(await buyer.plan("fleet"));
    for (const name of ["orderNumber", "orderId"] as const) {
      const preview = beginRun();
      const number = simulator.orders()[0]?.[name] ?? "";
      const { inputs, state } = await preview.orders.import(owner, number);
      const { checked, failures } = await preview.orders.check(owner, inputs, given());
      expect(failures).toEqual([]);
      await preview.orders.diff(state, checked, new Set());
      await preview.orders.read(state);
      expect(await preview.phases()).toEqual(["returned"]);
    }
    const up = beginRun();
    const number = simulator.orders()[0]?.orderId ?? "";
    const { state } = await up.orders.import(owner, number);
    const next = beginRun();
    await next.orders.read(state);
    expect(await next.phases()).toEqual(["confirmed"]);
    expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  },
);

test("after an import the program's own text is no change, and another quantity is bought as usual", async () => {
  const { simulator, beginRun } = await setStage();
  const order = simulator.placeForeignOrder(germanOrder);
  const run = beginRun();
  const { inputs, state } = await run.orders.import(owner, order.orderId);
  const program = { ...germanOrder, goal: "price monitoring", rentPeriodDays: 60 };
  const { checked, failures } = await run.orders.check(owner, inputs, given(program));
  expect(failures).toEqual([]);
  expect(checked).toMatchObject({ goal: "price monitoring", quote: { effect: "none" } });
  expect(await run.orders.diff(state, checked, new Set())).toEqual({ kind: "none" });
  expect(spendingOf(simulator).orderCalls).toBe(0);

  const larger = given({ ...program, quantity: 3 });
  const { checked: grown } = await run.orders.check(owner, inputs, larger);
  expect(grown.quote).toMatchObject({ effect: "topUp", quantity: 1 });
  expect(await run.orders.diff(state, grown, new Set())).toMatchObject({ kind: "update" });
  const after = await run.orders.update(state, grown as CheckedOrder);
  expect(after.ipAddressIds).toHaveLength(3);
  expect(spendingOf(simulator).orderCalls).toBe(1);
});
