import { describe, expect, test } from "vitest";
import { maxOrderPrice, type SpendPolicyConfig, spendPolicies } from "../../policy/index.ts";
import { buying, orderProps, violationsOf } from "./policy-under-test.ts";

const wrong: [policy: string, config: object, says: string[]][] = [
  ["max-order-price", { maximum: 3 }, ['"maximum"', "max, byProxyType, byCountry"]],
  ["max-order-price", { max: -1 }, ["max", ">=0"]],
  ["max-order-price", { max: "3" }, ["max", "expected number"]],
  ["max-order-price", { byProxyType: { IPV4: 3 } }, ["byProxyType", "IPV4"]],
  ["max-order-price", { byProxyType: { IPv4: -3 } }, ["byProxyType: IPv4"]],
  ["max-order-price", { byCountry: { usa: 3 } }, ["byCountry", "usa"]],
  ["max-order-price", { byCountry: { US: 3 } }, ["byCountry", "US"]],
  ["max-order-price", { byCountry: 3 }, ["byCountry"]],
  ["max-price-per-proxy-day", { max: -0.1 }, ["max", ">=0"]],
  ["stack-budget", { max: -1 }, ["max", ">=0"]],
  ["stack-budget", { budget: 1 }, ['"budget"', "enforcementLevel, max"]],
  ["balance-covers-spend", { minBalanceAfter: -1 }, ["minBalanceAfter", ">=0"]],
  ["monthly-budget", { maxShare: 101 }, ["maxShare", "<=100"]],
  ["monthly-budget", { maxShare: -1 }, ["maxShare", ">=0"]],
  ["monthly-budget", { maxShare: "80" }, ["maxShare", "expected number"]],
  ["monthly-run-rate", { max: "50" }, ["max", "expected number"]],
  ["allowed-proxy-types", { allow: ["ipv4"] }, ["allow: 0", '"IPv4"']],
  ["allowed-countries", { deny: ["Germany"] }, ["deny: 0", "alpha-3"]],
  ["allowed-rent-periods", { allow: [30.5] }, ["allow: 0", "int"]],
  ["allowed-goals", { allow: ["("] }, ["allow: 0", "regular expression"]],
  ["max-quantity", { perOrder: 1.5 }, ["perOrder", "int"]],
  ["max-quantity", { perStack: -1 }, ["perStack", ">=0"]],
  ["max-quantity", { byCountry: { us: 1 } }, ["byCountry", "us"]],
  ["expected-currency", { currency: "USS" }, ["currency", "ISO 4217"]],
  ["expected-currency", { currency: "usd" }, ["currency", "ISO 4217"]],
  [
    "auto-extension-needs-approval",
    { approvals: [{ urn: "keep", cover: 7 }] },
    ["approvals: 0: owner"],
  ],
  [
    "auto-extension-needs-approval",
    { approvals: [{ urn: "keep", owner: "ops", cover: -7 }] },
    ["approvals: 0: cover", ">=0"],
  ],
  ["expiring-soon", { low: 1, medium: 3 }, ["low must be at least medium"]],
  ["expiring-soon", { high: -1 }, ["high", ">=0"]],
  [
    "exceptions",
    { list: [{ urn: "fleet", policy: "stack-budget", until: "2026-12-31" }] },
    ["list: 0: reason"],
  ],
  [
    "exceptions",
    { list: [{ urn: "fleet", policy: "stack-budget", reason: " ", until: "2026-12-31" }] },
    ["list: 0: reason: must say why"],
  ],
  [
    "exceptions",
    { list: [{ urn: "fleet", policy: "stack-budget", reason: "x", until: "31.12.2026" }] },
    ["list: 0: until", "like 2026-12-31"],
  ],
  [
    "exceptions",
    { list: [{ urn: "fleet", policy: "stack-budget", reason: "x", until: "2026-02-30" }] },
    ["list: 0: until"],
  ],
  [
    "exceptions",
    { list: [{ urn: "fleet", policy: "stack-bugdet", reason: "x", until: "2026-12-31" }] },
    ["names stack-bugdet", "stack-budget"],
  ],
];

function policyNamed(name: string) {
  const policy = spendPolicies().find((one) => one.name === name);
  if (policy === undefined) throw new Error(`there is no policy ${name}`);
  return policy;
}

describe.each(wrong)("a config of %s that is %o", (name, config, says) => {
  test.each(["pulumi:pulumi:Stack", "proxyrental:index:ProxyOrder"])(
    "stops the run at %s and names the mistake",
    async (type) => {
      const outcome = violationsOf(policyNamed(name), {
        props: orderProps(buying(1)),
        type,
        config,
      });
      const error = await outcome.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      for (const part of [`the config of ${name} is wrong`, ...says])
        expect(error).toHaveProperty("message", expect.stringContaining(part));
      // The engine prints the stack, so the stack must be only the message.
      expect(error).toHaveProperty("stack", (error as Error).message);
    },
  );
});

test.each(spendPolicies())("$name refuses an unknown key", async (policy) => {
  const outcome = violationsOf(policy, { props: {}, config: { unheardOf: 1 } });
  await expect(outcome).rejects.toThrow(`${policy.name} is wrong: Unrecognized key: "unheardOf"`);
});

test("the engine gets limits, defaults and descriptions", () => {
  expect(maxOrderPrice.configSchema).toMatchObject({
    properties: {
      max: { type: "number", minimum: 0, default: 100, description: expect.any(String) },
      byProxyType: { additionalProperties: { minimum: 0 }, description: expect.any(String) },
      byCountry: { additionalProperties: { minimum: 0 }, description: expect.any(String) },
    },
  });
});

test("each policy has a level, and its kind explains it", () => {
  const other = spendPolicies().filter(({ enforcementLevel }) => enforcementLevel !== "mandatory");
  expect(other.map(({ name, enforcementLevel }) => [name, enforcementLevel])).toEqual([
    ["no-replacement", "advisory"],
    ["protect-paid-orders", "disabled"],
    ["expiring-soon", "advisory"],
  ]);
  for (const { name } of spendPolicies()) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test("the typed config has each policy of the pack", () => {
  const config = {
    all: "mandatory",
    exceptions: { list: [{ urn: "*", policy: "stack-budget", reason: "x", until: "2026-12-31" }] },
    "max-order-price": { max: 50 },
    "max-price-per-proxy-day": { max: 1, byProxyType: { MOBILE: 0.5 } },
    "stack-budget": { max: 50 },
    "balance-covers-spend": { minBalanceAfter: 5 },
    "monthly-budget": { maxShare: 80 },
    "monthly-run-rate": { max: 50, enforcementLevel: "advisory" },
    "priced-before-buying": "disabled",
    "allowed-proxy-types": { allow: ["IPv4"] },
    "allowed-countries": { deny: ["USA"] },
    "allowed-rent-periods": { allow: [30] },
    "allowed-goals": { allow: ["^price"] },
    "max-quantity": { perOrder: 1, perStack: 2, byCountry: { USA: 3 } },
    "no-replacement": "mandatory",
    "valid-promo-code": "mandatory",
    "expected-currency": { currency: "USD" },
    "protect-paid-orders": "advisory",
    "auto-extension-needs-approval": { approvals: [{ urn: "keep", owner: "ops", cover: 7 }] },
    "expiring-soon": { low: 14 },
    "public-auth-ip": { enforcementLevel: "advisory" },
  } satisfies Required<SpendPolicyConfig>;
  const names = spendPolicies().map(({ name }) => name);
  expect(Object.keys(config).filter((key) => key !== "all")).toEqual(names);
});

describe("the config that a program passes to spendPolicies", () => {
  const levels: [config: SpendPolicyConfig, levels: Record<string, string>][] = [
    [{}, { "max-order-price": "mandatory", "no-replacement": "advisory" }],
    [{ all: "advisory" }, { "max-order-price": "advisory", "protect-paid-orders": "advisory" }],
    [
      { "max-order-price": "disabled" },
      { "max-order-price": "disabled", "stack-budget": "mandatory" },
    ],
    [{ "max-order-price": { max: 5 } }, { "max-order-price": "mandatory" }],
    [{ all: "advisory", "max-order-price": { max: 5 } }, { "max-order-price": "advisory" }],
    [
      { all: "advisory", "max-order-price": { enforcementLevel: "mandatory" } },
      { "max-order-price": "mandatory", "priced-before-buying": "advisory" },
    ],
    [
      { all: "disabled", "priced-before-buying": "mandatory" },
      { "max-order-price": "disabled", "priced-before-buying": "mandatory" },
    ],
  ];

  test.each(levels)("%o gives the levels %o", (config, expected) => {
    const made = spendPolicies(config).map(({ name, enforcementLevel }) => [
      name,
      enforcementLevel,
    ]);
    expect(Object.fromEntries(made)).toMatchObject(expected);
  });

  test("becomes the engine's defaults, and another pack keeps its own", () => {
    const [, configured] = spendPolicies({ "max-order-price": { max: 5, byCountry: { DEU: 2 } } });
    expect(configured?.configSchema?.properties).toMatchObject({
      max: { default: 5, minimum: 0 },
      byProxyType: { default: {} },
      byCountry: { default: { DEU: 2 } },
    });
    const [, untouched] = spendPolicies();
    expect(untouched?.configSchema).toEqual(maxOrderPrice.configSchema);
  });

  test("may be left open, and then the default applies", () => {
    const open: object = { all: undefined, "max-order-price": { max: undefined } };
    expect(JSON.stringify(spendPolicies(open))).toBe(JSON.stringify(spendPolicies()));
  });

  test("must name policies that exist", () => {
    const config = { "max-order-prise": { max: 5 } } as SpendPolicyConfig;
    expect(() => spendPolicies(config)).toThrow(
      "the config names max-order-prise, which is no policy of this pack. It may name all, exceptions, max-order-price, max-price-per-proxy-day, ",
    );
  });
});
