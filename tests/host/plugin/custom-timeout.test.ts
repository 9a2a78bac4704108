import { expect, test } from "vitest";
import { withoutTimeout, withTimeout } from "../../../provider/host/plugin/custom-timeout.ts";

test.each([
  ["none", 0, { goal: "a" }, { goal: "a" }],
  ["none, but the argument", 0, { deliveryTimeoutSeconds: 9 }, { deliveryTimeoutSeconds: 9 }],
  ["some", 90, {}, { deliveryTimeoutSeconds: 90 }],
  ["some, and the argument", 90, { deliveryTimeoutSeconds: 9 }, { deliveryTimeoutSeconds: 90 }],
  ["less than a second", 0.2, {}, { deliveryTimeoutSeconds: 1 }],
  ["a fraction", 2.6, {}, { deliveryTimeoutSeconds: 3 }],
  ["more than the argument may be", 90_000, {}, { deliveryTimeoutSeconds: 86_400 }],
])("the delivery timeout, with customTimeouts: %s", (_what, seconds, inputs, expected) => {
  expect(withTimeout(inputs, seconds)).toEqual(expected);
});

test.each([
  ["none", { goal: "a" }, { status: "active" }],
  ["one", { deliveryTimeoutSeconds: 9 }, { status: "active", deliveryTimeoutSeconds: 9 }],
])("the state keeps the program's own argument if it gave %s", (_what, inputs, expected) => {
  const state = { status: "active", deliveryTimeoutSeconds: 90 };
  expect(withoutTimeout(state, inputs)).toEqual(expected);
  expect(withoutTimeout({ status: "active" }, inputs)).toEqual(expected);
});
