import * as pulumi from "@pulumi/pulumi";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { proxyTypes } from "../../provider/client/index.ts";
import type { FunctionName } from "../../provider/core/functions/functions.ts";
import type { GetProxiesArgs } from "../../sdk/index.ts";
import { openStack, openStackOnSimulator, settle } from "./stack.ts";

const order = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
} as const;

/** A function in both of its forms, and the answer that it must give. */
type Asked = [forms: [plain: Promise<object>, output: pulumi.Output<object>], answer: object];

describe("the functions", () => {
  test("return the account and the catalogue, in both forms, and spend nothing", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const foreign = { proxyType: "IPv4", country: "DEU", quantity: 2, rentPeriodDays: 30 } as const;
    simulator.placeForeignOrder(foreign);
    const ledger = simulator.ledger();
    const mobile = { proxyType: "MOBILE" } as const;
    const germans = { proxyType: "IPv4", country: "DEU" } as const;
    const ipAddressIds = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
    const longer = { proxyType: "IPv4", ipAddressIds, rentPeriodDays: 60 } as const;

    const quote = { currency: "USD", discount: 0, balance: 997.06, warnings: [] };
    const german = { name: "Germany", alpha3code: "DEU" };
    const british = { mobileOperator: "ee", rotationTimes: [180, 600] };
    const spring = expect.objectContaining({ code: "SPRING10" });
    const all: Record<FunctionName, Asked> = {
      getBalance: [
        [sdk.getBalance(), sdk.getBalanceOutput()],
        { balance: 997.06, currency: "USD" },
      ],
      getProxyTypes: [[sdk.getProxyTypes(), sdk.getProxyTypesOutput()], { proxyTypes }],
      getCountries: [
        [sdk.getCountries(mobile), sdk.getCountriesOutput(mobile)],
        { countries: expect.arrayContaining([german]) },
      ],
      getRentPeriods: [
        [sdk.getRentPeriods(mobile), sdk.getRentPeriodsOutput(mobile)],
        { rentPeriodDays: [30, 360] },
      ],
      getMobileOperators: [
        [sdk.getMobileOperators(), sdk.getMobileOperatorsOutput()],
        { mobileOperators: expect.objectContaining({ GBR: [british] }) },
      ],
      getPromoCodes: [
        [sdk.getPromoCodes(), sdk.getPromoCodesOutput()],
        { promoCodes: expect.arrayContaining([spring]) },
      ],
      getProxies: [
        [sdk.getProxies(germans), sdk.getProxiesOutput(germans)],
        { proxies: [expect.anything(), expect.anything()] },
      ],
      getOrderQuote: [
        [sdk.getOrderQuote(order), sdk.getOrderQuoteOutput(order)],
        { ...quote, price: 7 },
      ],
      getExtensionQuote: [
        [sdk.getExtensionQuote(longer), sdk.getExtensionQuoteOutput(longer)],
        { ...quote, price: 5.73 },
      ],
    };
    for (const [[plain, output], answer] of Object.values(all)) {
      expect(await plain).toEqual(answer);
      expect(await settle(output)).toEqual(await plain);
    }
    expect(simulator.requestCounts()).toMatchObject({ createOrder: 0, extend: 0 });
    expect(simulator.ledger()).toEqual(ledger);
  });

  test("find proxies by order, country and days left by the service's clock", async () => {
    const now = () => new Date("2031-01-01T00:00:00Z");
    const { sdk, simulator } = await openStackOnSimulator({ now });
    const item = { proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 } as const;
    const soon = simulator.placeForeignOrder(item);
    const later = simulator.placeForeignOrder({ ...item, rentPeriodDays: 90 });
    const german = simulator.placeForeignOrder({ ...item, country: "DEU" });
    const ordersOf = async (filter: Omit<GetProxiesArgs, "proxyType">) =>
      (await sdk.getProxies({ proxyType: "IPv4", ...filter })).proxies.map(
        (proxy) => proxy.orderId,
      );

    expect(await ordersOf({})).toEqual([soon.orderId, later.orderId, german.orderId]);
    expect(await ordersOf({ orderNumber: later.orderId })).toEqual([later.orderId]);
    expect(await ordersOf({ country: "DEU" })).toEqual([german.orderId]);
    expect(await ordersOf({ daysLeftBelow: 31 })).toEqual([soon.orderId, german.orderId]);
    expect(await ordersOf({ daysLeftBelow: 29 })).toEqual([]);
    expect(await ordersOf({ daysLeftAtLeast: 31 })).toEqual([later.orderId]);
    expect(await ordersOf({ country: "USA", daysLeftBelow: 31 })).toEqual([soon.orderId]);
    expect(await ordersOf({ country: "FRA" })).toEqual([]);
    const country = pulumi.output("DEU");
    const { proxies } = await settle(sdk.getProxiesOutput({ proxyType: "IPv4", country }));
    expect(proxies).toHaveLength(1);
  });

  test("return proxies without their logins", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    simulator.placeForeignOrder({
      proxyType: "ISP",
      country: "USA",
      quantity: 3,
      rentPeriodDays: 30,
    });
    const { proxies } = await sdk.getProxies({ proxyType: "ISP" });
    expect(proxies.map(({ ipAddressId }) => ipAddressId)).toEqual(
      simulator.proxies().map(({ ipAddressId }) => ipAddressId),
    );
    for (const { login, password } of simulator.proxies()) {
      expect(JSON.stringify(proxies)).not.toContain(login);
      expect(JSON.stringify(proxies)).not.toContain(password);
    }
  });

  test("accept outputs as arguments", async () => {
    const { sdk } = await openStackOnSimulator();
    const proxyType = pulumi.output("ISP" as const);
    const { countries } = await settle(sdk.getCountriesOutput({ proxyType }));
    expect(countries.map(({ alpha3code }) => alpha3code)).toEqual([
      "USA",
      "GBR",
      "DEU",
      "FRA",
      "CAN",
    ]);
    const quote = await settle(sdk.getOrderQuoteOutput({ ...order, quantity: pulumi.output(10) }));
    expect(quote.price).toBe(14);
  });

  test("quote a promo code, say whether it is valid, and what would prevent the purchase", async () => {
    const { sdk } = await openStackOnSimulator({ balance: "5.00" });
    const quote = await sdk.getOrderQuote({ ...order, promoCode: "SPRING10" });
    expect(quote).toMatchObject({ price: 6.3, discount: 10, promoCodeStatus: "VALID" });
    expect(quote.warnings).toEqual([{ code: 16, message: expect.any(String) }]);
    const unknown = await sdk.getOrderQuote({ ...order, promoCode: "NOSUCH" });
    expect(unknown).toMatchObject({ price: 7, promoCodeStatus: "NO_VALID" });
  });

  test("quote an extension with its promo code, and return what would prevent it as data", async () => {
    const { sdk, simulator } = await openStackOnSimulator({ balance: "8.00" });
    const { proxyType, country, quantity, rentPeriodDays } = order;
    simulator.placeForeignOrder({ proxyType, country, quantity, rentPeriodDays });
    const ipAddressIds = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
    const args = { proxyType, ipAddressIds, rentPeriodDays, promoCode: "SPRING10" };
    const quote = await sdk.getExtensionQuote(args);
    expect(quote).toMatchObject({ price: 6.3, discount: 10, promoCodeStatus: "VALID", balance: 1 });
    expect(quote.warnings).toEqual([{ code: 16, message: expect.any(String) }]);
    expect(simulator.requestCounts()).toMatchObject({ extend: 0, createOrder: 0 });
  });

  test("quote an extension for whole IPv6 orders only, and name the missing proxies", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    simulator.placeForeignOrder({ ...order, proxyType: "IPv6", quantity: 3, rentPeriodDays: 90 });
    const [first = "", ...rest] = simulator.proxies().map(({ ipAddressId }) => ipAddressId);
    const args = { proxyType: "IPv6", rentPeriodDays: 90 } as const;
    await expect(sdk.getExtensionQuote({ ...args, ipAddressIds: [first] })).rejects.toMatchObject({
      message: expect.stringContaining(`these are missing: ${rest.join(", ")}`),
    });
    const strangers = { ...args, ipAddressIds: [first, ...rest, "8", "9"] };
    await expect(sdk.getExtensionQuote(strangers)).rejects.toMatchObject({
      message: expect.stringContaining("so they can't be extended: 8, 9"),
    });
    expect(simulator.requestCounts().calculateExtension).toBe(0);
    const quote = await sdk.getExtensionQuote({ ...args, ipAddressIds: [first, ...rest] });
    expect(quote).toMatchObject({ price: expect.any(Number), warnings: [] });
  });

  test("get the lists of ISP from a service that requires /users", async () => {
    const { sdk } = await openStackOnSimulator({ ispNeedsUsersPrefix: true });
    const { rentPeriodDays } = await sdk.getRentPeriods({ proxyType: "ISP" });
    expect(rentPeriodDays).toEqual([30, 60, 90, 180, 360]);
  });
});

describe("a function that can't answer", () => {
  test.each([
    ["a wrong key", { apiKey: "n0b0dy-n0b0dy-n0b0dy" }, "API_KEY_REJECTED"],
    ["an unreachable service", { baseUrl: "http://127.0.0.1:1" }, "SERVICE_UNREACHABLE"],
    ["no key", { apiKey: "" }, "CONFIGURATION_INVALID"],
  ])("says so without a stack trace or the key: %s", async (_what, config, code) => {
    const { simulator } = await openStackOnSimulator();
    const { baseUrl, apiKey } = simulator;
    const sdk = await openStack({ baseUrl, apiKey, ...config });
    const error = await sdk.getBalance().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(sdk.ProgramError);
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code, message: expect.stringContaining(code) });
    expect(String(error)).not.toMatch(/n0b0dy/);
    expect(simulator.ledger()).toEqual([]);
  });

  test("refuses a key configured as plain text, before any request", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    vi.stubEnv("PULUMI_CONFIG_SECRET_KEYS", "[]");
    onTestFinished(() => void vi.unstubAllEnvs());
    const error = await sdk.getBalance().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "CONFIGURATION_INVALID" });
    expect(String(error)).not.toContain(simulator.apiKey);
    expect(simulator.requestCounts().getBalance).toBe(0);
    vi.stubEnv("PULUMI_CONFIG_SECRET_KEYS", '["proxyrental:apiKey"]');
    expect(await sdk.getBalance()).toMatchObject({ currency: "USD" });
  });

  test("refuses an unknown type before any request", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const proxyType = "IPv5" as "IPv4";
    for (const ask of [sdk.getCountries, sdk.getRentPeriods, sdk.getProxies]) {
      await expect(ask({ proxyType })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    }
    expect(Object.values(simulator.requestCounts()).every((count) => count === 0)).toBe(true);
  });

  test("names every wrong filter, and what is accepted", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const wrong = {
      ...{ proxyType: "IPv4", country: "usa", orderNumber: 4683731, daysLeftBelow: "7" },
      daysLeft: 7,
    } as unknown as GetProxiesArgs;
    await expect(sdk.getProxies(wrong)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(
        /getProxies: orderNumber must be .+ as a text, not 4683731; country must be .+ not "usa"; daysLeftBelow must be a number of days, not "7"; daysLeft is not an argument; accepted: proxyType, orderNumber,/,
      ),
    });
    const never = { proxyType: "IPv4", daysLeftAtLeast: 7, daysLeftBelow: 7 } as const;
    await expect(sdk.getProxies(never)).rejects.toMatchObject({
      message: expect.stringContaining(
        "daysLeftAtLeast must be less than daysLeftBelow (7), not 7",
      ),
    });
    expect(simulator.requestCounts().listProxies).toBe(0);
  });

  test("names every wrong argument of an extension's quote", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const wrong = { proxyType: "IPv4", ipAddressIds: [], rentPeriodDays: 1.5, goal: "a" } as const;
    const asked = sdk.getExtensionQuote({ ...wrong, ipAddressIds: [] });
    await expect(asked).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(
        /getExtensionQuote: ipAddressIds must be .*; rentPeriodDays must be .*; goal is not an argument/,
      ),
    });
    const twice = { proxyType: "IPv4", ipAddressIds: ["1", "1"], rentPeriodDays: 30 } as const;
    await expect(
      sdk.getExtensionQuote({ ...twice, ipAddressIds: ["1", "1"] }),
    ).rejects.toMatchObject({ message: expect.stringContaining("names 1 twice") });
    expect(simulator.requestCounts().calculateExtension).toBe(0);
  });

  test("names every wrong argument of a quote", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const wrong = {
      ...order,
      country: "usa",
      quantity: 0,
      protocol: "HTTP",
    } as unknown as typeof order;
    await expect(sdk.getOrderQuote(wrong)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(
        /country must be .*; quantity must be .*; protocol is accepted only/,
      ),
    });
    expect(simulator.requestCounts().calculateOrder).toBe(0);
  });
});
