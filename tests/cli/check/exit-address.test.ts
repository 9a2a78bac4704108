import { describe, expect, test } from "vitest";
import { isSameAddress, readToldAddress } from "../../../cli/check/exit-address.ts";

describe("the address that an answer tells", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["  203.0.113.7\n", "203.0.113.7"],
    ["2001:DB8::1", "2001:db8::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ['{"ip":"203.0.113.7","country":"USA"}', "203.0.113.7"],
    ['{"origin": "203.0.113.7"}', "203.0.113.7"],
    ['{"origin": "192.168.0.2, 203.0.113.7"}', "203.0.113.7"],
    ['{"ip":"2001:db8:0:0:0:0:0:1"}', "2001:db8::1"],
    ["", undefined],
    ["hello", undefined],
    ["203.0.113.999", undefined],
    ["<p>203.0.113.7</p>", undefined],
    ["fe80::1%eth0", undefined],
    ['{"ip":7}', undefined],
    ['{"address":"203.0.113.7"}', undefined],
    ['["203.0.113.7"]', undefined],
  ])("%j tells %s", (body, address) => {
    expect(readToldAddress(body)).toBe(address);
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7", true],
  ["203.0.113.7", "203.0.113.8", false],
  ["2001:db8::1", "2001:0DB8:0:0:0:0:0:1", true],
  ["2001:db8::1", "2001:db8::2", false],
  ["203.0.113.7", "::ffff:203.0.113.7", true],
  // A proxy may be listed by a name.
  ["203.0.113.7", "proxy.example", false],
])("%s and %s: the same address is %s", (one, other, same) => {
  expect(isSameAddress(one, other)).toBe(same);
});
