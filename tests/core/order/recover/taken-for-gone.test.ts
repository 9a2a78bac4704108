import { describe, expect, test } from "vitest";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import {
  bought,
  boughtAsL1,
  buyAnew,
  foundGone,
  later,
  readPresent,
  settingsWith,
} from "../../support/ended-orders.ts";
import {
  moveEnds,
  record,
  serviceFailure,
  showInstead,
  unlist,
} from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../../support/orders-under-test.ts";

/** An order that its state knows, beside another one. */
async function boughtBeside() {
  const { run, service, state, inputs } = await bought();
  await run.buy("other");
  return { run, service, inputs, state: await readPresent(run, state) };
}

/** The same, two days after its end, and found gone in the ordinary way. */
async function ended() {
  const left = await boughtBeside();
  left.service.now = new Date("2026-04-02T00:00:00Z");
  expect((await later(left.run).orders.read(left.state)).kind).toBe("gone");
  return left;
}

/** Another resource takes an order over. */
async function adopt(run: Pick<Run, "service">, name: string) {
  const { orders } = later(run);
  const args = given({ adoptOrderNumber: "7000" });
  const { checked } = await orders.check(ownerOf(name), undefined, args);
  return {
    inputs: checked as CheckedOrder,
    state: await orders.create(checked as CheckedOrder),
  };
}

/** The codes of what stops the plan of a resource that has no state. */
async function planAnew(run: Pick<Run, "service">, name: string, args: object = {}, options = {}) {
  const { orders } = later(run, options);
  const { failures } = await orders.check(ownerOf(name), undefined, given(args));
  return failures.map(({ code }) => code);
}

describe("271: a refresh reads listings that are behind an extension by hand, and finds the order gone; then it is listed:", () => {
  test("the next run does not buy it again, and says how to take it over", async () => {
    const { run, state } = await boughtBeside();
    await foundGone(run, state);
    const { bought: count, refusal } = await buyAnew(run);
    expect(count).toBe(0);
    expect(refusal).toContain(
      "it was found gone, and it is listed and paid until 2026-04-30T00:00:00.000Z",
    );
    expect(refusal).toContain('adoptOrderNumber: "7000"');
    expect(refusal).toContain(
      "if it is accounted for elsewhere, list 7000 in proxyrental:foreignOrders",
    );
  });

  test("the same run does not buy it again", async () => {
    const { run, state } = await boughtBeside();
    const { orders, account } = await foundGone(run, state);
    account.listing.invalidate();
    const { failures } = await orders.check(ownerOf("fleet"), undefined, given());
    expect(failures.map(({ code }) => code)).toEqual(["ORDER_MAY_BE_PAID"]);
  });

  test.each([undefined, new Date("2026-05-02T00:00:00Z")])(
    "a purchase that was planned before it was listed is not sent, also if one answer tells %s",
    async (now) => {
      const { run, service, state } = await boughtBeside();
      const behind = [...service.records];
      await foundGone(run, state);
      showInstead(service, "all", () => behind);
      const { orders, plan } = later(run);
      const planned = await plan();
      showInstead(
        service,
        [1],
        (rows) => rows,
        () => now ?? service.now,
      );
      const { code, message } = await failureOf(orders.create(planned));
      expect(code).toBe("ORDER_MAY_BE_PAID");
      expect(message).toContain("This purchase was not sent.");
      expect(service.calls.createOrder).toBe(2);
    },
  );

  test("a person says that it is somebody else's: another one is bought", async () => {
    const { run, state } = await boughtBeside();
    await foundGone(run, state);
    const options = settingsWith("foreignOrders", "7000");
    expect(await buyAnew(run, {}, options)).toEqual({ bought: 1, refusal: "" });
  });

  test("a person takes it over: it is the resource's again", async () => {
    const { run, state } = await boughtBeside();
    await foundGone(run, state);
    const args = { adoptOrderNumber: "7000" };
    expect(await buyAnew(run, args)).toEqual({ bought: 0, refusal: "" });
  });

  test("a part of it was let go: the rest is not bought again", async () => {
    const { run } = await boughtBeside();
    const keeper = await adopt(run, "keeper");
    const state = await readPresent(run, keeper.state);
    const args = given({ adoptOrderNumber: "7000", quantity: 3 });
    const shrink = later(run);
    const { checked } = await shrink.orders.check(ownerOf("keeper"), keeper.inputs, args);
    const smaller = await shrink.orders.update(state, checked as CheckedOrder);
    const next = later(run);
    const again = await next.orders.check(ownerOf("keeper"), checked, args);
    await next.orders.diff(smaller, again.checked, new Set());
    await foundGone(run, smaller);
    expect(await planAnew(run, "keeper", { quantity: 3 })).toEqual(["ORDER_MAY_BE_PAID"]);
  });

  test("its proxies have new ids, and the former ones are still listed: it is not bought again", async () => {
    const { run, service, state } = await boughtBeside();
    await foundGone(run, state);
    const own = service.records.filter(({ orderId }) => orderId === "7000");
    service.records.push(
      ...own.map((row) => ({
        ...row,
        ipAddressId: `${row.ipAddressId}-former`,
        dateEnd: "2026-03-31T00:00:00Z",
      })),
    );
    expect(await planAnew(run, "fleet")).toEqual(["ORDER_MAY_BE_PAID"]);
  });

  test("two resources had it, and the later one was taken out of the program: the buyer does not buy it again", async () => {
    const { run, inputs, state } = await boughtBeside();
    const keeper = await adopt(run, "keeper");
    const { orders } = later(run);
    for (const [name, one, args] of [
      ["keeper", keeper, { adoptOrderNumber: "7000" }],
      ["fleet", { inputs, state }, {}],
    ] as const) {
      const { checked } = await orders.check(ownerOf(name), one.inputs, given(args));
      await orders.diff(one.state, checked, new Set());
    }
    await foundGone(run, keeper.state, state);
    expect(await buyAnew(run)).toMatchObject({ bought: 0 });
  });

  test("the refresh was declined, and the resource is deleted later: it stops nothing", async () => {
    const { run, state } = await boughtBeside();
    await foundGone(run, state);
    await later(run).orders.delete(await readPresent(run, state));
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });

  test("no refresh has found that, but a plan after a killed run: it is not said to be not placed", async () => {
    const { run, service, state } = await bought();
    run.die();
    const behind = [...service.records];
    moveEnds(service, state.ipAddressIds, 30);
    service.now = new Date("2026-04-02T00:00:00Z");
    showInstead(service, "all", () => behind);
    expect(await planAnew(run, "fleet")).toEqual([]);
    service.before = {};
    const { refusal } = await buyAnew(run);
    expect(refusal).toContain("it was found gone, and it is listed and paid until 2026-04-30");
    expect(refusal).not.toContain("not placed");
  });
});

describe("271: an order that has ended and was found gone", () => {
  test("is listed with its past end: it is bought anew", async () => {
    const { run } = await ended();
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });

  test("was listed under another id than its number, which is another order's by now: it is bought anew", async () => {
    const { run, service, state } = await boughtAsL1();
    expect(state).toMatchObject({ orderNumber: "7005", orderIds: ["L-1"] });
    service.now = new Date("2026-04-02T00:00:00Z");
    expect((await later(run).orders.read(state)).kind).toBe("gone");
    service.records.push({ ...record("7005", 9), dateEnd: "2026-06-01T00:00:00Z" });
    expect(await buyAnew(run)).toEqual({ bought: 1, refusal: "" });
  });

  test("had the number that another resource's order has a year later: it is bought anew", async () => {
    const { run, service } = await ended();
    unlist(service, ({ orderId }) => orderId === "7000");
    service.now = new Date("2027-04-02T00:00:00Z");
    service.before.createOrder = async () => {
      const dates = { dateStart: "2027-04-02T00:00:00Z", dateEnd: "2027-05-02T00:00:00Z" };
      service.records.push(...[21, 22, 23, 24, 25].map((number) => record("7000", number, dates)));
      return { orderNumber: "7000", promoCodeStatus: null, balance: service.balance };
    };
    const { state: pool } = await later(run).buy("pool");
    service.before = {};
    const { orders } = later(run);
    await orders.read(pool);
    const { failures } = await orders.check(ownerOf("fleet"), undefined, given());
    expect(failures).toEqual([]);
  });

  test.each([
    ["service", { baseUrl: "http://real.test" }],
    ["account", { apiKey: "key-b" }],
  ])(
    "has the number of another %s's order in another country: it is bought anew",
    async (_, other) => {
      const run = beginRun({ apiKey: "key-a" });
      const { service } = run;
      const { state: fresh } = await run.buy();
      const state = await readPresent(run, fresh, { apiKey: "key-a" });
      service.now = new Date("2026-04-02T00:00:00Z");
      expect((await later(run, { apiKey: "key-a" }).orders.read(state)).kind).toBe("gone");
      service.records = [record("7000", 31, { country: "DEU", dateEnd: "2026-09-01T00:00:00Z" })];
      expect(await planAnew(run, "fleet", {}, other)).toEqual([]);
    },
  );

  test("had a type whose listing fails, and the resource has another type now: that one is bought", async () => {
    const { run, service } = await ended();
    service.before.listProxies = async ({ proxyType }) => {
      if (proxyType === "IPv4") throw serviceFailure("rejected");
      return undefined;
    };
    const args = { proxyType: "IPv6", rentPeriodDays: 90, protocol: "HTTP" };
    expect(await buyAnew(run, args)).toEqual({ bought: 1, refusal: "" });
  });
});

describe("271: goneOrders names an order by its number, and its state is lost:", () => {
  test("the order lives: a refresh refuses the setting, and it is not bought twice", async () => {
    const { run, state } = await boughtBeside();
    const options = settingsWith("goneOrders", "7000");
    expect((await failureOf(later(run, options).orders.read(state))).code).toBe(
      "CONFIGURATION_INVALID",
    );
    const { bought: count, refusal } = await buyAnew(run, {}, options);
    expect(count).toBe(0);
    expect(refusal).toContain(
      "proxyrental:goneOrders declares it gone, and it is listed and paid until 2026-03-31T00:00:00.000Z, so take it out of goneOrders",
    );
  });

  test("the order is refunded and not listed: it is bought anew", async () => {
    const { run, service } = await boughtBeside();
    unlist(service, ({ orderId }) => orderId === "7000");
    const options = settingsWith("goneOrders", "7000");
    expect(await buyAnew(run, {}, options)).toEqual({ bought: 1, refusal: "" });
  });
});
