import { describe, expect, test } from "vitest";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import { serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf } from "../../support/orders-under-test.ts";

describe("create", () => {
  test("asks the price again, orders once and records what was paid", async () => {
    const { buy, service, clock } = beginRun();
    const { inputs, state } = await buy();
    expect(service.calls).toMatchObject({ calculateOrder: 2, createOrder: 1 });
    expect(state).toMatchObject({
      orderNumber: "7000",
      orderIds: ["7000"],
      status: "active",
      expiresAt: "2026-03-31T00:00:00.000+00:00",
      ipAddressIds: ["ip-1", "ip-2", "ip-3", "ip-4", "ip-5"],
      purchases: [
        {
          requestId: inputs.requestId,
          orderNumber: "7000",
          quantity: 5,
          rentPeriodDays: 30,
          price: 7,
          currency: "USD",
          discount: 0,
          at: clock.now().toISOString(),
        },
      ],
      stateVersion: 1,
    });
  });

  test("keeps logins out of the plain outputs, and returns them as credentials and URLs", async () => {
    const { state } = await beginRun().buy();
    const { credentials, urls, ...plain } = state;
    expect(JSON.stringify(plain)).not.toMatch(/pass:|pass%3A|user-1/);
    expect(credentials["ip-1"]).toEqual({ login: "user-1", password: "pass:1" });
    expect(urls[0]).toBe("http://user-1:pass%3A1@192.0.2.1:10001");
  });

  test("returns socks5 URLs if the order speaks SOCKS", async () => {
    const ipv6 = { proxyType: "IPv6", protocol: "SOCKS" };
    const { state } = await beginRun().buy("fleet", ipv6);
    expect(state.urls[0]).toBe("socks5://user-1:pass%3A1@192.0.2.1:20001");
  });

  test("pays the price if it has fallen, and records it", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    service.unitPrice = 1.2;
    const state = await orders.create(planned);
    expect(state.purchases[0]?.price).toBe(6);
    expect(service.calls.createOrder).toBe(1);
  });

  test("warns and keeps the order if the promo code ran out at the last moment", async () => {
    const { plan, orders, service, log } = beginRun();
    service.calculated = { promoCodeStatus: "VALID", discount: 10 };
    const planned = await plan("fleet", { promoCode: "SPRING10" });
    service.before.createOrder = async () => {
      service.calculated = { promoCodeStatus: "NO_VALID" };
      return undefined;
    };
    const state = await orders.create(planned);
    expect(state.purchases[0]).toMatchObject({ promoCodeStatus: "NO_VALID" });
    expect(log.warnings.join()).toContain("order 7000: the promo code was valid");
  });
});

describe("create buys nothing", () => {
  test.each<[string, Partial<CheckedOrder>]>([
    ["if the plan shows no purchase", { quote: { effect: "none" } }],
    [
      "if the plan shows no purchase, even with a price",
      { quote: { effect: "none", quantity: 5, price: 7, currency: "USD" } },
    ],
    ["if the plan leaves the purchase open", { quote: { effect: "unknown", priceAtMost: 100 } }],
    ["if the plan has no price", { quote: { effect: "buy", quantity: 5, currency: "USD" } }],
    ["if the quantity changed after the price was asked", { quantity: 6 }],
  ])("%s", async (_what, tampered) => {
    const { plan, orders, service } = beginRun();
    const planned = { ...(await plan()), ...tampered };
    const failure = await failureOf(orders.create(planned));
    expect(failure.code).toBe("NOT_PLANNED");
    expect(service.calls).toMatchObject({ calculateOrder: 1, createOrder: 0 });
  });

  test("from unreadable inputs", async () => {
    const { orders, service } = beginRun();
    expect((await failureOf(orders.create({}))).code).toBe("STATE_UNREADABLE");
    expect(service.calls.createOrder).toBe(0);
  });

  test("at a higher price than previewed, and names both", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    service.unitPrice = 1.402;
    const failure = await failureOf(orders.create(planned));
    expect(failure.code).toBe("PRICE_ROSE");
    expect(failure.message).toContain("the plan showed 7.00 USD, the service now asks 7.01 USD");
    expect(service.calls.createOrder).toBe(0);
  });

  test("in another currency than previewed", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    service.calculated = { currency: "EUR", price: 5 };
    expect((await failureOf(orders.create(planned))).code).toBe("PRICE_ROSE");
    expect(service.calls.createOrder).toBe(0);
  });

  test.each([
    ["INSUFFICIENT_FUNDS", { warnings: [{ code: 16, message: "Insufficient funds" }] }, {}],
    ["ORDER_WARNING", { warnings: [{ code: 3, message: "Hm" }] }, {}],
    ["PRICE_UNUSABLE", { price: null }, {}],
    ["PRICE_UNUSABLE", { price: -1 }, {}],
    ["PRICE_UNUSABLE", { price: 0 }, {}],
    ["PROMO_CODE_NOT_VALID", { promoCodeStatus: "NO_VALID" }, { promoCode: "A" }],
  ])("if a gate fails after the plan: %s", async (code, calculated, args) => {
    const { plan, orders, service } = beginRun();
    service.calculated = { promoCodeStatus: "VALID" };
    const planned = await plan("fleet", args);
    service.calculated = calculated;
    const failure = await failureOf(orders.create(planned));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain("Nothing was bought");
    expect(service.calls.createOrder).toBe(0);
  });

  test("above a cap that a policy set after the check", async () => {
    const { plan, orders, service } = beginRun();
    const failure = await failureOf(orders.create({ ...(await plan()), maxPrice: 6 }));
    expect(failure.code).toBe("PRICE_ABOVE_CAP");
    expect(service.calls.createOrder).toBe(0);
  });

  test("if the price can't be asked again", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    service.before.calculateOrder = async () => {
      throw serviceFailure("rejected");
    };
    expect((await failureOf(orders.create(planned))).code).toBe("SERVICE_REFUSED");
    expect(service.calls.createOrder).toBe(0);
  });

  test("above maxSpend, even if the plans of an earlier process passed", async () => {
    const planned = [];
    for (const name of ["a", "b", "c"]) planned.push(await beginRun().plan(name));
    const { orders, service } = beginRun({ settings: { maxSpend: 15 } });
    const outcomes = await Promise.allSettled(planned.map((inputs) => orders.create(inputs)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    const refused = outcomes[2];
    expect(refused).toHaveProperty("reason.code", "SPEND_LIMIT_REACHED");
    expect(refused).toHaveProperty("reason.message", expect.stringContaining("14.00 USD already"));
    expect(service.calls.createOrder).toBe(2);
  });
});
