import { expect, test } from "vitest";
import { maxOrderPrice } from "../../policy/index.ts";
import {
  buying,
  orderProps,
  unknownNumber,
  unknownObject,
  unknownText,
  violationsOf,
} from "./policy-under-test.ts";

const lower = { max: 50, byProxyType: { IPv4: 20, MOBILE: 40 }, byCountry: { DEU: 10, USA: 30 } };

const passing: [what: string, props: object, config: object][] = [
  ["a price at the cap", orderProps(buying(50)), { max: 50 }],
  ["a price at the default cap", orderProps(buying(100)), {}],
  [
    "nothing bought, whatever was paid before",
    orderProps({ effect: "none", owned: { price: 900 } }),
    { max: 1 },
  ],
  [
    "a recovered purchase, which costs nothing now",
    orderProps({ ...buying(0), effect: "recover" }),
    { max: 0 },
  ],
  ["a price at the lowest limit", orderProps(buying(20)), lower],
  [
    "a price above limits that are for other orders",
    orderProps(buying(45), { proxyType: "ISP", country: "JPN" }),
    lower,
  ],
  [
    "an unknown price with its own cap",
    orderProps({ effect: "unknown", priceAtMost: 50 }),
    { max: 50 },
  ],
  [
    "an unknown price, which is checked when it is known",
    orderProps({ effect: "unknown" }),
    { max: 1 },
  ],
  ["an unknown quote, which is checked when it is known", orderProps(unknownObject), { max: 1 }],
];

test.each(passing)("max-order-price should pass: %s", async (_what, props, config) => {
  expect(await violationsOf(maxOrderPrice, { props, config })).toEqual([]);
});

const failing: [what: string, props: object, config: object, says: string[]][] = [
  [
    "a price above the cap",
    orderProps(buying(50.01)),
    { max: 50 },
    ["fleet", "costs 50.01 USD", "50.00 USD that max allows", "raise max"],
  ],
  [
    "a price above the default cap",
    orderProps(buying(100.5)),
    {},
    ["costs 100.50 USD", "100.00 USD that max"],
  ],
  [
    "any price above a cap of 0",
    orderProps(buying(0.001)),
    { max: 0 },
    ["costs 0.001 USD", "0.00 USD that max"],
  ],
  [
    "a replacement",
    orderProps({ ...buying(60), effect: "replace" }),
    { max: 50 },
    ["costs 60.00 USD"],
  ],
  [
    "an effect that does not exist yet",
    orderProps({ ...buying(60), effect: "topUp" }),
    { max: 50 },
    ["costs 60.00 USD"],
  ],
  [
    "a type's lower limit",
    orderProps(buying(41), { proxyType: "MOBILE", country: "JPN" }),
    lower,
    ["40.00 USD that byProxyType.MOBILE allows", "raise byProxyType.MOBILE"],
  ],
  [
    "a country's lower limit",
    orderProps(buying(11), { country: "DEU" }),
    lower,
    ["10.00 USD that byCountry.DEU allows"],
  ],
  [
    "a type's limit above max, because it does not raise max",
    orderProps(buying(70)),
    { max: 50, byProxyType: { IPv4: 90 } },
    ["50.00 USD that max allows"],
  ],
  [
    "an unknown price with its own cap above max",
    orderProps({ effect: "unknown", priceAtMost: 51 }),
    { max: 50 },
    ["may cost up to 51.00,", "50.00 that max", "Lower its maxPrice"],
  ],
  [
    "an unknown country, which may be any of the limited ones",
    orderProps({ effect: "unknown", priceAtMost: 11 }, { country: unknownText, proxyType: "ISP" }),
    lower,
    ["10.00 that byCountry.DEU"],
  ],
  [
    "an unknown type, which may be any of the limited ones",
    orderProps({ effect: "unknown", priceAtMost: 21 }, { country: "JPN", proxyType: unknownText }),
    lower,
    ["20.00 that byProxyType.IPv4"],
  ],
  ["no quote", orderProps(undefined), {}, ["no quote that could be held"]],
  ["a quote without a price", orderProps({ effect: "buy" }), {}, ["no quote that could be held"]],
  [
    "a price that is no number",
    orderProps({ effect: "buy", price: "3" }),
    {},
    ["no quote that could be held"],
  ],
  ["a price below 0", orderProps(buying(-1)), {}, ["no quote that could be held"]],
  [
    "a quote without an effect",
    orderProps({ price: 1, currency: "USD" }),
    {},
    ["no quote that could be held"],
  ],
];

test.each(failing)("max-order-price should fail: %s", async (_what, props, config, says) => {
  const violations = await violationsOf(maxOrderPrice, { props, config });
  expect(violations).toHaveLength(1);
  for (const part of says) expect(violations[0]).toContain(part);
});

test("max-order-price leaves an unknown price to priced-before-buying", async () => {
  const props = orderProps({ effect: "buy", price: unknownNumber });
  expect(await violationsOf(maxOrderPrice, { props, config: { max: 1 } })).toEqual([]);
});
