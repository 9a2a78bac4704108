import { describe, expect, test } from "vitest";
import {
  describeInPlace,
  findPossible,
  findProxy,
  toKnown,
} from "../../../provider/core/proxies/address.ts";
import { record } from "../support/fake-service.ts";

const known = toKnown(record("7000", 1));

const { orderId: _none, ...unordered } = known;

describe("a proxy that is known from earlier", () => {
  test.each([
    ["its id", record("7000", 1), "same"],
    ["its id, at another address", record("7000", 1, { ipAddressIp: "192.0.2.99" }), "same"],
    ["its id, of another order", record("8000", 1), "same"],
    ["its address, port and order", record("7000", 1, { ipAddressId: "new" }), "same"],
    ["its address and port, of another order", record("8000", 1, { ipAddressId: "x" }), "possible"],
    [
      "its address at another port",
      record("7000", 1, { ipAddressId: "new", httpsPort: "1" }),
      "other",
    ],
    [
      "its port at another address",
      record("7000", 1, { ipAddressId: "new", ipAddressIp: "192.0.2.9" }),
      "other",
    ],
    [
      "its address without a port",
      record("7000", 1, { ipAddressId: "new", httpsPort: undefined }),
      "other",
    ],
  ])("is listed with %s", (_what, listed, is) => {
    const records = [record("8000", 9), listed];
    expect(findProxy(records, known)).toBe(is === "same" ? listed : undefined);
    expect(findPossible(records, known)).toBe(is === "other" ? undefined : listed);
  });

  test("is not found by its address alone", () => {
    const listed = record("7000", 1, { ipAddressId: "new" });
    expect(findProxy([listed], unordered)).toBeUndefined();
    expect(findPossible([listed], unordered)).toBe(listed);
  });

  test("is not another one if the ports of both are not known", () => {
    const portless = { httpsPort: undefined };
    const listed = record("7000", 1, { ipAddressId: "new", ...portless });
    expect(findProxy([listed], toKnown(record("7000", 1, portless)))).toBeUndefined();
    expect(findPossible([listed], toKnown(record("7000", 1, portless)))).toBeUndefined();
  });

  test("is found by its id first, then in its order", () => {
    const sameAddress = record("7000", 1, { ipAddressId: "other" });
    const sameId = record("7000", 1, { ipAddressIp: "192.0.2.99" });
    expect(findProxy([sameAddress, sameId], known)).toBe(sameId);
    const heir = record("8000", 1, { ipAddressId: "heir" });
    expect(findProxy([heir, sameAddress], known)).toBe(sameAddress);
  });
});

test("people are told what is at the address of a proxy that is not found", () => {
  const heir = record("8000", 1, { ipAddressId: "heir" });
  expect(describeInPlace([heir], [known])).toContain("heir of order 8000 in place of ip-1");
  const renamed = record("7000", 1, { ipAddressId: "new" });
  expect(describeInPlace([renamed], [known])).toBe("");
  expect(describeInPlace([renamed], [unordered])).toContain("new of order 7000 in place of ip-1");
  expect(describeInPlace([record("8000", 2)], [known])).toBe("");
});
