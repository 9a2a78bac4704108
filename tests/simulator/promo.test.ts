import { expect, test } from "vitest";
import { get, listIds, orders, post } from "./caller.ts";
import { startForTest } from "./start.ts";

test.each([
  ["SPRING10", "VALID", 10, 6.3],
  ["GRATIS100", "VALID", 100, 0],
  ["WINTER25", "NO_VALID", 0, 7],
  ["USEDUP20", "NO_VALID", 0, 7],
  ["NOSUCHCODE", "NO_VALID", 0, 7],
  ["", null, 0, 7],
  [undefined, null, 0, 7],
])("the promo code %s is %s: %d percent off", async (promoCode, status, discount, price) => {
  const simulator = await startForTest();
  const request = { ...orders.IPv4, promoCode };
  expect(await post(simulator, "calculate/order", request)).toMatchObject({
    success: true,
    promoCodeStatus: status,
    discount,
    price,
  });
  expect(await post(simulator, "order", request)).toMatchObject({
    success: true,
    promoCodeStatus: status,
  });
  expect(simulator.ledger().map((entry) => entry.price)).toEqual([price.toFixed(2)]);
});

test("orders use up a code, calculations and refused orders do not", async () => {
  const simulator = await startForTest();
  const request = { ...orders.IPv4, promoCode: "TWICE15" };
  for (let turn = 0; turn < 3; turn += 1) await post(simulator, "calculate/order", request);
  await post(simulator, "order", { ...request, country: "XXX" });
  simulator.setBalance("1");
  await post(simulator, "order", request);
  simulator.setBalance("100");
  const answers = [
    await post(simulator, "order", request),
    await post(simulator, "order", request),
    await post(simulator, "order", request),
  ];
  expect(answers.map((answer) => answer.promoCodeStatus)).toEqual(["VALID", "VALID", "NO_VALID"]);
  expect(simulator.ledger().map((entry) => entry.price)).toEqual(["5.95", "5.95", "7.00"]);
  const { promoCodes } = await get(simulator, "promoCode");
  expect(promoCodes.find(({ code }) => code === "TWICE15")?.countUses).toBe(0);
});

test("an extension with an invalid code goes through at the full price", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", { ...orders.IPv4, quantity: 2 });
  const ids = await listIds(simulator, "IPv4");
  const request = { proxyType: "IPv4", rentPeriodDays: 30, promoCode: "WINTER25" };
  const calculated = await post(simulator, "calculate/extend", { ...request, IpAddressIds: ids });
  const extended = await post(simulator, "extend", { ...request, ipAddressIds: ids });
  expect(calculated).toMatchObject({ price: 2.8, promoCodeStatus: "NO_VALID" });
  expect(extended).toMatchObject({ success: true, promoCodeStatus: "NO_VALID" });
  expect(simulator.ledger().at(-1)?.price).toBe("2.80");
});
