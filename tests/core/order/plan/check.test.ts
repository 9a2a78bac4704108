import { describe, expect, test } from "vitest";
import { serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

describe("a first check", () => {
  test("puts price, balance and effect into the plan, and spends nothing", async () => {
    const { orders, service, log } = beginRun();
    const { checked, failures } = await orders.check(ownerOf("fleet"), undefined, given());
    expect(failures).toEqual([]);
    expect(checked).toEqual({
      ...given().known,
      authType: "LOGIN",
      owner: ownerOf("fleet"),
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      quote: {
        effect: "buy",
        quantity: 5,
        price: 7,
        currency: "USD",
        discount: 0,
        promoCodeStatus: undefined,
        balance: 1000,
      },
      holdings: { held: 5, released: [] },
    });
    expect(log.lines).toEqual([
      "fleet: buys 5 IPv4 proxies in USA for 30 days for 7.00 USD; bought now, it is paid until about 2026-03-31",
    ]);
    expect(service.calls.createOrder).toBe(0);
  });

  test("is the same in every process, whatever the clock and the order of arguments", async () => {
    const first = await beginRun().plan();
    const { orders, clock } = beginRun();
    clock.advance(86_400_000);
    const known = Object.fromEntries(Object.entries(given().known).toReversed());
    const again = await orders.check(ownerOf("fleet"), undefined, { known, unknown: new Set() });
    expect(again.checked).toEqual(first);
  });

  test("keeps the balance out of the plan if the settings say so, but counts it", async () => {
    const { account, orders, log } = beginRun({
      settings: { showBalance: false },
      service: { balance: 10 },
    });
    const { checked } = await orders.check(ownerOf("a"), undefined, given());
    expect(checked.quote).not.toHaveProperty("balance", expect.anything());
    expect(`${log.lines.join()} ${await account.story.lastWords()}`).not.toContain("alance");
    const { failures } = await orders.check(ownerOf("b"), undefined, given());
    expect(failures).toHaveLength(1);
  });

  test("reports wrong arguments and arguments not on offer together, and asks no price", async () => {
    const { orders, service } = beginRun();
    const wrong = given({ country: "FRA", quantity: 0, rentPeriodDays: 7 });
    const { failures } = await orders.check(ownerOf("fleet"), undefined, wrong);
    expect(failures.map(({ property }) => property)).toEqual([
      "quantity",
      "country",
      "rentPeriodDays",
    ]);
    expect(service.calls.calculateOrder).toBe(0);
  });

  test.each([
    ["a warning", { warnings: [{ code: 16, message: "Insufficient funds" }] }, {}, "quote"],
    [
      "a promo code that is not valid",
      { promoCodeStatus: "NO_VALID" },
      { promoCode: "A" },
      "promoCode",
    ],
    ["no price", { price: null }, {}, "quote"],
    ["a price of 0", { price: 0 }, {}, "quote"],
    ["a price above the cap", {}, { maxPrice: 6.99 }, "maxPrice"],
  ])("fails at preview for %s", async (_what, calculated, args, property) => {
    const { orders, service } = beginRun();
    service.calculated = calculated;
    const { failures } = await orders.check(ownerOf("fleet"), undefined, given(args));
    expect(failures.map((failure) => failure.property)).toEqual([property]);
  });

  test("says that nothing was bought if the service is in trouble", async () => {
    const { orders, service } = beginRun();
    service.before.calculateOrder = async () => {
      throw serviceFailure("rejected");
    };
    const failure = await failureOf(orders.check(ownerOf("fleet"), undefined, given()));
    expect(failure.code).toBe("SERVICE_REFUSED");
    expect(failure.message).toContain("Nothing was bought");
  });
});

describe("a check with unknown arguments", () => {
  test("leaves the price open and asks for none", async () => {
    const { orders, service } = beginRun();
    const { checked, failures } = await orders.check(ownerOf("a"), undefined, given({}, "country"));
    expect(failures).toEqual([]);
    expect(checked.quote).toMatchObject({ effect: "unknown", quantity: 5 });
    expect(checked).not.toHaveProperty("requestId");
    expect(service.calls.calculateOrder).toBe(0);
  });

  test("tells the balance and its currency, as a priced one does, unless the settings say not to", async () => {
    const quoteOf = async (showBalance: boolean) => {
      const { orders } = beginRun({ settings: { showBalance } });
      return (await orders.check(ownerOf("a"), undefined, given({}, "country"))).checked.quote;
    };
    expect(await quoteOf(true)).toMatchObject({ balance: 1000, currency: "USD" });
    expect(await quoteOf(false)).toMatchObject({ balance: undefined, currency: "USD" });
  });

  test("counts the cap against the balance, because that is what it may cost", async () => {
    const { orders } = beginRun({ service: { balance: 100 } });
    const capped = (maxPrice: number) => given({ maxPrice }, "country");
    const first = await orders.check(ownerOf("a"), undefined, capped(60));
    expect(first.checked.quote).toMatchObject({ effect: "unknown", priceAtMost: 60 });
    expect(first.failures).toEqual([]);
    const second = await orders.check(ownerOf("b"), undefined, capped(60));
    expect(second.failures.map(({ property }) => property)).toEqual(["maxPrice"]);
  });

  test("still refuses wrong known arguments", async () => {
    const { orders } = beginRun();
    const { failures } = await orders.check(
      ownerOf("a"),
      undefined,
      given({ rentPeriodDays: 7 }, "country"),
    );
    expect(failures.map(({ property }) => property)).toEqual(["rentPeriodDays"]);
  });
});

describe("the plans of one run add up", () => {
  test("and the one that exceeds the balance fails, to the cent", async () => {
    const { orders, service } = beginRun({ service: { balance: 21 } });
    const outcomes = [];
    for (const name of ["a", "b", "c", "d"]) {
      const { failures } = await orders.check(ownerOf(name), undefined, given());
      outcomes.push(failures.length);
    }
    expect(outcomes).toEqual([0, 0, 0, 1]);
    expect(service.calls.createOrder).toBe(0);
  });

  test("and the one that exceeds maxSpend fails, and the error names the sum", async () => {
    const { orders } = beginRun({ settings: { maxSpend: 13.99 } });
    await orders.check(ownerOf("a"), undefined, given());
    const { failures } = await orders.check(ownerOf("b"), undefined, given());
    expect(failures[0]?.reason).toContain(
      "come to 14.00 USD, above proxyrental:maxSpend (13.99 USD)",
    );
  });

  test("but a failed plan does not count, and a later plan of the same resource replaces its earlier one", async () => {
    const { orders } = beginRun({ service: { balance: 10 } });
    const check = (name: string, quantity: number) =>
      orders.check(ownerOf(name), undefined, given({ quantity }));
    expect((await check("big", 50)).failures).toHaveLength(1);
    expect((await check("a", 5)).failures).toHaveLength(0);
    expect((await check("a", 6)).failures).toHaveLength(0);
    expect((await check("b", 1)).failures).toHaveLength(0);
    expect((await check("c", 1)).failures).toHaveLength(1);
  });

  test("against the first balance of the run, because the sum includes what it has paid since", async () => {
    const { plan, buy, orders } = beginRun({ service: { balance: 15 } });
    await buy("a");
    expect((await plan("b")).quote.balance).toBe(15);
    const { failures } = await orders.check(ownerOf("c"), undefined, given());
    expect(failures).toHaveLength(1);
  });

  test("in whatever order many checks run at the same time", async () => {
    const { orders } = beginRun({ service: { balance: 70 } });
    const checks = Array.from({ length: 25 }, (_, index) =>
      orders.check(ownerOf(`n${index}`), undefined, given()),
    );
    const results = await Promise.all(checks);
    expect(results.filter(({ failures }) => failures.length === 0)).toHaveLength(10);
  });
});

describe("a check of a paid order", () => {
  test("makes no request if nothing would be bought", async () => {
    const { inputs } = await beginRun().buy();
    const { orders, service } = beginRun();
    const { checked, failures } = await orders.check(ownerOf("fleet"), inputs, given());
    expect(failures).toEqual([]);
    expect(Object.values(service.calls).every((count) => count === 0)).toBe(true);
    expect(checked).toMatchObject({
      requestId: inputs.requestId,
      holdings: inputs.holdings,
      quote: {
        effect: "none",
        owned: { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" },
      },
    });
  });

  test("keeps the arguments of the last purchase, check after check", async () => {
    const { inputs } = await beginRun().buy();
    const { orders } = beginRun();
    const second = await orders.check(ownerOf("fleet"), inputs, given());
    const third = await orders.check(ownerOf("fleet"), second.checked, given());
    expect(third.checked).toEqual(second.checked);
  });

  test.each([
    ["goal", { goal: "other" }],
    ["rentPeriodDays", { rentPeriodDays: 90 }],
    ["promoCode", { promoCode: "SPRING10" }],
  ])("records %s for the next purchase, says so and buys nothing", async (name, edit) => {
    const { inputs } = await beginRun().buy();
    const { orders, service, log } = beginRun();
    const { checked, failures } = await orders.check(ownerOf("fleet"), inputs, given(edit));
    expect(failures).toEqual([]);
    expect(checked).toMatchObject({
      ...edit,
      requestId: inputs.requestId,
      quote: { effect: "none" },
    });
    expect(log.lines).toEqual([`fleet: ${name} recorded for the next purchase; nothing is bought`]);
    expect(service.calls.calculateOrder).toBe(0);
  });

  test.each([
    ["is no longer only recorded if this plan buys with it", 8, /^fleet: buys 3 /],
    ["stays recorded if this plan only lets some go", 3, /^fleet: rentPeriodDays recorded/],
  ])("an edited argument %s", async (_what, quantity, first) => {
    const { inputs } = await beginRun().buy();
    const { orders, log } = beginRun();
    await orders.check(ownerOf("fleet"), inputs, given({ rentPeriodDays: 90, quantity }));
    expect(log.lines[0]).toMatch(first);
    const isRecorded = log.lines.some((line) => line.includes("recorded for the next purchase"));
    expect(isRecorded).toBe(quantity < 5);
  });

  test("refuses to record arguments that the service does not offer", async () => {
    const { inputs } = await beginRun().buy();
    const { orders } = beginRun();
    const { failures } = await orders.check(ownerOf("fleet"), inputs, given({ rentPeriodDays: 7 }));
    expect(failures.map(({ property }) => property)).toEqual(["rentPeriodDays"]);
  });

  test("fails on unreadable inputs", async () => {
    const { orders, service } = beginRun();
    const failure = await failureOf(orders.check(ownerOf("a"), { quantity: "five" }, given()));
    expect(failure.code).toBe("STATE_UNREADABLE");
    expect(service.calls.calculateOrder).toBe(0);
  });
});
