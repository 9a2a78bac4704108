import { expect, test } from "vitest";
import { nameInToken, tokenOf, typeOfUrn } from "../../../provider/host/plugin/tokens.ts";

test.each([
  ["proxyrental:index:ProxyOrder", "ProxyOrder"],
  [tokenOf("getBalance"), "getBalance"],
  ["proxyrental:other:ProxyOrder", undefined],
  ["proxyrental:index/proxyOrder:ProxyOrder", undefined],
  ["another:index:ProxyOrder", undefined],
  ["ProxyOrder", undefined],
  ["", undefined],
])("the name in the token %s is %s", (token, name) => {
  expect(nameInToken(token)).toBe(name);
});

const type = "proxyrental:index:ProxyOrder";

test.each([
  [`urn:pulumi:dev::fleet::${type}::fleet`, type],
  [`urn:pulumi:dev::fleet::my:index:Farm$${type}::fleet`, type],
  [`urn:pulumi:dev::fleet::a:b:C$d:e:F$${type}::fleet`, type],
  [`urn:pulumi:dev::fleet::${type}::name::with$strange:signs`, type],
  ["urn:pulumi:dev", ""],
  ["", ""],
])("the type in the URN %s is %s", (urn, found) => {
  expect(typeOfUrn(urn)).toBe(found);
});
