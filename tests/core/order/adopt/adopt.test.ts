import { describe, expect, test } from "vitest";
import { phasesOf } from "../../../journals/file/killed-runs.ts";
import {
  AFTER_END,
  createFakeService,
  type FakeService,
  record,
} from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../../support/orders-under-test.ts";

/** An account with an order that was bought outside of this program. */
function accountWith(count = 5, more: Parameters<typeof record>[2] = {}): FakeService {
  const service = createFakeService();
  for (let n = 1; n <= count; n++) service.records.push(record("9000", n, more));
  return service;
}

const naming9000 = { adoptOrderNumber: "9000" };

const failuresOf = async (run: Run, args: object, name = "fleet") =>
  (await run.orders.check(ownerOf(name), undefined, given(args))).failures;

describe("an order that the program adopts", () => {
  test("is adopted as it is listed, at preview and at up, and nothing is bought", async () => {
    const run = beginRun({ service: accountWith() });
    const { inputs, state } = await run.buy("fleet", naming9000);
    expect(inputs).toMatchObject({
      quote: { effect: "adopt", quantity: 5, price: 0, currency: "USD" },
      holdings: { held: 5, released: [], adopted: 5 },
    });
    expect(state).toMatchObject({
      orderNumber: "9000",
      orderIds: ["9000"],
      status: "active",
      purchases: [],
      ipAddressIds: ["ip-1", "ip-2", "ip-3", "ip-4", "ip-5"],
    });
    expect(run.service.calls).toMatchObject({ createOrder: 0, calculateOrder: 0, extend: 0 });
    expect(run.log.lines.join()).toContain("takes over order 9000");
    expect(await phasesOf(run)).toEqual([]);
  });

  test("is not adopted by a resource without a stack, which no state would remember", async () => {
    const { orders, service } = beginRun({ service: accountWith() });
    const owner = "urn:pulumi:dev::default::proxyrental:index:ProxyOrder::ProxyOrder";
    const { failures } = await orders.check(owner, undefined, given(naming9000));
    expect(failures).toMatchObject([{ code: "STACK_REQUIRED" }]);
    const { checked } = await orders.check(ownerOf("fleet"), undefined, given(naming9000));
    await expect(orders.create({ ...checked, owner })).rejects.toThrow("STACK_REQUIRED: ");
    expect(service.calls).toMatchObject({ createOrder: 0 });
  });

  test("stays in place through the next run", async () => {
    const { service, ...first } = beginRun({ service: accountWith() });
    const { inputs, state } = await first.buy("fleet", naming9000);
    const next = beginRun({ service });
    expect(await next.orders.read(state)).toMatchObject({ kind: "present", state });
    const again = await next.orders.check(ownerOf("fleet"), inputs, given(naming9000));
    expect(again).toMatchObject({ failures: [], checked: { quote: { effect: "none" } } });
    expect(await next.orders.diff(state, again.checked, new Set())).toEqual({ kind: "none" });
    expect(service.calls.createOrder).toBe(0);
  });

  test("is adopted with its living proxies, though ended ones are still listed", async () => {
    const service = accountWith();
    service.records.push(record("9000", 6, { dateEnd: "2026-02-28T00:00:00Z" }));
    const { state } = await beginRun({ service }).buy("fleet", naming9000);
    expect(state.ipAddressIds).toEqual(["ip-1", "ip-2", "ip-3", "ip-4", "ip-5"]);
    expect(state).toMatchObject({ quantity: 5, expiresAt: state.proxies[0]?.dateEnd });
    const next = beginRun({ service });
    expect(await next.orders.read(state)).toMatchObject({ kind: "present", state });
    expect(service.calls.createOrder).toBe(0);
  });

  test.each([
    ["does not exist", accountWith(0), /not among the account's IPv4 proxies/],
    [
      "holds fewer proxies",
      accountWith(4),
      /holds 4 IPv4 proxies in USA; the program says 5 in USA/,
    ],
    ["holds more proxies", accountWith(6), /holds 6 IPv4 proxies/],
    [
      "is in another country",
      accountWith(5, { country: "DEU" }),
      /in DEU; the program says 5 in USA/,
    ],
    ["has ended", accountWith(5, { dateEnd: "2026-02-28T00:00:00Z" }), /which has ended/],
  ])("and that %s is refused, and nothing is bought", async (_what, service, reason) => {
    const run = beginRun({ service });
    const failures = await failuresOf(run, naming9000);
    expect(failures).toMatchObject([{ property: "adoptOrderNumber" }]);
    expect(failures[0]?.reason).toMatch(reason);
    expect(service.calls.createOrder).toBe(0);
  });

  test("and that changes between preview and up is refused, and nothing is bought instead", async () => {
    const run = beginRun({ service: accountWith() });
    const planned = await run.plan("fleet", naming9000);
    run.service.now = AFTER_END;
    run.account.listing.invalidate();
    run.clock.advance(60_000);
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("NOT_PLANNED");
    expect(failure.message).toContain("Nothing was bought");
    expect(run.service.calls.createOrder).toBe(0);
  });

  test("can't be adopted by two resources of one program", async () => {
    const run = beginRun({ service: accountWith() });
    await run.plan("fleet", naming9000);
    const failures = await failuresOf(run, naming9000, "other");
    expect(failures[0]?.reason).toContain("which fleet owns already");
    // The check of the first one still passes when it is repeated.
    expect(await failuresOf(run, naming9000)).toEqual([]);
  });

  test("can't be adopted while another resource has it in its state", async () => {
    const first = beginRun({ service: accountWith() });
    const { inputs, state } = await first.buy("fleet", naming9000);
    const next = beginRun({ service: first.service });
    await next.orders.check(ownerOf("fleet"), inputs, given(naming9000));
    await next.orders.diff(state, inputs, new Set());
    expect((await failuresOf(next, naming9000, "other"))[0]?.reason).toContain(
      "fleet owns already",
    );
  });

  test("can be adopted from a resource that was renamed, because only the state has the old name", async () => {
    const first = beginRun({ service: accountWith() });
    const { state } = await first.buy("old", naming9000);
    const next = beginRun({ service: first.service });
    await next.orders.read(state);
    const { state: taken } = await next.buy("new", naming9000);
    expect(taken.orderNumber).toBe("9000");
    expect(next.service.calls.createOrder).toBe(0);
  });

  test("by a number from the journal is found in the listing", async () => {
    const run = beginRun();
    run.service.before.createOrder = async ({ quantity }) => {
      run.service.records.push(
        ...Array.from({ length: quantity }, (_, n) => record("L-77", n + 1)),
      );
      return { orderNumber: "5001", promoCodeStatus: null, balance: 993 };
    };
    await run.buy();
    const { state } = await beginRun({ service: run.service }).buy("renamed", {
      adoptOrderNumber: "5001",
    });
    expect(state).toMatchObject({ orderNumber: "5001", orderIds: ["L-77"] });
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("232: by the number of an order that has ended is refused, though one like it is listed", async () => {
    const run = beginRun();
    await run.buy();
    run.service.records = [1, 2, 3, 4, 5].map((n) => record("7900", n));
    const failures = await failuresOf(beginRun({ service: run.service }), {
      adoptOrderNumber: "7000",
    });
    expect(failures[0]?.reason).toContain("names order 7000, which is not among");
  });

  test("by a number from the journal is none that another purchase has become", async () => {
    const run = beginRun({ service: { deliverAtOnce: 0 } });
    const numbers = ["5001", "5002"];
    run.service.before.createOrder = async () => ({
      orderNumber: numbers.shift() ?? "",
      promoCodeStatus: null,
      balance: 993,
    });
    for (const name of ["fleet", "other"]) {
      expect((await failureOf(run.buy(name))).code).toBe("DELIVERY_PENDING");
    }
    run.service.records.push(...[1, 2, 3, 4, 5].map((n) => record("L-77", n)));
    const { journal } = run.account;
    const other = (await journal.readAll()).find(({ orderNumber }) => orderNumber === "5002");
    if (other) await journal.change(other, { phase: "returned", orderIds: ["L-77"] });
    const failures = await failuresOf(beginRun({ service: run.service }), {
      adoptOrderNumber: "5001",
    });
    expect(other).toBeDefined();
    expect(failures[0]?.reason).toContain("names order 5001, which is not among");
  });

  test("by a number that may mean two listed orders is refused", async () => {
    const run = beginRun({ service: { deliverAtOnce: 0 } });
    run.service.before.createOrder = async () => ({
      orderNumber: "5001",
      promoCodeStatus: null,
      balance: 993,
    });
    expect((await failureOf(run.buy())).code).toBe("DELIVERY_PENDING");
    for (const [index, orderId] of ["L-77", "L-78"].entries()) {
      run.service.records.push(...[1, 2, 3, 4, 5].map((n) => record(orderId, 10 * index + n)));
    }
    const failures = await failuresOf(beginRun({ service: run.service }), {
      adoptOrderNumber: "5001",
    });
    expect(failures[0]?.reason).toContain("5001");
  });
});

describe("an edit of an adopted order", () => {
  async function adopted() {
    const { service, ...run } = beginRun({ service: accountWith() });
    return { service, ...(await run.buy("fleet", naming9000)), next: beginRun({ service }) };
  }

  test("that removes the argument changes nothing", async () => {
    const { inputs, state, next } = await adopted();
    const { checked, failures } = await next.orders.check(ownerOf("fleet"), inputs, given());
    expect(failures).toEqual([]);
    expect(checked.quote?.effect).toBe("none");
    expect(await next.orders.diff(state, checked, new Set())).toEqual({ kind: "none" });
  });

  test("that names another order is a replacement, and buys nothing", async () => {
    const { inputs, state, next, service } = await adopted();
    service.records.push(...[11, 12, 13, 14, 15].map((n) => record("9001", n)));
    const naming9001 = { adoptOrderNumber: "9001" };
    const { checked, failures } = await next.orders.check(
      ownerOf("fleet"),
      inputs,
      given(naming9001),
    );
    expect(failures).toEqual([]);
    expect(checked.quote).toMatchObject({ effect: "adopt", price: 0 });
    expect(await next.orders.diff(state, checked, new Set())).toEqual({
      kind: "replace",
      properties: ["adoptOrderNumber"],
    });
    const { state: taken } = await next.buy("fleet", naming9001);
    expect(taken.orderNumber).toBe("9001");
    expect(service.calls.createOrder).toBe(0);
  });

  test.each([
    [{ authType: "IP", authIp: "192.0.2.1" }],
    [{ rentPeriodDays: 90 }],
    [{ goal: "other" }],
  ])("of facts that the listing does not show is recorded: %j", async (args) => {
    const { inputs, state, next, service } = await adopted();
    const edited = given({ ...naming9000, ...args });
    const { checked, failures } = await next.orders.check(ownerOf("fleet"), inputs, edited);
    expect(failures).toEqual([]);
    expect(await next.orders.diff(state, checked, new Set())).toEqual({ kind: "none" });
    expect(service.calls.createOrder).toBe(0);
  });

  test("of the country is refused, because the listing shows it", async () => {
    const { inputs, state, next, service } = await adopted();
    const edited = given({ ...naming9000, country: "DEU" });
    const { checked } = await next.orders.check(ownerOf("fleet"), inputs, edited);
    expect((await failureOf(next.orders.diff(state, checked, new Set()))).code).toBe(
      "EDIT_REFUSED",
    );
    expect(service.calls.createOrder).toBe(0);
  });
});

test("an edit that names the resource's own order changes nothing", async () => {
  const run = beginRun();
  const { inputs, state } = await run.buy();
  const next = beginRun({ service: run.service });
  await next.orders.read(state);
  const naming = given({ adoptOrderNumber: "7000" });
  const { checked, failures } = await next.orders.check(ownerOf("fleet"), inputs, naming);
  expect(failures).toEqual([]);
  expect(await next.orders.diff(state, checked, new Set())).toEqual({ kind: "none" });
  expect(run.service.calls.createOrder).toBe(1);
});
