import { expect, test } from "vitest";
import { beginRun } from "../../support/orders-under-test.ts";

const documented = [
  "proxyType",
  "authType",
  "authIp",
  "goal",
  "country",
  "promoCode",
  "quantity",
  "rentPeriodDays",
  "protocol",
  "rotationTime",
  "mobileOperator",
];

test("the request for an order has the documented fields, and nothing about the stack", async () => {
  const { service, buy } = beginRun();
  await buy("fleet", { maxPrice: 100, allowReplacement: true, deliveryTimeoutSeconds: 5 });
  expect(service.sent).toHaveLength(3);
  for (const request of service.sent) {
    expect(Object.keys(request).filter((name) => !documented.includes(name))).toEqual([]);
  }
});
