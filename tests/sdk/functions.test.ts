import * as pulumi from "@pulumi/pulumi";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openStack, openStackOnSimulator, settle } from "./stack.ts";

const order = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
} as const;

describe("the functions", () => {
  test("tell what the account and the catalogue hold, in both forms, and spend nothing", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const foreign = { proxyType: "IPv4", country: "DEU", quantity: 2, rentPeriodDays: 30 } as const;
    simulator.placeForeignOrder(foreign);
    const ledger = simulator.ledger();
    const mobile = { proxyType: "MOBILE" } as const;

    const forms = [
      [await sdk.getBalance(), await settle(sdk.getBalanceOutput())],
      [await sdk.getProxyTypes(), await settle(sdk.getProxyTypesOutput())],
      [await sdk.getCountries(mobile), await settle(sdk.getCountriesOutput(mobile))],
      [await sdk.getRentPeriods(mobile), await settle(sdk.getRentPeriodsOutput(mobile))],
      [await sdk.getMobileOperators(), await settle(sdk.getMobileOperatorsOutput())],
      [await sdk.getPromoCodes(), await settle(sdk.getPromoCodesOutput())],
      [await sdk.getProxies(foreign), await settle(sdk.getProxiesOutput(foreign))],
      [await sdk.getOrderQuote(order), await settle(sdk.getOrderQuoteOutput(order))],
    ];
    for (const [plain, output] of forms) expect(output).toEqual(plain);

    const [balance, types, countries, periods, operators, codes, proxies, quote] = forms.map(
      ([plain]) => plain,
    );
    expect(balance).toEqual({ balance: 997.06, currency: "USD" });
    expect(types).toEqual({ proxyTypes: ["IPv4", "IPv6", "MOBILE", "ISP"] });
    expect(countries).toHaveProperty("countries[0]", { name: "Germany", alpha3code: "DEU" });
    expect(periods).toEqual({ rentPeriodDays: [30, 360] });
    expect(operators).toHaveProperty("mobileOperators.GBR", [
      { mobileOperator: "ee", rotationTimes: [180, 600] },
    ]);
    expect(codes).toHaveProperty("promoCodes[0].code", "SPRING10");
    expect(proxies).toHaveProperty("proxies.length", 2);
    expect(quote).toEqual({
      price: 7,
      currency: "USD",
      discount: 0,
      balance: 997.06,
      warnings: [],
    });
    expect(simulator.requestCounts()).toMatchObject({ createOrder: 0, extend: 0 });
    expect(simulator.ledger()).toEqual(ledger);
  });

  test("give proxies without their logins", async () => {
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

  test("take outputs where they take arguments", async () => {
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

  test("quote a promo code and say whether it holds, and what would stand in the way", async () => {
    const { sdk } = await openStackOnSimulator({ balance: "5.00" });
    const quote = await sdk.getOrderQuote({ ...order, promoCode: "SPRING10" });
    expect(quote).toMatchObject({ price: 6.3, discount: 10, promoCodeStatus: "VALID" });
    expect(quote.warnings).toEqual([{ code: 16, message: expect.any(String) }]);
    const unknown = await sdk.getOrderQuote({ ...order, promoCode: "NOSUCH" });
    expect(unknown).toMatchObject({ price: 7, promoCodeStatus: "NO_VALID" });
  });

  test("get the lists of ISP from a service that wants /users", async () => {
    const { sdk } = await openStackOnSimulator({ ispNeedsUsersPrefix: true });
    const { rentPeriodDays } = await sdk.getRentPeriods({ proxyType: "ISP" });
    expect(rentPeriodDays).toEqual([30, 60, 90, 180, 360]);
  });
});

describe("a function that can't answer", () => {
  test.each([
    ["a wrong key", { apiKey: "n0b0dy" }, "API_KEY_REJECTED"],
    ["a service that is not there", { baseUrl: "http://127.0.0.1:1" }, "SERVICE_UNREACHABLE"],
    ["no key", { apiKey: "" }, "CONFIGURATION_INVALID"],
  ])("says so without a stack or the key: %s", async (_what, config, code) => {
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

  test("refuses a key that the stack configures as plain text, before it asks", async () => {
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

  test("refuses an unknown type before it asks", async () => {
    const { sdk, simulator } = await openStackOnSimulator();
    const proxyType = "IPv5" as "IPv4";
    for (const ask of [sdk.getCountries, sdk.getRentPeriods, sdk.getProxies]) {
      await expect(ask({ proxyType })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    }
    expect(Object.values(simulator.requestCounts()).every((count) => count === 0)).toBe(true);
  });

  test("names every argument of a quote that does not fit", async () => {
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
