import { describe, expect, test } from "vitest";
import {
  maxOrderPrice,
  pricedBeforeBuying,
  type SpendPolicyConfig,
  spendPolicies,
} from "../../policy/index.ts";
import { quoteSchema } from "../../provider/core/spending/quote.ts";
import { IpAutoExtend, IpExtension, ProxyOrder } from "../../sdk/index.ts";
import { buying, orderProps, unknownObject, violationsOf } from "./policy-under-test.ts";

const tooMuch = { props: orderProps(buying(1000)), config: {} };

test.each([
  ["of the dynamic host", ProxyOrder.__pulumiType],
  ["of a plugin", "proxyrental:index:ProxyOrder"],
  ["of an extension", IpExtension.__pulumiType],
  ["of an extension of a plugin", "proxyrental:index:IpExtension"],
])("an order is checked under the type %s", async (_what, type) => {
  expect(await violationsOf(maxOrderPrice, { ...tooMuch, type })).toHaveLength(1);
});

test.each([
  IpAutoExtend.__pulumiType,
  "proxyrental:index:IpAutoExtend",
  "proxyrental:index:ProxyOrders",
  "aws:s3/bucket:Bucket",
  "pulumi:pulumi:Stack",
])("%s buys nothing and is left alone", async (type) => {
  for (const policy of spendPolicies()) {
    expect(await violationsOf(policy, { ...tooMuch, type })).toEqual([]);
    expect(await violationsOf(policy, { props: { quote: unknownObject }, type })).toEqual([]);
  }
});

// For each effect that the provider writes: how a policy must judge it. A new effect fails here until it has a row.
// An order that is taken over has the price 0. If the price is missing, it is refused like a purchase.
const spends = {
  ...{ buy: true, topUp: true, replace: true, extend: true, recover: true, adopt: true },
  ...{ none: false, unknown: true },
};

test.each(quoteSchema.shape.effect.options)(
  "the provider's effect %s is understood",
  async (effect) => {
    const refused = spends[effect] ? 1 : 0;
    const priced = quoteSchema.parse({ ...buying(101), effect });
    const unpriced = quoteSchema.parse({ effect });
    expect(await violationsOf(maxOrderPrice, { props: orderProps(priced) })).toHaveLength(refused);
    expect(await violationsOf(pricedBeforeBuying, { props: orderProps(unpriced) })).toHaveLength(
      refused,
    );
  },
);

describe("a policy's message", () => {
  const secrets = {
    __provider: "TOP-SECRET code",
    ...{ goal: "TOP-SECRET goal", promoCode: "TOP-SECRET-CODE", authIp: "TOP-SECRET 192.0.2.7" },
    ...{ country: "TOP-SECRET country", proxyType: "TOP-SECRET type", owner: "TOP-SECRET owner" },
  };
  const quotes = [
    buying(1000),
    undefined,
    "TOP-SECRET",
    { effect: "TOP-SECRET" },
    { effect: "unknown" },
  ];
  const configs: SpendPolicyConfig = {
    "max-price-per-proxy-day": { max: 0 },
    "stack-budget": { max: 0 },
    "balance-covers-spend": { minBalanceAfter: 9000 },
    "monthly-budget": { maxShare: 0 },
    "monthly-run-rate": { max: 0 },
    "allowed-proxy-types": { allow: [] },
    "allowed-countries": { allow: [] },
    "allowed-rent-periods": { allow: [] },
    "allowed-goals": { deny: ["."] },
    "max-quantity": { perOrder: 0, byCountry: { USA: 0 } },
    "expected-currency": { currency: "EUR" },
  };
  const cases = spendPolicies().flatMap((policy) =>
    quotes.map((quote) => [policy.name, quote, policy] as const),
  );

  test.each(cases)("%s of %o contains nothing of the inputs", async (_name, quote, policy) => {
    const props = orderProps(quote, secrets);
    const { [policy.name]: config = {} } = { ...configs } as Record<string, object>;
    const said = (await violationsOf(policy, { props, config })).join("\n");
    expect(said).not.toContain("TOP-SECRET");
  });
});
