import { expect, test } from "vitest";
import { proxyType as policyType } from "../../policy/config-values.ts";
import { proxyTypes } from "../../provider/client/index.ts";
import { proxyTypes as simulatedTypes } from "../../simulator/catalogue/catalogue.ts";
import { faultKinds } from "../../simulator/page/fault-kinds.js";

/** The proxy types that the page offers in the form of a fault. */
function offeredTypes(): string[] {
  const parameters = Object.values(faultKinds).flatMap((kind) => kind.parameters);
  const { choices = {} } = parameters.find(({ name }) => name === "item.proxyType") ?? {};
  return Object.keys(choices);
}

// These rooms do not import the client, so each has its own list.
test.each([
  ["the simulator", simulatedTypes],
  ["the simulator's page", offeredTypes()],
  ["the policies", policyType.options],
])("%s knows the proxy types that the client knows", (_who, known) => {
  expect(known).toEqual(proxyTypes);
});
