import { expect, test } from "vitest";
import { stackNameOf } from "../../../provider/core/values/owner.ts";

test.each([
  ["acme/urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:ProxyOrder::a", "acme/fleet/dev"],
  ["urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::a", "fleet/dev"],
  ["blue|acme/urn:pulumi:dev::fleet::x:index:Y$proxyrental:index:ProxyOrder::a", "acme/fleet/dev"],
])("the stack of %j is %j", (owner, stack) => {
  expect(stackNameOf(owner)).toBe(stack);
});
