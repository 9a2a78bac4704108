import { expect, test } from "vitest";
import { pricedBeforeBuying } from "../../policy/index.ts";
import {
  buying,
  orderProps,
  unknownNumber,
  unknownObject,
  unknownText,
  violationsOf,
} from "./policy-under-test.ts";

const passing: [what: string, props: object][] = [
  ["a price", orderProps(buying(7))],
  ["a price of 0", orderProps(buying(0))],
  ["an unknown price with its own cap", orderProps({ effect: "unknown", priceAtMost: 50 })],
  ["nothing bought", orderProps({ effect: "none" })],
  ["unknown arguments that do not decide the price", orderProps(buying(7), { goal: unknownText })],
];

test.each(passing)("priced-before-buying should pass: %s", async (_what, props) => {
  expect(await violationsOf(pricedBeforeBuying, { props })).toEqual([]);
});

const failing: [what: string, props: object, says: string][] = [
  [
    "an effect that is unknown",
    orderProps({ effect: "unknown", quantity: 5 }),
    "Give it a maxPrice",
  ],
  ["an unknown quote", orderProps(unknownObject), "Give it a maxPrice"],
  ["an unknown quote in the dynamic host's form", orderProps(unknownText), "Give it a maxPrice"],
  ["an unknown price", orderProps({ effect: "buy", price: unknownNumber }), "Give it a maxPrice"],
  [
    "an unknown cap",
    orderProps({ effect: "unknown", priceAtMost: unknownNumber }),
    "Give it a maxPrice",
  ],
  ["an unknown effect", orderProps({ effect: unknownText, price: 7 }), "Give it a maxPrice"],
  ["no quote", orderProps(undefined), "no quote that could be read"],
  ["an empty quote", orderProps({}), "no quote that could be read"],
  ["a quote that is a text", orderProps("7.00 USD"), "no quote that could be read"],
  ["a purchase without a price", orderProps({ effect: "buy" }), "no quote that could be read"],
  [
    "a price that is no number",
    orderProps({ effect: "buy", price: "7" }),
    "no quote that could be read",
  ],
];

test.each(failing)("priced-before-buying should fail: %s", async (_what, props, says) => {
  const violations = await violationsOf(pricedBeforeBuying, { props });
  expect(violations).toEqual([expect.stringContaining(says)]);
  expect(violations[0]).toMatch(/^fleet: /);
});
