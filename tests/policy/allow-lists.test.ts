import { expect, test } from "vitest";
import {
  allowedCountries,
  allowedGoals,
  allowedProxyTypes,
  allowedRentPeriods,
  type SpendPolicy,
} from "../../policy/index.ts";
import {
  buying,
  extensionType,
  orderProps,
  unknownNumber,
  unknownObject,
  unknownText,
  violationsOf,
} from "./policy-under-test.ts";

const bought = orderProps(buying(7), { rentPeriodDays: 30 });
const kept = { effect: "none", owned: { price: 7, quantity: 5, rentPeriodDays: 30 } };
const policies = [allowedProxyTypes, allowedCountries, allowedRentPeriods, allowedGoals];

const passing: [policy: SpendPolicy, what: string, props: object, config: object][] = [
  [allowedProxyTypes, "one that is allowed", bought, { allow: ["ISP", "IPv4"] }],
  [allowedProxyTypes, "one that is not denied", bought, { deny: ["MOBILE"] }],
  [allowedCountries, "one that is allowed", bought, { allow: ["USA"] }],
  [allowedCountries, "one that is not denied", bought, { deny: ["DEU"] }],
  [allowedRentPeriods, "one that is allowed", bought, { allow: [30, 60] }],
  [allowedRentPeriods, "one that is not denied", bought, { deny: [360] }],
  [allowedGoals, "one that fits", bought, { allow: ["^ads$", "^price "] }],
  [allowedGoals, "one that no denial fits", bought, { deny: ["scrap"] }],
];

test.each(passing)("$name should pass: %s", async (policy, _what, props, config) => {
  expect(await violationsOf(policy, { props, config })).toEqual([]);
});

const failing: [policy: SpendPolicy, what: string, config: object, says: string][] = [
  [
    allowedProxyTypes,
    "one that is not allowed",
    { allow: ["ISP"] },
    "fleet: the proxy type IPv4 is not one of those that allow names (ISP)",
  ],
  [allowedProxyTypes, "one that is denied", { deny: ["IPv4"] }, "IPv4 is one of those that deny"],
  [
    allowedCountries,
    "one that is not allowed",
    { allow: ["DEU", "FRA"] },
    "fleet: the country USA is not one of those that allow names (DEU, FRA). Choose one of them, or add it to allow in the config of allowed-countries.",
  ],
  [allowedCountries, "all, if the list is empty", { allow: [] }, "the country USA is not one of"],
  [
    allowedCountries,
    "one that is allowed and denied",
    { allow: ["USA"], deny: ["USA"] },
    "USA is one of those that deny names",
  ],
  [allowedRentPeriods, "one that is not allowed", { allow: [60, 90] }, "30 is not one of"],
  [allowedRentPeriods, "one that is denied", { deny: [30] }, "30 is one of those that deny names"],
  [
    allowedGoals,
    "one that fits no entry",
    { allow: ["^ads$"] },
    "its goal fits nothing that allow",
  ],
  [allowedGoals, "one that is denied", { deny: ["compar"] }, "its goal fits compar, which deny"],
];

test.each(failing)("%o should fail: %s", async (policy, _what, config, says) => {
  expect(await violationsOf(policy, { props: bought, config })).toEqual([
    expect.stringContaining(says),
  ]);
});

const anyList: [policy: SpendPolicy, config: object, input: string, type: string | undefined][] = [
  [allowedProxyTypes, { allow: ["ISP"] }, "proxyType", extensionType],
  [allowedCountries, { allow: ["DEU"] }, "country", undefined],
  [allowedRentPeriods, { allow: [60] }, "rentPeriodDays", extensionType],
  [allowedGoals, { allow: ["^ads$"] }, "goal", undefined],
];

test.each(anyList)("%o ignores paid and adopted orders", async (policy, config) => {
  for (const quote of [
    kept,
    { ...buying(0), effect: "recover" },
    { ...buying(0), effect: "adopt" },
  ])
    expect(await violationsOf(policy, { props: orderProps(quote), config })).toEqual([]);
});

test.each(anyList)("%o refuses unknown values", async (policy, config, input) => {
  for (const unknown of [unknownText, unknownNumber, undefined]) {
    const props = { ...bought, [input]: unknown };
    expect(await violationsOf(policy, { props, config })).toEqual([
      expect.stringContaining("is not known yet"),
    ]);
    expect(await violationsOf(policy, { props })).toEqual([]);
  }
});

test.each(anyList)("%o checks a purchase of unknown price", async (policy, config) => {
  for (const quote of [{ effect: "unknown" }, unknownObject, undefined]) {
    const props = { ...bought, quote };
    expect(await violationsOf(policy, { props, config })).toHaveLength(1);
  }
});

test.each(anyList)(
  "%o checks extensions if they have its argument",
  async (policy, config, _, type) => {
    const props = {
      proxyType: "IPv4",
      rentPeriodDays: 30,
      quote: { ...buying(7), effect: "extend" },
    };
    expect(await violationsOf(policy, { props, config, type: extensionType })).toHaveLength(
      type === undefined ? 0 : 1,
    );
  },
);

test("without a list nothing is refused", async () => {
  for (const policy of policies) expect(await violationsOf(policy, { props: bought })).toEqual([]);
});
