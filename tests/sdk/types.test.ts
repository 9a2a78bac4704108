import * as pulumi from "@pulumi/pulumi";
import type { ProxyAgent } from "undici";
import { describe, expectTypeOf, test } from "vitest";
import type {
  AuthType,
  Credential,
  formatProxies,
  GetOrderQuoteArgs,
  IpAutoExtend,
  IpAutoExtendArgs,
  IpExtension,
  IpExtensionArgs,
  PlaywrightProxy,
  ProxyFleet,
  ProxyFleetArgs,
  ProxyForms,
  ProxyOrder,
  ProxyOrderArgs,
  ProxySource,
  ProxyType,
  RentedProxy,
  UndiciProxy,
} from "../../sdk/index.ts";

// The compiler checks these lines: `tsc` fails if it accepts a line that must not compile.

const common = {
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price monitoring",
};

const anyType = pulumi.output<ProxyType>("IPv4");
const plainType = ["IPv4"][0] as ProxyType;
const anyAuth = pulumi.output<AuthType>("IP");
const text = pulumi.output("text");
const number = pulumi.output(5);

/** Takes what a `ProxyOrder` takes. */
function accept<Type extends ProxyType, Auth extends AuthType>(
  _args: ProxyOrderArgs<Type, Auth>,
): void {}

describe("arguments of an order", () => {
  test("compile if they fit their type", () => {
    accept({ ...common, proxyType: "IPv4" });
    accept({ ...common, proxyType: "ISP", promoCode: "A", maxPrice: 10, allowReplacement: true });
    accept({ ...common, proxyType: "IPv6", protocol: "SOCKS" });
    accept({ ...common, proxyType: "MOBILE", mobileOperator: "telekom", rotationTime: 300 });
    accept({ ...common, proxyType: "IPv4", authType: "LOGIN" });
    accept({ ...common, proxyType: "IPv4", authType: "IP", authIp: "192.0.2.1" });
  });

  test("may be outputs", () => {
    accept({ ...common, proxyType: "IPv4", country: text, quantity: number, goal: text });
    accept({ ...common, proxyType: "MOBILE", mobileOperator: text, rotationTime: number });
    accept({ ...common, proxyType: "IPv4", authType: "IP", authIp: text });
    accept({ ...common, proxyType: anyType });
    accept({ ...common, proxyType: anyType, protocol: "HTTP" });
    accept({ ...common, proxyType: anyType, mobileOperator: text, rotationTime: 300 });
  });

  test("may have a type that only the run knows", () => {
    accept({ ...common, proxyType: plainType });
    accept({ ...common, proxyType: plainType, protocol: "HTTP", authType: anyAuth, authIp: text });
  });

  test("are a plain set of arguments where no type is given", () => {
    expectTypeOf<Omit<ProxyOrderArgs, "goal"> & { goal: string }>().toExtend<ProxyOrderArgs>();
    expectTypeOf<ProxyOrderArgs<"IPv6">>().toExtend<ProxyOrderArgs>();
  });

  test("do not compile if one is missing", () => {
    // @ts-expect-error mobileOperator is missing
    accept({ ...common, proxyType: "MOBILE", rotationTime: 300 });
    // @ts-expect-error rotationTime is missing
    accept({ ...common, proxyType: "MOBILE", mobileOperator: "telekom" });
    // @ts-expect-error protocol is missing
    accept({ ...common, proxyType: "IPv6" });
    // @ts-expect-error authIp is missing
    accept({ ...common, proxyType: "IPv4", authType: "IP" });
    // @ts-expect-error country is missing
    accept({ proxyType: "IPv4", quantity: 5, rentPeriodDays: 30, goal: "a" });
    // @ts-expect-error goal is missing
    accept({ proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 });
  });

  test("do not compile if one is wrong", () => {
    // @ts-expect-error protocol is for IPv6 only
    accept({ ...common, proxyType: "IPv4", protocol: "HTTP" });
    // @ts-expect-error mobileOperator is for MOBILE only
    accept({ ...common, proxyType: "ISP", mobileOperator: "telekom" });
    // @ts-expect-error rotationTime is for MOBILE only
    accept({ ...common, proxyType: "IPv6", protocol: "HTTP", rotationTime: 300 });
    // @ts-expect-error authIp is for authType IP only
    accept({ ...common, proxyType: "IPv4", authType: "LOGIN", authIp: "192.0.2.1" });
    // @ts-expect-error no such type
    accept({ ...common, proxyType: "IPv5" });
    // @ts-expect-error no such protocol
    accept({ ...common, proxyType: "IPv6", protocol: "HTTPS" });
    // @ts-expect-error no such argument
    accept({ ...common, proxyType: "IPv4", quantitty: 5 });
    // @ts-expect-error a number is wanted
    accept({ ...common, proxyType: "IPv4", quantity: "5" });
  });
});

test("arguments of a quote are those of an order, without outputs", () => {
  expectTypeOf<{ proxyType: "IPv4" } & typeof common>().toExtend<GetOrderQuoteArgs>();
  expectTypeOf<pulumi.Output<number>>().not.toExtend<GetOrderQuoteArgs["quantity"]>();
});

test("arguments of an auto-extension accept an order's outputs", () => {
  expectTypeOf<ProxyOrder["ipAddressIds"]>().toExtend<IpAutoExtendArgs["ipAddressIds"]>();
  expectTypeOf<pulumi.Output<ProxyType>>().toExtend<IpAutoExtendArgs["proxyType"]>();
  expectTypeOf<IpAutoExtendArgs["autoExtend"]>().toEqualTypeOf<pulumi.Input<boolean> | undefined>();
});

test("arguments of an extension accept outputs of an order and of an extension", () => {
  expectTypeOf<ProxyOrder["ipAddressIds"]>().toExtend<IpExtensionArgs["ipAddressIds"]>();
  expectTypeOf<IpExtension["ipAddressIds"]>().toExtend<IpAutoExtendArgs["ipAddressIds"]>();
  expectTypeOf<pulumi.Output<string>>().toExtend<IpExtensionArgs["paidThrough"]>();
  expectTypeOf<Date>().not.toExtend<IpExtensionArgs["paidThrough"]>();
  expectTypeOf<IpExtension["paidUntil"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
});

test("each argument of a resource is also an output", () => {
  expectTypeOf<keyof ProxyOrderArgs>().toExtend<keyof ProxyOrder>();
  expectTypeOf<keyof IpAutoExtendArgs>().toExtend<keyof IpAutoExtend>();
  expectTypeOf<keyof IpExtensionArgs>().toExtend<keyof IpExtension>();
  expectTypeOf<ProxyOrder["quantity"]>().toEqualTypeOf<pulumi.Output<number>>();
  expectTypeOf<ProxyOrder["promoCode"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
  expectTypeOf<ProxyOrder<"IPv6">["proxyType"]>().toEqualTypeOf<pulumi.Output<"IPv6">>();
  expectTypeOf<ProxyOrder<"IPv6", "IP">>().toExtend<ProxyOrder>();
});

test("outputs have the service's types", () => {
  expectTypeOf<ProxyOrder["orderNumber"]>().toEqualTypeOf<pulumi.Output<string>>();
  expectTypeOf<ProxyOrder["proxies"]>().toEqualTypeOf<pulumi.Output<RentedProxy[]>>();
  expectTypeOf<ProxyOrder["credentials"]>().toEqualTypeOf<
    pulumi.Output<Record<string, Credential>>
  >();
  expectTypeOf<ProxyOrder["expiresAt"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
  expectTypeOf<IpAutoExtend["autoExtend"]>().toEqualTypeOf<pulumi.Output<boolean>>();
  expectTypeOf<RentedProxy>().not.toHaveProperty("credential");
});

test("formatted proxies have the type of their form", () => {
  type Given<Format extends keyof ProxyForms> = ReturnType<typeof formatProxies<Format>>;
  expectTypeOf<Given<"url">>().toEqualTypeOf<pulumi.Output<string[]>>();
  expectTypeOf<Given<"host:port:user:pass">>().toEqualTypeOf<pulumi.Output<string[]>>();
  expectTypeOf<Given<"playwright">>().toEqualTypeOf<pulumi.Output<PlaywrightProxy[]>>();
  expectTypeOf<Given<"undici">>().toEqualTypeOf<pulumi.Output<UndiciProxy[]>>();
  expectTypeOf<UndiciProxy>().toExtend<ProxyAgent.Options>();
  expectTypeOf<ProxyOrder>().toExtend<ProxySource>();
  // @ts-expect-error no such form
  expectTypeOf<Given<"curl">>();
});

describe("arguments of a fleet", () => {
  const { country: _country, quantity: _quantity, ...each } = common;
  const countries = { USA: 50, DEU: number };

  function accept<Country extends string, Type extends ProxyType, Auth extends AuthType>(
    _args: ProxyFleetArgs<Country, Type, Auth>,
  ): void {}

  test("are those of an order, with countries instead of one country", () => {
    accept({ ...each, proxyType: "IPv4", countries });
    accept({ ...each, proxyType: "IPv6", countries, protocol: "HTTP", autoExtend: true });
    accept({ ...each, proxyType: "MOBILE", countries, mobileOperator: text, rotationTime: 300 });
    accept({
      ...each,
      proxyType: "ISP",
      countries,
      authType: "IP",
      authIp: text,
      maxPrice: number,
    });
    accept({ ...each, proxyType: anyType, countries, autoExtend: { rentPeriodDays: number } });
  });

  test("do not compile if one is missing or wrong", () => {
    // @ts-expect-error countries is missing
    accept({ ...each, proxyType: "IPv4" });
    // @ts-expect-error protocol is missing
    accept({ ...each, proxyType: "IPv6", countries });
    // @ts-expect-error mobileOperator is missing
    accept({ ...each, proxyType: "MOBILE", countries, rotationTime: 300 });
    // @ts-expect-error the countries must be known
    accept({ ...each, proxyType: "IPv4", countries: pulumi.output(countries) });
    // @ts-expect-error whether there are extensions must be known
    accept({ ...each, proxyType: "IPv4", countries, autoExtend: pulumi.output(true) });
    // @ts-expect-error a fleet has no quantity of its own
    accept({ ...each, proxyType: "IPv4", countries, quantity: 5 });
    // @ts-expect-error a fleet adopts no order
    accept({ ...each, proxyType: "IPv4", countries, adoptOrderNumber: "4683731" });
    // @ts-expect-error a number is wanted
    accept({ ...each, proxyType: "IPv4", countries: { USA: "5" } });
  });

  test("have the countries as keys of the outputs", () => {
    type Fleet = ProxyFleet<"USA" | "DEU">;
    expectTypeOf<keyof Fleet["orders"]>().toEqualTypeOf<"USA" | "DEU">();
    expectTypeOf<Fleet["orders"]["USA"]>().toEqualTypeOf<ProxyOrder>();
    expectTypeOf<Fleet["urlsByCountry"]["DEU"]>().toEqualTypeOf<pulumi.Output<string[]>>();
    expectTypeOf<ProxyFleet["orders"][string]>().toEqualTypeOf<ProxyOrder>();
    expectTypeOf<Fleet>().toExtend<ProxySource>();
    expectTypeOf<Fleet["ipAddressIds"]>().toExtend<IpAutoExtendArgs["ipAddressIds"]>();
    expectTypeOf<Fleet["expiresAt"]>().toEqualTypeOf<pulumi.Output<string | undefined>>();
  });
});
