import { describe, expect, test } from "vitest";
import {
  beginRun,
  given,
  laterRun,
  owner,
  TWO_PERIODS,
} from "../../support/extensions-under-test.ts";
import { record } from "../../support/fake-service.ts";
import { failureOf } from "../../support/orders-under-test.ts";

const nothingAsked = { listProxies: 0, calculateExtension: 0, extend: 0, getBalance: 0 };

describe("a plan", () => {
  test("has the price of what is missing, and spends nothing", async () => {
    const { plan, service, log, ends } = beginRun({ service: { balance: 100 } });
    const before = ends();
    const checked = await plan();
    expect(checked).toMatchObject({
      owner,
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      quote: { effect: "extend", quantity: 2, price: 2, currency: "USD", balance: 100 },
      rounds: [{ quantity: 2, price: 2 }],
      addresses: { "ip-1": "192.0.2.1 10001", "ip-2": "192.0.2.2 10002" },
    });
    expect(log.lines).toEqual([
      "keep: extends 2 IPv4 proxies to at least 2026-04-29, by 30 days, for 2.00 USD",
    ]);
    expect(service.calls).toMatchObject({ calculateExtension: 1, extend: 0 });
    expect(ends()).toEqual(before);
  });

  test("quotes each round, with the proxies that still fall short", async () => {
    const { plan, service, log } = beginRun();
    service.records[1] = record("7000", 2, { dateEnd: "2026-05-10T00:00:00Z" });
    const checked = await plan({ paidThrough: TWO_PERIODS });
    expect(checked.quote).toMatchObject({ effect: "extend", quantity: 2, price: 3 });
    expect(checked.rounds).toEqual([
      { quantity: 2, price: 2 },
      { quantity: 1, price: 1 },
    ]);
    expect(service.calls.calculateExtension).toBe(2);
    expect(log.lines.join()).toContain("up to 2 times 30 days, for 3.00 USD");
  });

  test("is the same each time, so that a saved plan holds", async () => {
    const first = beginRun();
    const again = beginRun({ service: first.service });
    const args = { paidThrough: TWO_PERIODS };
    expect(await again.plan(args)).toEqual(await first.plan(args));
    const turned = beginRun({ service: first.service });
    const { requestId } = await turned.plan({ ...args, ipAddressIds: ["ip-2", "ip-1"] });
    expect(requestId).toBe((await first.plan(args)).requestId);
  });

  test("leaves the balance out if the settings say so", async () => {
    const { plan, log } = beginRun({ settings: { showBalance: false } });
    expect((await plan()).quote).not.toHaveProperty("balance", expect.anything());
    expect(log.lines.join()).not.toContain("balance");
  });

  test("says that nothing is bought if nothing falls short, and asks no price", async () => {
    const { plan, service, log } = beginRun();
    const checked = await plan({ paidThrough: "2026-03-30" });
    expect(checked).toMatchObject({ quote: { effect: "none" }, rounds: [] });
    expect(log.lines).toEqual(["keep: paid through 2026-03-30 already; nothing is bought"]);
    expect(service.calls.calculateExtension).toBe(0);
  });

  test("makes no request if the extension is paid and not edited", async () => {
    const { plan, inputs, service } = await laterRun();
    const again = await plan({ ipAddressIds: ["ip-2", "ip-1"] }, inputs);
    expect(again).toMatchObject({ quote: { effect: "none" }, rounds: [] });
    expect(again.requestId).toBe(inputs.requestId);
    await plan({}, again);
    expect(service.calls).toMatchObject({ ...nothingAsked, listProxyTypes: 0 });
  });

  test("of several extensions checks once whether all of them were paid", async () => {
    const { plan, inputs, service } = await laterRun({ paidThrough: TWO_PERIODS });
    const again = await plan({ paidThrough: TWO_PERIODS }, inputs);
    expect(again.quote).toEqual({ effect: "none" });
    expect(service.calls).toMatchObject({ ...nothingAsked, listProxies: 1 });
    await plan({ paidThrough: TWO_PERIODS }, again);
    expect(service.calls).toMatchObject({ ...nothingAsked, listProxies: 1 });
  });

  test("to an earlier date, or to a later one that is already reached, spends nothing", async () => {
    const { plan, inputs, service } = await laterRun();
    for (const paidThrough of ["2026-01-01", "2026-04-29T23:00:00Z"]) {
      expect((await plan({ paidThrough }, inputs)).quote).toEqual({ effect: "none" });
    }
    expect(service.calls).toMatchObject({ calculateExtension: 0, extend: 0 });
  });

  test("to a later date is a new purchase", async () => {
    const { plan, inputs } = await laterRun();
    const later = await plan({ paidThrough: TWO_PERIODS }, inputs);
    expect(later.quote).toMatchObject({ effect: "extend", quantity: 2, price: 2 });
    expect(later.requestId).not.toBe(inputs.requestId);
  });

  test("is a first plan if the engine asks a second time without old inputs", async () => {
    const { plan, inputs, service } = await laterRun();
    const first = await plan({ paidThrough: TWO_PERIODS });
    service.extensionPrice = 5;
    expect(await plan({ paidThrough: TWO_PERIODS })).toEqual(first);
    expect((await plan({ paidThrough: TWO_PERIODS }, inputs)).quote.price).toBe(10);
  });
});

describe("a plan is refused", () => {
  const shapes: [string, object, string][] = [
    ["paidThrough", { paidThrough: "31.12.2026" }, "must be a date like 2026-12-31"],
    ["paidThrough", { paidThrough: "2026-02-30" }, "must be a date like 2026-12-31"],
    ["paidThrough", { paidThrough: "2026-12-31T12:00:00" }, "must be a date like"],
    ["ipAddressIds", { ipAddressIds: [] }, "at least one ipAddressId"],
    ["ipAddressIds", { ipAddressIds: ["ip-1", "ip-1"] }, "names ip-1 twice"],
    ["rentPeriodDays", { rentPeriodDays: 0 }, "a whole number of days"],
    ["maxPrice", { maxPrice: -1 }, "at least 0"],
    ["until", { until: "2026-12-31" }, "is not an argument"],
  ];

  test.each(shapes)("by the shape of %s: %o", async (property, args, says) => {
    const { reasonsOf, service } = beginRun();
    const [reason, ...others] = await reasonsOf(args);
    expect(others).toEqual([]);
    expect(reason).toContain(`${property}: `);
    expect(reason).toContain(says);
    expect(service.calls).toMatchObject(nothingAsked);
  });

  test("if the period is not offered, or ids are not listed, by name", async () => {
    const { reasonsOf } = beginRun();
    const ids = ["ip-1", "ip-8", "ip-9"];
    expect(await reasonsOf({ rentPeriodDays: 31, ipAddressIds: ids })).toEqual([
      "ipAddressIds: INPUT_INVALID: names IPv4 proxies that the account does not list: ip-8, ip-9. Take them out; they may have ended",
      "rentPeriodDays: INPUT_INVALID: 31 is not offered for IPv4; accepted: 30, 90",
    ]);
  });

  test("if the service does not tell the ends of the proxies", async () => {
    const { reasonsOf, service } = beginRun();
    service.records[1] = record("7000", 2, { dateEnd: undefined });
    const [reason] = await reasonsOf();
    expect(reason).toContain("does not say yet until when they are paid: ip-2");
    expect(service.calls.calculateExtension).toBe(0);
  });

  test("for part of an IPv6 order, before a price is asked", async () => {
    const { extensions, service } = beginRun();
    const part = given({ proxyType: "IPv6", ipAddressIds: ["ip-1"] });
    const failure = await failureOf(extensions.check(owner, undefined, part));
    expect(failure.code).toBe("EDIT_REFUSED");
    expect(failure.message).toContain("of order 7000 these are missing: ip-2");
    expect(service.calls.calculateExtension).toBe(0);
  });

  test("for a mistyped year", async () => {
    const { reasonsOf, service } = beginRun();
    const [reason] = await reasonsOf({ paidThrough: "2206-12-31" });
    expect(reason).toMatch(/would take \d+ extensions by 30 days, and more than 36 at once/);
    expect(service.calls.calculateExtension).toBe(0);
  });

  const gates: [string, object, object, string][] = [
    [
      "a warning",
      { warnings: [{ code: 16, message: "Insufficient funds" }] },
      {},
      'code 16, "Insufficient funds"',
    ],
    [
      "a promo code that is not valid",
      { promoCodeStatus: "NO_VALID" },
      { promoCode: "OLD" },
      "promoCode: PROMO_CODE_NOT_VALID: the promo code is not valid",
    ],
    ["no price", { price: null }, {}, "no usable price"],
    ["a price of 0", { price: 0 }, {}, "no usable price"],
    ["a price below 0", { price: -1 }, {}, "no usable price"],
  ];

  test.each(gates)("for %s", async (_what, calculated, args, says) => {
    const { reasonsOf, service } = beginRun();
    service.calculated = calculated;
    const reasons = await reasonsOf({ paidThrough: TWO_PERIODS, ...args });
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toContain(says);
  });

  test("if the sum of all rounds is above maxPrice, but not if it equals it", async () => {
    const { reasonsOf, plan } = beginRun();
    const args = { paidThrough: TWO_PERIODS };
    expect(await reasonsOf({ ...args, maxPrice: 3.99 })).toEqual([
      "maxPrice: PRICE_ABOVE_CAP: the price is 4.00 USD, above the 3.99 USD that is allowed by maxPrice. Raise maxPrice, or buy less",
    ]);
    expect((await plan({ ...args, maxPrice: 4 })).quote.price).toBe(4);
  });

  test("if the sum of all rounds is above the balance, or above maxSpend", async () => {
    const args = { paidThrough: TWO_PERIODS };
    const poor = beginRun({ service: { balance: 3.5 } });
    expect((await poor.reasonsOf(args)).join()).toContain("but the balance is 3.50 USD");
    const frugal = beginRun({ settings: { maxSpend: 3.5 } });
    expect((await frugal.reasonsOf(args)).join()).toContain(
      "above proxyrental:maxSpend (3.50 USD)",
    );
  });
});

describe("while ids are not known", () => {
  test("the cap counts in place of the price", async () => {
    const { extensions, service } = beginRun({ service: { balance: 10 } });
    const { checked, failures } = await extensions.check(
      ...[owner, undefined, given({ maxPrice: 7 }, "ipAddressIds")],
    );
    expect(failures).toEqual([]);
    expect(checked.quote).toMatchObject({ effect: "unknown", priceAtMost: 7 });
    expect(service.calls).toMatchObject({ calculateExtension: 0, listProxies: 0 });
    const other = await extensions.check(
      ...[`${owner}-2`, undefined, given({ maxPrice: 4 }, "ipAddressIds")],
    );
    expect(other.failures).toMatchObject([
      { property: "maxPrice", reason: expect.stringContaining("come to up to 11.00 USD") },
    ]);
  });

  test("the other arguments are validated", async () => {
    const { extensions } = beginRun();
    const wrong = given({ rentPeriodDays: 31 }, "ipAddressIds");
    const { failures } = await extensions.check(owner, undefined, wrong);
    expect(failures.map(({ property }) => property)).toEqual(["rentPeriodDays"]);
    const shapeless = given({ paidThrough: "soon" }, "ipAddressIds");
    const refused = await extensions.check(owner, undefined, shapeless);
    expect(refused.failures.map(({ property }) => property)).toEqual(["paidThrough"]);
  });

  describe("what is declared through a time", () => {
    const checkAt = async (paidThrough: string, options: Parameters<typeof beginRun>[0] = {}) => {
      const run = beginRun({ settings: { maxSpend: 7 }, ...options });
      const args = { paidThrough, maxPrice: 7 };
      const check = await run.extensions.check(owner, undefined, given(args, "ipAddressIds"));
      return { ...run, ...check };
    };

    test("that is over costs nothing, and counts in no sum", async () => {
      const { checked, failures, log, extensions, account } = await checkAt("2026-02-27");
      expect(failures).toEqual([]);
      expect(checked.quote).toEqual({ effect: "none" });
      expect(log.lines).toEqual(["keep: paid through 2026-02-27 already; nothing is bought"]);
      expect(account.spendLimit.planned()).toBe(0);
      const next = given({ maxPrice: 7 }, "ipAddressIds");
      expect((await extensions.check(`${owner}-2`, undefined, next)).failures).toEqual([]);
    });

    test("that is not over by the service's clock may be paid for", async () => {
      const { service } = beginRun();
      service.now = new Date("2026-02-28T23:00:00Z");
      const { checked } = await checkAt("2026-02-28", { service, ownClock: true });
      expect(checked.quote).toMatchObject({ effect: "unknown", priceAtMost: 7 });
    });

    test("is still validated when it is over", async () => {
      const { extensions } = beginRun();
      const args = { paidThrough: "2026-02-27", rentPeriodDays: 31 };
      const check = await extensions.check(owner, undefined, given(args, "ipAddressIds"));
      expect(check.failures.map(({ property }) => property)).toEqual(["rentPeriodDays"]);
    });

    test("may be paid for while the type is not known either", async () => {
      const { extensions } = beginRun();
      const args = given({ paidThrough: "2026-02-27" }, "ipAddressIds", "proxyType");
      const { checked } = await extensions.check(owner, undefined, args);
      expect(checked.quote).toMatchObject({ effect: "unknown" });
    });
  });

  test("without a cap the price is open, and the balance is told unless the settings say not to", async () => {
    const quoteOf = async (showBalance: boolean) => {
      const { extensions } = beginRun({ settings: { showBalance }, service: { balance: 10 } });
      return (await extensions.check(owner, undefined, given({}, "ipAddressIds"))).checked.quote;
    };
    expect(await quoteOf(true)).toEqual({ effect: "unknown", balance: 10, currency: "USD" });
    expect(await quoteOf(false)).toEqual({ effect: "unknown", currency: "USD" });
  });
});
