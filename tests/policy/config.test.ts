import { describe, expect, test } from "vitest";
import { maxOrderPrice, type SpendPolicyConfig, spendPolicies } from "../../policy/index.ts";
import { buying, orderProps, violationsOf } from "./policy-under-test.ts";

const wrong: [config: object, says: string[]][] = [
  [{ maximum: 3 }, ["max-order-price", '"maximum"', "max, byProxyType, byCountry"]],
  [{ max: -1 }, ["max-order-price", "max", ">=0"]],
  [{ max: "3" }, ["max-order-price", "max", "expected number"]],
  [{ byProxyType: { IPV4: 3 } }, ["byProxyType", "IPV4"]],
  [{ byProxyType: { IPv4: -3 } }, ["byProxyType: IPv4"]],
  [{ byCountry: { usa: 3 } }, ["byCountry", "usa"]],
  [{ byCountry: 3 }, ["byCountry"]],
];

describe.each(wrong)("a config %o", (config, says) => {
  test.each(["pulumi:pulumi:Stack", "proxyrental:index:ProxyOrder"])(
    "stops the run at %s, naming what is wrong",
    async (type) => {
      const outcome = violationsOf(maxOrderPrice, { props: orderProps(buying(1)), type, config });
      const error = await outcome.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      for (const part of says)
        expect(error).toHaveProperty("message", expect.stringContaining(part));
      // The engine prints the stack.
      expect(error).toHaveProperty("stack", (error as Error).message);
    },
  );
});

test.each(spendPolicies())("$name takes no key that it does not know", async (policy) => {
  const outcome = violationsOf(policy, { props: {}, config: { unheardOf: 1 } });
  await expect(outcome).rejects.toThrow(`${policy.name} is wrong: Unrecognized key: "unheardOf"`);
});

test("the engine is told limits, defaults and what each is for", () => {
  expect(maxOrderPrice.configSchema).toMatchObject({
    properties: {
      max: { type: "number", minimum: 0, default: 100, description: expect.any(String) },
      byProxyType: { additionalProperties: { minimum: 0 }, description: expect.any(String) },
      byCountry: { additionalProperties: { minimum: 0 }, description: expect.any(String) },
    },
  });
});

test.each(spendPolicies())("$name holds from the first minute", ({ enforcementLevel, name }) => {
  expect(enforcementLevel).toBe("mandatory");
  expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test("the typed config names each policy of the pack", () => {
  const config = {
    all: "mandatory",
    "max-order-price": { max: 50 },
    "priced-before-buying": "disabled",
  } satisfies Required<SpendPolicyConfig>;
  const names = spendPolicies().map(({ name }) => name);
  expect(Object.keys(config).filter((key) => key !== "all")).toEqual(names);
});

describe("what a program gives to spendPolicies", () => {
  const levels: [config: SpendPolicyConfig, levels: [string, string]][] = [
    [{}, ["mandatory", "mandatory"]],
    [{ all: "advisory" }, ["advisory", "advisory"]],
    [{ "max-order-price": "disabled" }, ["disabled", "mandatory"]],
    [{ "max-order-price": { max: 5 } }, ["mandatory", "mandatory"]],
    [{ all: "advisory", "max-order-price": { max: 5 } }, ["advisory", "advisory"]],
    [
      { all: "advisory", "max-order-price": { enforcementLevel: "mandatory" } },
      ["mandatory", "advisory"],
    ],
    [{ all: "disabled", "priced-before-buying": "mandatory" }, ["disabled", "mandatory"]],
  ];

  test.each(levels)("%o makes the levels %o", (config, expected) => {
    expect(spendPolicies(config).map((policy) => policy.enforcementLevel)).toEqual(expected);
  });

  test("becomes the engine's defaults, and those of another pack stay", () => {
    const [configured] = spendPolicies({ "max-order-price": { max: 5, byCountry: { DEU: 2 } } });
    expect(configured?.configSchema?.properties).toMatchObject({
      max: { default: 5, minimum: 0 },
      byProxyType: { default: {} },
      byCountry: { default: { DEU: 2 } },
    });
    const [untouched] = spendPolicies();
    expect(untouched?.configSchema).toEqual(maxOrderPrice.configSchema);
  });

  test("may be left open, and then the default holds", () => {
    const open: object = { all: undefined, "max-order-price": { max: undefined } };
    expect(JSON.stringify(spendPolicies(open))).toBe(JSON.stringify(spendPolicies()));
  });

  test("must name policies that exist", () => {
    const config = { "max-order-prise": { max: 5 } } as SpendPolicyConfig;
    expect(() => spendPolicies(config)).toThrow(
      "the config names max-order-prise, which is no policy of this pack. It may name all, max-order-price, priced-before-buying",
    );
  });
});
