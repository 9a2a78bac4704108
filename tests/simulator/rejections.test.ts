import { expect, test } from "vitest";
import { type Answer, ask, get, listIds, orders, post } from "./caller.ts";
import { startForTest } from "./start.ts";

const { IPv4, IPv6, MOBILE } = orders;

test.each([
  ["a type that does not exist", { ...IPv4, proxyType: "IPv5" }, 4],
  ["no type", { ...IPv4, proxyType: undefined }, 4],
  ["a body that is no object", [], 4],
  ["an operator that does not exist", { ...MOBILE, mobileOperator: "nobody" }, 8],
  ["an operator of another country", { ...MOBILE, country: "UKR" }, 8],
  ["no operator", { ...MOBILE, mobileOperator: undefined }, 8],
  ["a rotation time of another operator", { ...MOBILE, rotationTime: 1800 }, 8],
  ["no rotation time", { ...MOBILE, rotationTime: undefined }, 8],
  ["an empty goal", { ...IPv4, goal: " " }, 14],
  ["no goal", { ...IPv4, goal: undefined }, 14],
  ["a country that does not exist", { ...IPv4, country: "XXX" }, 9001],
  ["a country of another type", { ...IPv6, country: "KAZ" }, 9001],
  ["no proxies", { ...IPv4, quantity: 0 }, 9002],
  ["half a proxy", { ...IPv4, quantity: 1.5 }, 9002],
  ["a quantity in quotes", { ...IPv4, quantity: "5" }, 9002],
  ["a quantity that is too high", { ...IPv4, quantity: 1e9 }, 9002],
  ["a period of another type", { ...IPv6, rentPeriodDays: 30 }, 9003],
  ["a promo code that is no text", { ...IPv4, promoCode: 5 }, 9010],
])("%s is refused by calculation and order alike", async (_, request, code) => {
  const simulator = await startForTest();
  const calculated = await post(simulator, "calculate/order", request);
  const ordered = await post(simulator, "order", request);
  expect(calculated).toMatchObject({ success: false, price: null, error: { code } });
  expect(ordered).toMatchObject({ success: false, orderNumber: null, error: { code } });
  expect(simulator.ledger()).toEqual([]);
});

test.each([
  ["a protocol that does not exist", { ...IPv6, protocol: "FTP" }, 13],
  ["no protocol", { ...IPv6, protocol: undefined }, 13],
  ["an authType that does not exist", { ...IPv4, authType: "TOKEN" }, 9004],
  ["no authType", { ...IPv4, authType: undefined }, 9004],
  ["no authIp", { ...IPv4, authType: "IP" }, 9005],
])("%s is refused by an order", async (_, request, code) => {
  const simulator = await startForTest();
  expect(await post(simulator, "order", request)).toMatchObject({
    success: false,
    proxyType: null,
    orderNumber: null,
    balance: 1000,
    currency: "USD",
    error: { code },
  });
  expect(simulator.ledger()).toEqual([]);
});

test("fields that belong to other types are ignored", async () => {
  const simulator = await startForTest();
  const request = { ...IPv4, protocol: "FTP", mobileOperator: 7, somethingNew: true };
  expect((await post(simulator, "order", request)).success).toBe(true);
});

test("a quantity below the minimum of its type is refused", async () => {
  const simulator = await startForTest({ minimumQuantity: { IPv6: 10 } });
  expect((await post(simulator, "calculate/order", IPv6)).error?.code).toBe(9002);
  expect((await post(simulator, "order", { ...IPv6, quantity: 10 })).success).toBe(true);
  expect((await post(simulator, "order", IPv4)).success).toBe(true);
});

test.each([
  ["a type that does not exist", { proxyType: "IPv5" }, 4],
  ["the type of other proxies", { proxyType: "ISP" }, 9006],
  ["no ids", { ids: [] }, 9006],
  ["an unknown id", { ids: ["1"] }, 9006],
  ["an id twice", { twice: true }, 9006],
  ["a period that is not listed", { rentPeriodDays: 31 }, 9003],
  ["an id field spelled for another endpoint", { misspelled: true }, 9006],
])("%s is refused by all three extension endpoints", async (_, change, code) => {
  const simulator = await startForTest();
  await post(simulator, "order", IPv4);
  const held = await listIds(simulator, "IPv4");
  const {
    ids = held,
    twice,
    misspelled,
    ...fields
  } = { twice: false, misspelled: false, ...change } as {
    ids?: string[];
    twice: boolean;
    misspelled: boolean;
  };
  const request = { proxyType: "IPv4", rentPeriodDays: 30, ...fields };
  const sent = twice ? [...ids, ...ids] : ids;
  const [capital, small] = misspelled
    ? [{ ipAddressIds: sent }, { IpAddressIds: sent }]
    : [{ IpAddressIds: sent }, { ipAddressIds: sent }];
  const answers: Answer[] = [
    await post(simulator, "calculate/extend", { ...request, ...capital }),
    await post(simulator, "extend", { ...request, ...small }),
    await post(simulator, "extend/auto", { ...request, ...small, autoExtend: true }),
  ];
  expect(answers.map((answer) => answer.error?.code)).toEqual([code, code, code]);
  expect(simulator.ledger()).toHaveLength(1);
  expect(simulator.proxies().some(({ autoExtend }) => autoExtend)).toBe(false);
});

test("auto-extension that is neither on nor off is refused", async () => {
  const simulator = await startForTest();
  await post(simulator, "order", IPv4);
  const ipAddressIds = await listIds(simulator, "IPv4");
  const request = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 30 };
  expect(await post(simulator, "extend/auto", request)).toMatchObject({
    success: false,
    rentPeriodDays: 0,
    quantity: 0,
    ipAddressIds: [],
    error: { code: 9009 },
  });
});

test.each([
  [{ proxyType: "IPv4" }, { proxyType: "IPv6", page: 0, size: 10 }, 4],
  [{}, { proxyType: "IPv4", page: 0, size: 10 }, 4],
  [{ proxyType: "IPv4" }, { page: 0, size: 10 }, 4],
  [{ proxyType: "IPv4" }, { proxyType: "IPv4", page: -1, size: 10 }, 9008],
  [{ proxyType: "IPv4" }, { proxyType: "IPv4", page: 0, size: 0 }, 9008],
  [{ proxyType: "IPv4" }, { proxyType: "IPv4", page: 0 }, 9008],
] as const)("a page with %o and %o is refused", async (query, body, code) => {
  const simulator = await startForTest();
  const path = "/client/api/v1/{apiKey}/ipAddress";
  const answer = await ask(simulator, { method: "POST", path, query, body });
  expect(answer).toMatchObject({ success: false, error: { code } });
  expect(answer.data).toEqual({});
});

test.each([
  [false, "", "ISP", true],
  [false, "/users", "ISP", true],
  [true, "", "ISP", false],
  [true, "/users", "ISP", true],
  [true, "", "IPv4", true],
  [false, "/users", "IPv4", false],
])(
  "with the prefix required: %s, '%s' serves %s: %s",
  async (needed, prefix, proxyType, success) => {
    const simulator = await startForTest({ ispNeedsUsersPrefix: needed });
    for (const name of ["country", "rentPeriod"]) {
      const path = `${prefix}/client/api/v1/{apiKey}/${name}`;
      const answer = await ask(simulator, { method: "GET", path, query: { proxyType } });
      expect(answer.success).toBe(success);
      expect(answer.error?.code).toBe(success ? undefined : 4);
    }
  },
);

test("the whole catalogue can be ordered", async () => {
  const simulator = await startForTest({ balance: 1_000_000 });
  const { mobileOperators } = await get(simulator, "mobileOperator");
  for (const order of Object.values(orders)) {
    const { proxyType } = order;
    const { countries } = await get(simulator, "country", { proxyType });
    const { rentPeriodDays } = await get(simulator, "rentPeriod", { proxyType });
    for (const { alpha3code: country } of countries) {
      for (const days of rentPeriodDays) {
        const operators = proxyType === "MOBILE" ? (mobileOperators[country] ?? []) : [{}];
        expect(operators.length).toBeGreaterThan(0);
        for (const operator of operators) {
          const rotationTime = "rotationTimes" in operator ? operator.rotationTimes.at(-1) : 0;
          const request = { ...order, ...operator, rotationTime, country, rentPeriodDays: days };
          expect(await post(simulator, "calculate/order", request)).toMatchObject({
            success: true,
            warnings: null,
          });
        }
      }
    }
  }
});
