import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import { IpAutoExtend, IpExtension, ProxyOrder } from "../../sdk/index.ts";
import { settle } from "./stack.ts";

/** What checks fill in. */
const defaults = { authType: "LOGIN", autoExtend: true };

beforeEach(async () => {
  const newResource = async ({ name, inputs }: pulumi.runtime.MockResourceArgs) => ({
    id: name,
    state: { ...defaults, ...inputs },
  });
  await pulumi.runtime.setMocks({ call: () => ({}), newResource }, "outputs", "dev", true, "acme");
});

// A preview tells nothing of an output that it does not know: then `settle` would wait in vain.
test("each argument of an order is an output, also one that the program leaves out", async () => {
  const args = { country: "USA", quantity: 5, rentPeriodDays: 30, goal: "prices", maxPrice: 20 };
  const order = new ProxyOrder("fleet", { proxyType: "IPv6", protocol: "SOCKS", ...args });
  const { country, quantity, rentPeriodDays, goal, maxPrice, proxyType, protocol } = order;
  const given = { country, quantity, rentPeriodDays, goal, maxPrice, proxyType, protocol };
  for (const [name, output] of Object.entries(given)) {
    const expected = { ...args, proxyType: "IPv6", protocol: "SOCKS" };
    expect(await settle<unknown>(output), name).toBe(expected[name as keyof typeof expected]);
  }
  expect(await settle(order.authType)).toBe("LOGIN");
  const { promoCode, authIp, mobileOperator, rotationTime, allowReplacement } = order;
  const { adoptOrderNumber, deliveryTimeoutSeconds } = order;
  const absent = { promoCode, authIp, mobileOperator, rotationTime, allowReplacement };
  for (const output of Object.values({ ...absent, adoptOrderNumber, deliveryTimeoutSeconds })) {
    expect(await settle<unknown>(output)).toBeUndefined();
  }
});

test("each argument of an extension and an auto-extension is an output", async () => {
  const ipAddressIds = ["1"];
  const args = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 } as const;
  const extension = new IpExtension("through", { ...args, paidThrough: "2026-12-31" });
  expect(await settle(extension.paidThrough)).toBe("2026-12-31");
  expect(await settle(extension.rentPeriodDays)).toBe(30);
  expect(await settle(extension.promoCode)).toBeUndefined();
  expect(await settle(extension.maxPrice)).toBeUndefined();
  const autoExtension = new IpAutoExtend("keep", args);
  expect(await settle(autoExtension.autoExtend)).toBe(true);
  expect(await settle(autoExtension.proxyType)).toBe("IPv4");
  expect(await settle(autoExtension.ipAddressIds)).toEqual(["1"]);
});
