import { describe, expect, test } from "vitest";
import {
  autoExtensionNeedsApproval,
  expectedCurrency,
  maxPricePerProxyDay,
  noReplacement,
  protectPaidOrders,
  publicAuthIp,
  type SpendPolicy,
  validPromoCode,
} from "../../policy/index.ts";
import {
  autoExtensionType,
  buying,
  extensionType,
  orderProps,
  unknownBoolean,
  unknownNumber,
  unknownObject,
  unknownText,
  violationsOf,
} from "./policy-under-test.ts";

interface Case {
  what: string;
  policy: SpendPolicy;
  props: object;
  config?: object;
  type?: string;
  protect?: boolean;
}

/** 5 proxies for 30 days. */
function order(price: number, more: object = {}): object {
  return orderProps(buying(price), { rentPeriodDays: 30, ...more });
}

const owned = { price: 7, quantity: 5, rentPeriodDays: 30, currency: "USD" };
const extended = { ...buying(12), quantity: 5, effect: "extend" };
const rounds = [{ quantity: 5 }, { quantity: 3 }];
const extension = { proxyType: "IPv4", rentPeriodDays: 30, quote: extended, rounds };
const approvals = [{ urn: "fl*", owner: "ops", cover: 7 }];
const cycle = { effect: "autoExtend", pricePerCycle: 7, currency: "USD" };

const passing: Case[] = [
  { what: "any price without a limit", policy: maxPricePerProxyDay, props: order(9000) },
  {
    what: "a price at the limit",
    policy: maxPricePerProxyDay,
    props: order(15),
    config: { max: 0.1 },
  },
  {
    what: "a limit for another type",
    policy: maxPricePerProxyDay,
    props: order(15),
    config: { byProxyType: { MOBILE: 0.01 } },
  },
  {
    what: "an extension, divided by all that it pays for",
    policy: maxPricePerProxyDay,
    props: extension,
    type: extensionType,
    config: { max: 0.05 },
  },
  {
    what: "a cap for an unknown price, at the limit",
    policy: maxPricePerProxyDay,
    props: orderProps({ effect: "unknown", quantity: 5, priceAtMost: 15 }, { rentPeriodDays: 30 }),
    config: { max: 0.1 },
  },
  {
    what: "a paid order",
    policy: maxPricePerProxyDay,
    props: orderProps({ effect: "none", owned: { ...owned, price: 900 } }),
    config: { max: 0 },
  },
  { what: "a first order", policy: noReplacement, props: order(7) },
  {
    what: "an unknown edit that the program does not let replace",
    policy: noReplacement,
    props: orderProps({ effect: "unknown", owned }),
  },
  {
    what: "an unknown first order",
    policy: noReplacement,
    props: orderProps({ effect: "unknown" }, { allowReplacement: true }),
  },
  { what: "no code", policy: validPromoCode, props: order(7) },
  {
    what: "a valid code",
    policy: validPromoCode,
    props: orderProps({ ...buying(7), promoCodeStatus: "VALID" }, { promoCode: "SAVE" }),
  },
  {
    what: "a code that waits for a later purchase",
    policy: validPromoCode,
    props: orderProps({ effect: "none", owned }, { promoCode: "SAVE" }),
  },
  {
    what: "a code of a purchase with a capped price",
    policy: validPromoCode,
    props: orderProps({ effect: "unknown", priceAtMost: 7 }, { promoCode: "SAVE" }),
  },
  { what: "any currency", policy: expectedCurrency, props: order(7) },
  {
    what: "the currency",
    policy: expectedCurrency,
    props: order(7),
    config: { currency: "USD" },
  },
  {
    what: "a cap, which has no currency yet",
    policy: expectedCurrency,
    props: orderProps({ effect: "unknown", priceAtMost: 7 }),
    config: { currency: "USD" },
  },
  { what: "a protected order", policy: protectPaidOrders, props: order(7), protect: true },
  {
    what: "an extension, which can't be lost",
    policy: protectPaidOrders,
    props: extension,
    type: extensionType,
  },
  {
    what: "any without a list",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: true, quote: cycle },
    type: autoExtensionType,
  },
  {
    what: "one with an approval that covers it",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: true, quote: cycle },
    type: autoExtensionType,
    config: { approvals },
  },
  {
    what: "one that is off",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: false, quote: { effect: "none" } },
    type: autoExtensionType,
    config: { approvals: [] },
  },
  {
    what: "an approved one for proxies not bought yet, which is checked at up",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: true, ipAddressIds: unknownText },
    type: autoExtensionType,
    config: { approvals },
  },
  { what: "no address", policy: publicAuthIp, props: order(7) },
  ...["8.8.8.8", "100.63.0.1", "2606:4700::1111"].map((authIp) => ({
    what: `the address ${authIp}`,
    policy: publicAuthIp,
    props: order(7, { authIp }),
  })),
  {
    what: "an address of a paid order",
    policy: publicAuthIp,
    props: orderProps({ effect: "none", owned }, { authIp: "10.0.0.1" }),
  },
];

test.each(passing)("$policy.name should pass: $what", async ({ policy, ...resource }) => {
  expect(await violationsOf(policy, resource)).toEqual([]);
});

const failing: (Case & { says: string })[] = [
  {
    what: "a price above the limit",
    policy: maxPricePerProxyDay,
    props: order(16.5),
    config: { max: 0.1 },
    says: "fleet: one proxy costs 0.11 USD a day, above the 0.10 USD that max allows",
  },
  {
    what: "a type's lower limit",
    policy: maxPricePerProxyDay,
    props: order(15),
    config: { max: 1, byProxyType: { IPv4: 0.05 } },
    says: "0.05 USD that byProxyType.IPv4 allows",
  },
  {
    what: "an extension above the limit",
    policy: maxPricePerProxyDay,
    props: extension,
    type: extensionType,
    config: { max: 0.04 },
    says: "costs 0.05 USD a day",
  },
  {
    what: "a cap above the limit",
    policy: maxPricePerProxyDay,
    props: orderProps({ effect: "unknown", quantity: 5, priceAtMost: 30 }, { rentPeriodDays: 30 }),
    config: { max: 0.1 },
    says: "costs up to 0.20 a day",
  },
  ...[
    orderProps({ effect: "unknown", priceAtMost: 1 }, { rentPeriodDays: 30 }),
    orderProps(buying(1), { rentPeriodDays: unknownNumber }),
    orderProps({ effect: "unknown", quantity: 9, priceAtMost: 1, owned }, { rentPeriodDays: 30 }),
    order(7, { quote: unknownObject }),
  ].map((props) => ({
    what: "what is not known",
    policy: maxPricePerProxyDay,
    props,
    config: { max: 1 },
    says: "it is not known yet what one of its proxies costs a day",
  })),
  {
    what: "no quote",
    policy: maxPricePerProxyDay,
    props: orderProps(undefined),
    config: { max: 1 },
    says: "no quote that could be held",
  },
  {
    what: "a replacement",
    policy: noReplacement,
    props: orderProps({ ...buying(7), effect: "replace", owned }),
    says: "fleet: a paid order would be bought again for 7.00 USD",
  },
  ...[true, unknownBoolean].map((allowReplacement) => ({
    what: "an unknown edit that may come to one",
    policy: noReplacement,
    props: orderProps({ effect: "unknown", owned }, { allowReplacement }),
    says: "may be bought again",
  })),
  {
    what: "an invalid code",
    policy: validPromoCode,
    props: orderProps({ ...buying(7), promoCodeStatus: "NO_VALID" }, { promoCode: "SAVE" }),
    says: "fleet: its promo code is not valid, so the order would be charged in full",
  },
  {
    what: "a code without a status",
    policy: validPromoCode,
    props: order(7, { promoCode: "SAVE" }),
    says: "was not confirmed",
  },
  {
    what: "an unknown code",
    policy: validPromoCode,
    props: orderProps({ ...buying(7), promoCodeStatus: unknownText }, { promoCode: unknownText }),
    says: "was not confirmed yet",
  },
  ...[{ effect: "unknown" }, unknownObject, undefined].map((quote) => ({
    what: "a code at an unknown price",
    policy: validPromoCode,
    props: orderProps(quote, { promoCode: "SAVE" }),
    says: "not known whether its promo code takes effect",
  })),
  {
    what: "another currency",
    policy: expectedCurrency,
    props: order(7),
    config: { currency: "EUR" },
    says: "fleet: it is paid in USD, not in the EUR that currency names",
  },
  {
    what: "a price without a currency",
    policy: expectedCurrency,
    props: orderProps({ effect: "buy", price: 7 }),
    config: { currency: "EUR" },
    says: "paid in an unnamed currency",
  },
  ...[{ effect: "unknown" }, { ...buying(7), currency: unknownText }].map((quote) => ({
    what: "a currency that is not known yet",
    policy: expectedCurrency,
    props: orderProps(quote),
    config: { currency: "EUR" },
    says: "the currency of its price is not known yet",
  })),
  {
    what: "an order that is not protected",
    policy: protectPaidOrders,
    props: orderProps(unknownObject),
    says: "fleet: it is paid, or will be, and not protected",
  },
  {
    what: "one that nobody approved",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: unknownBoolean, quote: cycle },
    type: autoExtensionType,
    config: { approvals: [{ ...approvals[0], urn: "other" }] },
    says: "nothing in approvals names it",
  },
  {
    what: "one above the price that its approval covers",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: true, quote: { ...cycle, pricePerCycle: 7.01 } },
    type: autoExtensionType,
    config: { approvals },
    says: "one extension costs 7.01 USD, above the cover of 7.00 USD that ops answers for",
  },
  {
    what: "one without a price",
    policy: autoExtensionNeedsApproval,
    props: { autoExtend: true, quote: { effect: "autoExtend" } },
    type: autoExtensionType,
    config: { approvals },
    says: "is not known",
  },
  ...[
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.31.0.1", "192.0.2.7"],
    ...["192.168.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fd00::1", "fe80::1"],
    ...["2001:db8::1", "::ffff:10.0.0.1", "no address"],
  ].map((authIp) => ({
    what: `the address ${authIp}`,
    policy: publicAuthIp,
    props: order(7, { authIp }),
    says: "its authIp is not a public address",
  })),
  {
    what: "an unknown address",
    policy: publicAuthIp,
    props: order(7, { authIp: unknownText }),
    says: "its authIp is not known yet",
  },
];

test.each(failing)("$policy.name should fail: $what", async ({ policy, says, ...resource }) => {
  expect(await violationsOf(policy, resource)).toEqual([expect.stringContaining(says)]);
});

describe("text that may not be printed", () => {
  test("the message does not contain the address", async () => {
    const said = await violationsOf(publicAuthIp, { props: order(7, { authIp: "10.1.2.3" }) });
    expect(said.join()).not.toContain("10.1.2.3");
  });
});
