import { describe, expect, test } from "vitest";
import { proxyTypes } from "../../../provider/client/index.ts";
import { parseAutoExtensionArgs } from "../../../provider/core/auto-extension/args.ts";
import { describeOrder, parseOrderArgs } from "../../../provider/core/order/model/args.ts";
import { sameProxies } from "../../../provider/core/proxies/proxy-args.ts";
import { listAccepted } from "../../../provider/core/values/inputs.ts";
import { given } from "../support/orders-under-test.ts";

/** The mistakes, each as `property: reason`. */
function failures(args: object, ...unknown: string[]): string[] {
  return parseOrderArgs(given(args, ...unknown)).failures.map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
}

const ipv6 = { proxyType: "IPv6", protocol: "HTTP" };
const mobile = { proxyType: "MOBILE", mobileOperator: "telekom", rotationTime: 300 };

describe("valid arguments of an order", () => {
  test.each([
    ["IPv4", {}],
    ["ISP", { proxyType: "ISP" }],
    ["IPv6 over HTTP", ipv6],
    ["IPv6 over SOCKS", { ...ipv6, protocol: "SOCKS" }],
    ["MOBILE", mobile],
    ["MOBILE that never rotates", { ...mobile, rotationTime: 0 }],
    ["authType LOGIN", { authType: "LOGIN" }],
    ["authType IP with an IPv4 address", { authType: "IP", authIp: "192.0.2.1" }],
    ["authType IP with an IPv6 address", { authType: "IP", authIp: "2001:db8::1" }],
    [
      "every argument of the provider's own",
      { maxPrice: 0, allowReplacement: false, deliveryTimeoutSeconds: 86_400 },
    ],
    ["null for omitted arguments", { promoCode: null, protocol: null, authIp: null }],
    ["the longest goal", { goal: "x".repeat(1_000) }],
  ])("are accepted: %s", (_what, args) => {
    expect(failures(args)).toEqual([]);
  });

  test("get defaults and lose blanks around them", () => {
    expect(parseOrderArgs(given({ goal: "  testing ", promoCode: " SPRING10 " })).args).toEqual({
      proxyType: "IPv4",
      country: "USA",
      quantity: 5,
      rentPeriodDays: 30,
      goal: "testing",
      promoCode: "SPRING10",
      authType: "LOGIN",
    });
  });
});

describe("the error for a wrong argument says what is accepted", () => {
  test.each([
    [{ proxyType: "IPv5" }, `proxyType: must be one of ${proxyTypes.join(", ")}, not "IPv5"`],
    [{ proxyType: undefined }, `proxyType: is required: one of ${proxyTypes.join(", ")}`],
    [
      { country: "us" },
      'country: must be an ISO 3166-1 alpha-3 code in capitals, for instance USA, not "us"',
    ],
    [
      { country: "usa" },
      'country: must be an ISO 3166-1 alpha-3 code in capitals, for instance USA, not "usa"',
    ],
    [
      { country: null },
      "country: is required: an ISO 3166-1 alpha-3 code in capitals, for instance USA",
    ],
    [{ quantity: 0 }, "quantity: must be a whole number of proxies, at least 1, not 0"],
    [{ quantity: -1 }, "quantity: must be a whole number of proxies, at least 1, not -1"],
    [{ quantity: 1.5 }, "quantity: must be a whole number of proxies, at least 1, not 1.5"],
    [{ quantity: "5" }, 'quantity: must be a whole number of proxies, at least 1, not "5"'],
    [{ quantity: Number.NaN }, "quantity: must be a whole number of proxies, at least 1, not null"],
    [
      { quantity: 2 ** 60 },
      "quantity: must be a whole number of proxies, at least 1, not 1152921504606847000",
    ],
    [{ rentPeriodDays: 0 }, "rentPeriodDays: must be a whole number of days, at least 1, not 0"],
    [{ authType: "login" }, 'authType: must be LOGIN (the default) or IP, not "login"'],
    [
      { authType: "IP", authIp: "192.0.2" },
      'authIp: must be an IPv4 or IPv6 address, not "192.0.2"',
    ],
    [{ ...ipv6, protocol: "HTTPS" }, 'protocol: must be HTTP or SOCKS, not "HTTPS"'],
    [
      { ...mobile, mobileOperator: "" },
      'mobileOperator: must be the tag of an operator that getMobileOperators lists, not ""',
    ],
    [{ ...mobile, rotationTime: -1 }, "rotationTime: must be a whole number of seconds, not -1"],
    [{ maxPrice: -0.01 }, "maxPrice: must be an amount in account currency, at least 0, not -0.01"],
    [{ maxPrice: "10" }, 'maxPrice: must be an amount in account currency, at least 0, not "10"'],
    [{ allowReplacement: "yes" }, 'allowReplacement: must be true or false, not "yes"'],
    [
      { deliveryTimeoutSeconds: 86_401 },
      "deliveryTimeoutSeconds: must be a whole number of seconds from 1 to 86400, not 86401",
    ],
    [
      { deliveryTimeoutSeconds: 0 },
      "deliveryTimeoutSeconds: must be a whole number of seconds from 1 to 86400, not 0",
    ],
  ])("%j", (args, failure) => {
    expect(failures(args)).toEqual([failure]);
  });

  test.each([
    ["goal", { goal: "" }],
    ["goal", { goal: "   " }],
    ["goal", { goal: `confidential${"x".repeat(4_096)}` }],
    ["goal", { goal: ["confidential"] }],
    ["promoCode", { promoCode: "" }],
    ["promoCode", { promoCode: ["confidential"] }],
  ])("%s, without repeating confidential text", (property, args) => {
    const [failure, ...others] = failures(args);
    expect(failure).toMatch(new RegExp(`^${property}: must be .*, not what was given$`));
    expect(failure).not.toContain("confidential");
    expect(others).toEqual([]);
  });

  test("and long text is cut", () => {
    expect(failures({ country: "X".repeat(500) })[0]).toMatch(/not "X{59}…$/);
  });
});

describe("arguments that do not go together", () => {
  test.each([
    [{ authType: "IP" }, ['authIp: is required with authType "IP": an IPv4 or IPv6 address']],
    [{ authIp: "192.0.2.1" }, ['authIp: is accepted only with authType "IP"; leave it out']],
    [{ proxyType: "IPv6" }, ["protocol: is required for proxyType IPv6: HTTP or SOCKS"]],
    [{ protocol: "HTTP" }, ["protocol: is accepted only for proxyType IPv6; leave it out"]],
    [
      { proxyType: "MOBILE" },
      [
        "mobileOperator: is required for proxyType MOBILE: the tag of an operator that getMobileOperators lists",
        "rotationTime: is required for proxyType MOBILE: a whole number of seconds",
      ],
    ],
    [
      { proxyType: "ISP", mobileOperator: "telekom", rotationTime: 300 },
      [
        "mobileOperator: is accepted only for proxyType MOBILE; leave it out",
        "rotationTime: is accepted only for proxyType MOBILE; leave it out",
      ],
    ],
    [
      { ...mobile, protocol: "SOCKS" },
      ["protocol: is accepted only for proxyType IPv6; leave it out"],
    ],
  ])("%j", (args, expected) => {
    expect(failures(args)).toEqual(expected);
  });
});

test("all failures are reported at once, with misspelled arguments", () => {
  const wrong = { proxyType: "MOBILE", country: "germany", quantity: 0, goal: "", quantitty: 3 };
  const properties = parseOrderArgs(given(wrong)).failures.map(({ property }) => property);
  expect(properties.toSorted()).toEqual([
    "country",
    "goal",
    "mobileOperator",
    "quantitty",
    "quantity",
    "rotationTime",
  ]);
});

test.each([["quantitty"], ["owner"], ["requestId"], ["quote"], ["toString"]])(
  "an argument that does not exist is refused, and the error lists those that do: %s",
  (name) => {
    const [failure] = failures({ [name]: 1 });
    expect(failure).toMatch(
      new RegExp(`^${name}: is not an argument; accepted: proxyType, country, `),
    );
  },
);

describe("an argument with an unknown value", () => {
  test("passes, is left out, and hides no other failure", () => {
    const { args, failures: found } = parseOrderArgs(given({ quantity: 0 }, "country", "goal"));
    expect(found.map(({ property }) => property)).toEqual(["quantity"]);
    expect(args).not.toHaveProperty("country");
    expect(args).not.toHaveProperty("goal");
  });

  test.each([
    [
      "another required argument",
      { proxyType: "MOBILE", rotationTime: 300 },
      ["mobileOperator"],
      [],
    ],
    ["the address of authType IP", { authType: "IP" }, ["authIp"], []],
    [
      "the type, so nothing contradicts it",
      { protocol: "HTTP", rotationTime: 1 },
      ["proxyType"],
      [],
    ],
    ["the authType, so the address may fit", { authIp: "192.0.2.1" }, ["authType"], []],
    ["an argument that does not fit another one", { proxyType: "ISP" }, ["protocol"], ["protocol"]],
    ["an argument that does not exist", {}, ["quantitty"], ["quantitty"]],
  ])("counts as present: %s", (_what, args, unknown, properties) => {
    const found = parseOrderArgs(given(args, ...unknown)).failures;
    expect(found.map(({ property }) => property)).toEqual(properties);
  });
});

describe("arguments of an auto-extension", () => {
  const fine = { proxyType: "IPv4", ipAddressIds: ["1", "2"], rentPeriodDays: 30 };
  const read = (args: object, ...unknown: string[]) =>
    parseAutoExtensionArgs({ known: { ...fine, ...args }, unknown: new Set(unknown) });

  test("are on by default", () => {
    expect(read({})).toEqual({ args: { ...fine, autoExtend: true }, failures: [] });
  });

  test.each([
    ["no ids", { ipAddressIds: [] }, ["ipAddressIds"]],
    ["an empty id", { ipAddressIds: [""] }, ["ipAddressIds"]],
    ["ids that are no list", { ipAddressIds: "1" }, ["ipAddressIds"]],
    ["an id twice", { ipAddressIds: ["1", "2", "1"] }, ["ipAddressIds"]],
    ["no period", { rentPeriodDays: undefined }, ["rentPeriodDays"]],
    ["a flag that is text", { autoExtend: "on" }, ["autoExtend"]],
    [
      "all at once",
      { proxyType: "", ipAddressIds: [], rentPeriodDays: 0, autoextend: true },
      ["proxyType", "ipAddressIds", "rentPeriodDays", "autoextend"],
    ],
  ])("are refused: %s", (_what, args, properties) => {
    expect(read(args).failures.map(({ property }) => property)).toEqual(properties);
  });

  test("pass while the ids are not known", () => {
    expect(read({ ipAddressIds: undefined }, "ipAddressIds").failures).toEqual([]);
  });

  test.each([
    [["1", "2"], ["2", "1"], true],
    [["1"], ["1"], true],
    [["1", "2"], ["1"], false],
    [["1", "2"], ["1", "3"], false],
    [["1", "1"], ["1", "2"], false],
    [["1", "2"], ["1", "1"], false],
    [[], [], true],
  ])("%j and %j name the same proxies: %s", (a, b, same) => {
    expect(sameProxies(a, b)).toBe(same);
  });
});

test.each([
  [[], "none at present"],
  [["USA"], "USA"],
  [[30, 60], "30, 60"],
  [Array.from({ length: 31 }, (_, index) => index), /^0, 1, .*, 29, … \(31 in all\)$/],
])("a list in a message: %j", (values, text) => {
  expect(listAccepted(values)).toMatch(text);
});

test.each([
  [1, "1 IPv4 proxy in USA for 30 days"],
  [5, "5 IPv4 proxies in USA for 30 days"],
])("an order in few words: %i", (quantity, words) => {
  const order = { quantity, proxyType: "IPv4", country: "USA", rentPeriodDays: 30 } as const;
  expect(describeOrder(order)).toBe(words);
});
