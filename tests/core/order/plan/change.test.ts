import { describe, expect, test } from "vitest";
import type { CheckedOrder, OrderState } from "../../../../provider/core/order/model/state.ts";
import { planChange, planPurchase } from "../../../../provider/core/order/plan/change.ts";
import { record, WHILE_PAID } from "../../support/fake-service.ts";
import { checkedOrder, fiveRecords, orderState } from "../../support/recorded-order.ts";

const before = checkedOrder();
const AFTER_END = new Date("2026-04-05T00:00:00Z");
const later = "2026-05-01T00:00:00.000Z";

describe("planPurchase", () => {
  test.each<[string, CheckedOrder | undefined, Partial<CheckedOrder>, string[], boolean, string]>([
    ["a new resource", undefined, {}, [], false, "buy"],
    ["a new resource with unknown arguments", undefined, {}, ["goal"], false, "unknown"],
    ["no old inputs, but a paid order was met", undefined, {}, [], true, "replace"],
    [
      "no old inputs, a paid order was met, unknown arguments",
      undefined,
      {},
      ["goal"],
      true,
      "unknown",
    ],
    ["no edit", before, {}, [], true, "none"],
    ["another goal", before, { goal: "other" }, [], true, "none"],
    ["another period", before, { rentPeriodDays: 90 }, [], true, "none"],
    ["a promo code", before, { promoCode: "A" }, [], true, "none"],
    ["more", before, { quantity: 9 }, [], true, "resize"],
    ["fewer", before, { quantity: 1 }, [], true, "resize"],
    ["more, with unknown arguments", before, { quantity: 9 }, ["goal"], true, "unknown"],
    ["more of another country", before, { quantity: 9, country: "DEU" }, [], true, "replace"],
    ["another cap", before, { maxPrice: 1 }, [], true, "none"],
    ["another country", before, { country: "DEU" }, [], true, "replace"],
    ["another type", before, { proxyType: "ISP" }, [], true, "replace"],
    ["another authType", before, { authType: "IP" }, [], true, "replace"],
    ["an authIp", before, { authIp: "192.0.2.1" }, [], true, "replace"],
    ["a protocol", before, { protocol: "HTTP" }, [], true, "replace"],
    ["an operator", before, { mobileOperator: "telekom" }, [], true, "replace"],
    ["a rotation time", before, { rotationTime: 1 }, [], true, "replace"],
    ["an unknown goal", before, {}, ["goal"], true, "none"],
    ["an unknown quantity", before, {}, ["quantity"], true, "unknown"],
    ["an unknown country", before, {}, ["country"], true, "unknown"],
    ["an unknown order to take over", before, {}, ["adoptOrderNumber"], true, "unknown"],
    ["another country, and an unknown goal", before, { country: "DEU" }, ["goal"], true, "unknown"],
  ])("%s", (_what, olds, edit, unknown, alive, planned) => {
    expect(planPurchase(olds, { ...before, ...edit }, new Set(unknown), alive)).toBe(planned);
  });
});

describe("planChange", () => {
  const state = orderState();
  const plan = (edit: Partial<CheckedOrder>, unknown: string[] = [], olds = state) =>
    planChange(olds, { ...before, ...edit }, new Set(unknown), WHILE_PAID);

  test.each<[string, Partial<CheckedOrder>, string[]]>([
    ["nothing", {}, []],
    ["the goal", { goal: "other" }, []],
    ["the period", { rentPeriodDays: 90 }, []],
    ["the promo code", { promoCode: "A" }, []],
    ["the cap", { maxPrice: 1 }, []],
    ["the waiting time", { deliveryTimeoutSeconds: 1 }, []],
    ["the permission to replace", { allowReplacement: true }, []],
    ["an unknown goal", {}, ["goal"]],
  ])("finds no change when edited: %s", (_what, edit, unknown) => {
    expect(plan(edit, unknown)).toEqual({ kind: "none" });
  });

  test.each<[string, Partial<CheckedOrder>, string]>([
    ["the type", { proxyType: "ISP" }, 'proxyType ("IPv4" to "ISP")'],
    ["the country", { country: "DEU" }, 'country ("USA" to "DEU")'],
    [
      "the authentication",
      { authType: "IP", authIp: "192.0.2.1" },
      'authType ("LOGIN" to "IP"), authIp (none to "192.0.2.1")',
    ],
    ["the protocol", { protocol: "HTTP" }, 'protocol (none to "HTTP")'],
    ["the operator", { mobileOperator: "telekom" }, 'mobileOperator (none to "telekom")'],
    ["the rotation time", { rotationTime: 1 }, "rotationTime (none to 1)"],
  ])("refuses an edit that would buy again: %s", (_what, edit, named) => {
    const change = plan(edit);
    expect(change).toMatchObject({ kind: "refused", code: "EDIT_REFUSED" });
    expect(change).toHaveProperty("reason", expect.stringContaining(named));
    expect(change).toHaveProperty("reason", expect.stringContaining(`until ${state.expiresAt}`));
    expect(change).toHaveProperty("reason", expect.stringContaining("allowReplacement: true"));
  });

  test("an unknown order to take over may change which one is held", () => {
    expect(plan({}, ["adoptOrderNumber"])).toEqual({ kind: "update" });
  });

  test("names the price of buying again if it is known", () => {
    const quote = { effect: "replace", price: 8.4, quantity: 5, currency: "USD" } as const;
    expect(plan({ country: "DEU", quote })).toHaveProperty(
      "reason",
      expect.stringContaining("buying again for 8.40 USD"),
    );
  });

  test.each<[string, OrderState, string]>([
    [
      "all have ended",
      state,
      `was paid until ${state.expiresAt}, and no refresh has seen its end yet`,
    ],
    [
      "some have ended",
      orderState({}, [...fiveRecords().slice(1), record("7000", 1, { dateEnd: later })]),
      `is paid until ${later} and can't be cancelled`,
    ],
  ])("never says that an order is paid until a time that is over: %s", (_what, olds, said) => {
    const change = planChange(olds, { ...before, country: "DEU" }, new Set(), AFTER_END);
    expect(change).toMatchObject({ kind: "refused", code: "EDIT_REFUSED" });
    expect(change).toHaveProperty("reason", expect.stringContaining(said));
  });

  test("replaces if the user allows it, and names why", () => {
    expect(plan({ country: "DEU", proxyType: "ISP", allowReplacement: true })).toEqual({
      kind: "replace",
      properties: ["proxyType", "country"],
    });
  });

  const topUp = (quantity: number, bought = quantity - 5): Partial<CheckedOrder> => ({
    quantity,
    requestId: "request-2",
    holdings: { held: quantity, released: [] },
    quote: { effect: "topUp", quantity: bought, price: 1.4 * bought, currency: "USD" },
  });
  const released = orderState(
    {
      quantity: 3,
      holdings: { held: 3, released: [{ count: 2 }] },
      released: fiveRecords().slice(3),
    },
    fiveRecords().slice(0, 3),
  );

  test.each<[string, Partial<CheckedOrder>, OrderState]>([
    ["more, and the difference is bought", topUp(8), state],
    ["fewer, which costs nothing", { quantity: 4, holdings: { held: 4, released: [] } }, state],
    [
      "as many as were released come back",
      { quantity: 5, holdings: { held: 5, released: [] } },
      released,
    ],
    ["released ones come back and more are bought", topUp(6, 1), released],
  ])("is an update if another quantity is declared: %s", (_what, edit, olds) => {
    expect(plan(edit, [], olds)).toEqual({ kind: "update" });
  });

  test.each<[string, Partial<CheckedOrder>, OrderState]>([
    ["more, but nothing is bought", { quantity: 8, holdings: { held: 8, released: [] } }, state],
    ["more, but too many are bought", topUp(8, 4), state],
    ["more, but too few are bought", topUp(8, 2), state],
    ["the same, but some are bought", topUp(5, 2), state],
    ["as many as were released, but they are bought again", topUp(5, 2), released],
    [
      "other holdings than the quantity",
      { ...topUp(8), holdings: { held: 7, released: [] } },
      state,
    ],
  ])("asks for a refresh if check and state disagree: %s", (_what, edit, olds) => {
    expect(plan(edit, [], olds)).toMatchObject({
      kind: "refused",
      code: "REFRESH_NEEDED",
      reason: expect.stringContaining("--refresh"),
    });
  });

  test("finds no change if the purchase of the inputs is in the state", () => {
    const paid = { ...topUp(8), quantity: 5, holdings: state.holdings, requestId: "request-1" };
    expect(plan(paid)).toEqual({ kind: "none" });
  });

  test("lets IPv6 proxies go by whole orders only, and names them", () => {
    const six = (quantity: number) => ({
      ...sixes,
      quantity,
      holdings: { held: quantity, released: [] },
    });
    const records = [1, 2, 3, 4, 5].map((n) => record(n < 3 ? "7000" : "7001", n));
    const sixes = orderState({ proxyType: "IPv6", protocol: "HTTP" }, records);
    for (const quantity of [3, 2]) {
      expect(plan(six(quantity), [], sixes)).toEqual({ kind: "update" });
    }
    expect(plan(six(4), [], sixes)).toMatchObject({
      code: "EDIT_REFUSED",
      reason: expect.stringContaining("7000 (2), 7001 (3)"),
    });
  });

  test("asks for a refresh if the plan was made for other holdings", () => {
    expect(plan({ holdings: { held: 4, released: [] } })).toMatchObject({
      kind: "refused",
      code: "REFRESH_NEEDED",
      reason: expect.stringContaining("--refresh"),
    });
  });

  test.each([["quantity"], ["country"], ["proxyType"]])(
    "calls it an update while %s is not known",
    (name) => {
      expect(plan({ [name]: undefined }, [name])).toEqual({ kind: "update" });
    },
  );

  test("is a change for an unfinished delivery, so that it never looks healthy", () => {
    const pending = orderState({ status: "pendingDelivery" });
    expect(plan({}, [], pending)).toEqual({ kind: "update" });
    expect(plan({ goal: "other" }, [], pending)).toEqual({ kind: "update" });
  });

  test("refuses another quantity while a delivery is pending", () => {
    const pending = orderState({ status: "pendingDelivery" });
    expect(plan({ quantity: 9 }, [], pending)).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("while the delivery of order 7000 is pending"),
    });
  });

  test("says that an order without a recorded end is paid for its whole period", () => {
    const endless = orderState({}, fiveRecords({ dateEnd: undefined }));
    expect(plan({ country: "DEU" }, [], endless)).toHaveProperty(
      "reason",
      expect.stringContaining("is paid for its whole period"),
    );
  });
});
