import { describe, expect, test } from "vitest";
import { keepingOf } from "../../../../provider/core/order/model/cost-basis.ts";

const basis = { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" };
const priced = { quantity: 5, price: 7, currency: "USD" };
const free = { quantity: 5, price: 0, currency: "USD" };

/** What it costs per 30 days to keep five proxies after a plan. */
function keep(quote: Parameters<typeof keepingOf>[0]["quote"], holdings = {}) {
  return keepingOf({
    ...{ proxyType: "IPv4", rentPeriodDays: 30, quote },
    holdings: { held: 5, ...holdings },
  });
}

/** An auto-extension whose proxies are not known yet may be of any of these orders. */
describe("what it costs to keep what a plan obtains", () => {
  test("is its price, without a promo code", () => {
    expect(keep({ effect: "buy", ...priced })).toEqual({ proxyType: "IPv4", amount: 7 });
    const halved = { ...priced, price: 3.5, discount: 50 };
    expect(keep({ effect: "buy", ...halved })).toEqual({ proxyType: "IPv4", amount: 7 });
  });

  test("is what an earlier run has paid, if that is taken over", () => {
    const quote = { effect: "recover", ...free, owned: basis } as const;
    expect(keep(quote)).toEqual({ proxyType: "IPv4", amount: 7 });
  });

  test("is not known of what somebody else has bought", () => {
    expect(keep({ effect: "adopt", ...free }, { adopted: 5 })).toEqual({ proxyType: "IPv4" });
  });

  test("is nothing if nothing is obtained", () => {
    expect(keep({ effect: "none", ...free, owned: basis })).toBeUndefined();
    expect(keep(undefined)).toBeUndefined();
  });
});
