import { describe, expect, test, vi } from "vitest";
import { createOrderPrices } from "../../../provider/core/account/order-prices.ts";
import { createManualClock } from "../support/account-under-test.ts";
import { createFakeService } from "../support/fake-service.ts";
import { beginRun, fiveProxies } from "../support/orders-under-test.ts";

const request = { ...fiveProxies, proxyType: "IPv4", authType: "LOGIN" } as const;

function makePrices() {
  const service = createFakeService();
  const clock = createManualClock();
  let spentAtMs = Number.NEGATIVE_INFINITY;
  const prices = createOrderPrices(service, clock, { spentAtMs: () => spentAtMs });
  const spend = () => {
    spentAtMs = clock.elapsedMs();
  };
  return { service, clock, prices, spend };
}

describe("the price of an order", () => {
  test("is asked once for all that ask the same of the service, also at the same time", async () => {
    const { service, prices } = makePrices();
    await Promise.all([prices.ask(request), prices.ask({ ...request })]);
    expect((await prices.ask(request)).price).toBe(7);
    expect(service.calls.calculateOrder).toBe(1);
  });

  test.each([
    ["country", { country: "DEU" }],
    ["quantity", { quantity: 6 }],
    ["period", { rentPeriodDays: 60 }],
    ["goal", { goal: "another" }],
    ["promo code", { promoCode: "AUTUMN" }],
  ])("is asked anew for another %s", async (_what, other) => {
    const { service, prices } = makePrices();
    await prices.ask(request);
    await prices.ask({ ...request, ...other });
    expect(service.calls.calculateOrder).toBe(2);
  });

  test("holds for ten seconds, and until this process spends", async () => {
    const { service, clock, prices, spend } = makePrices();
    await prices.ask(request);
    clock.advance(9_999);
    await prices.ask(request);
    expect(service.calls.calculateOrder).toBe(1);
    clock.advance(1);
    await prices.ask(request);
    expect(service.calls.calculateOrder).toBe(2);
    spend();
    service.unitPrice = 2;
    expect((await prices.ask(request)).price).toBe(10);
  });

  test("is asked anew after the machine has slept", async () => {
    const { service, clock, prices } = makePrices();
    await prices.ask(request);
    clock.suspend(10_000);
    await prices.ask(request);
    expect(service.calls.calculateOrder).toBe(2);
  });

  test.each([
    ["a warning", { warnings: [{ code: 1, message: "not enough" }] }],
    ["no price", { price: null }],
  ])("that comes with %s is nobody else's answer", async (_what, calculated) => {
    const { service, prices } = makePrices();
    service.calculated = calculated as typeof service.calculated;
    await Promise.all([prices.ask(request), prices.ask(request)]);
    await prices.ask(request);
    expect(service.calls.calculateOrder).toBe(3);
  });

  test("is asked again after a failure, for everybody who waited for it", async () => {
    const { service, prices } = makePrices();
    let failures = 0;
    service.before.calculateOrder = async () => {
      failures += 1;
      if (failures === 1) throw new Error("gone");
      return undefined;
    };
    const [first, second] = await Promise.allSettled([prices.ask(request), prices.ask(request)]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
  });
});

describe("a price that was asked ahead", () => {
  test("is the answer of whoever asks next, whatever it says, and of nobody else", async () => {
    const { service, prices } = makePrices();
    service.calculated = { price: null } as typeof service.calculated;
    prices.askAhead(request);
    prices.askAhead(request);
    await prices.ask(request);
    expect(service.calls.calculateOrder).toBe(1);
    await prices.ask(request);
    expect(service.calls.calculateOrder).toBe(2);
  });

  test("fails for who asks next", async () => {
    const { service, prices } = makePrices();
    service.before.calculateOrder = async () => {
      throw new Error("gone");
    };
    prices.askAhead(request);
    await expect(prices.ask(request)).rejects.toThrow("gone");
  });
});

describe("a plan", () => {
  test("of a first purchase asks for all that it needs at once", async () => {
    const { service, plan } = beginRun();
    const answer = Promise.withResolvers<undefined>();
    service.before.listCountries = () => answer.promise;
    const planned = plan();
    await vi.waitFor(() => {
      expect(service.calls).toMatchObject({ calculateOrder: 1, listProxies: 1 });
    });
    answer.resolve(undefined);
    await planned;
    expect(service.calls).toMatchObject({ calculateOrder: 1, listProxies: 1 });
  });

  test("asks for one price a specification, and counts each order against limits and promo codes", async () => {
    const run = beginRun({ settings: { maxSpend: 15 } });
    await run.plan("one");
    await run.plan("two");
    expect(run.service.calls.calculateOrder).toBe(1);
    await expect(run.plan("three")).rejects.toThrow("SPEND_LIMIT");
    expect(run.service.calls.calculateOrder).toBe(1);
  });

  test("is bought at a price that was asked anew", async () => {
    const run = beginRun();
    const inputs = await run.plan("one");
    run.service.unitPrice = 3;
    await expect(run.orders.create(inputs)).rejects.toThrow("PRICE_ROSE");
    expect(run.service.orders).toEqual([]);
  });
});
