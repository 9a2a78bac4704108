import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { SpendPolicyConfig } from "../../policy/index.ts";
import { proxyTypes } from "../../provider/client/index.ts";
import { startForTest } from "../simulator/start.ts";
import { laterValue, order, output, program } from "../support/program.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";

/** The option as a user of the installed package gives it. */
const pack = ["--policy-pack", "node_modules/pulumi-proxyrental/policy"];

/** The options that check a command by the policies, with this config. */
async function heldTo(stack: Stack, config: SpendPolicyConfig | object): Promise<string[]> {
  const file = join(stack.folder, "spend.json");
  await writeFile(file, JSON.stringify(config));
  return [...pack, "--policy-pack-config", file];
}

async function begin(...lines: string[]) {
  const simulator = await startForTest();
  return { simulator, stack: await createStack({ simulator, program: program(...lines) }) };
}

/** The policies see the same on both hosts. If only their config matters, one host is enough. */
const plugin = writerFor("plugin");

async function beginOnPlugin(args: object = {}) {
  const simulator = await startForTest();
  const one = plugin.program(plugin.order("usa", args));
  return { simulator, stack: await createStack({ ...plugin.on, simulator, program: one }) };
}

it("refuses a purchase above the cap at preview, and says what to change", async () => {
  const { simulator, stack } = await begin(order("usa"));
  const refusal = await stack.fail(
    "preview",
    ...(await heldTo(stack, { "max-order-price": { max: 6.99 } })),
  );
  expect(refusal).toMatch(/❌ pulumi-proxyrental@v/);
  expect(refusal).toContain("[mandatory]  max-order-price");
  expect(refusal).toContain(
    "usa: this purchase costs 7.00 USD, above the 6.99 USD that max allows. Buy less, or raise max in the config of max-order-price.",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

it("refuses a purchase above the cap at an up without a preview, before money moves", async () => {
  const { simulator, stack } = await begin(order("usa"));
  const refusal = await stack.fail(
    "up",
    ...(await heldTo(stack, { "max-order-price": { max: 6.99 } })),
  );
  expect(refusal).toContain("usa: this purchase costs 7.00 USD");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  expect((await stack.state()).find("usa")).toBeUndefined();
});

it("applies a default cap without a config, and a higher one from a config file", async () => {
  const { simulator, stack } = await beginOnPlugin({ quantity: 100 });
  const refusal = await stack.fail("up", ...pack);
  expect(refusal).toContain("usa: this purchase costs 126.00 USD, above the 100.00 USD that max");
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  const higher = await heldTo(stack, { "max-order-price": { max: 126 } });
  expect(await stack.succeed("preview", ...higher)).toContain("✅ pulumi-proxyrental@v");
  await stack.succeed("up", ...higher);
  expect(spendingOf(simulator)).toEqual(ordered("126.00"));
});

it("leaves paid orders alone, whatever they cost", async () => {
  const { simulator, stack } = await beginOnPlugin();
  await stack.succeed("up");
  const low = await heldTo(stack, { "max-order-price": { max: 1 } });
  expect(await stack.succeed("preview", ...low)).toContain("2 unchanged");
  expect(await stack.succeed("up", ...low)).toContain("2 unchanged");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("refuses to replace a paid order above the cap, at preview and at up", async () => {
  const { simulator, stack } = await beginOnPlugin({ allowReplacement: true });
  await stack.succeed("up");
  const moved = plugin.order("usa", { allowReplacement: true, country: "DEU" });
  await stack.rewrite(plugin.program(moved));
  const low = await heldTo(stack, { "max-order-price": { byCountry: { DEU: 7 } } });
  for (const command of ["preview", "up"]) {
    expect(await stack.fail(command, ...low)).toContain(
      "usa: this purchase costs 7.35 USD, above the 7.00 USD that byCountry.DEU allows",
    );
  }
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("only warns if the config says so", async () => {
  const { simulator, stack } = await beginOnPlugin();
  const config = { all: "advisory", "max-order-price": { max: 1 } } satisfies SpendPolicyConfig;
  const warning = await stack.succeed("up", ...(await heldTo(stack, config)));
  expect(warning).toContain("[advisory]  max-order-price");
  expect(warning).toContain("usa: this purchase costs 7.00 USD, above the 1.00 USD");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

describe("an order with a quantity unknown at preview", () => {
  const quantity = output("later.value");
  const uncertain = (maxPrice?: number) =>
    program(laterValue("later", 100), order("uncertain", { quantity, maxPrice }));

  it("is refused at preview without a maxPrice, and passes with one under the cap", async () => {
    const simulator = await startForTest();
    const stack = await createStack({ simulator, program: uncertain() });
    const refusal = await stack.fail("preview", ...pack);
    expect(refusal).toContain("[mandatory]  priced-before-buying");
    expect(refusal).toContain("uncertain: its price is not known yet");
    expect(refusal).not.toContain("can't be known during preview");

    await stack.rewrite(uncertain(150));
    expect(await stack.fail("preview", ...pack)).toContain(
      "uncertain: this purchase may cost up to 150.00 USD, above the 100.00 USD that max allows. Lower its maxPrice",
    );
    expect(spendingOf(simulator)).toEqual(nothingSpent);

    const higher = await heldTo(stack, { "max-order-price": { max: 150 } });
    expect(await stack.succeed("preview", ...higher)).toContain("✅ pulumi-proxyrental@v");
    await stack.succeed("up", ...higher);
    expect(spendingOf(simulator)).toEqual(ordered("126.00"));
  });

  it("is compared with the cap at up, when its price is known", async () => {
    const simulator = await startForTest();
    const one = [plugin.laterValue("later", 100), plugin.order("uncertain", { quantity })];
    const stack = await createStack({ ...plugin.on, simulator, program: plugin.program(...one) });
    const config = { "priced-before-buying": "disabled" } satisfies SpendPolicyConfig;
    expect(await stack.fail("up", ...(await heldTo(stack, config)))).toContain(
      "uncertain: this purchase costs 126.00 USD, above the 100.00 USD that max allows",
    );
    expect(spendingOf(simulator)).toEqual(nothingSpent);
  });
});

it("applies the limit of every country to an order with a country unknown at preview", async () => {
  const { simulator, stack } = await begin(
    laterValue("later", "DEU"),
    order("uncertain", { country: output("later.value"), maxPrice: 20 }),
  );
  const limited = await heldTo(stack, { "max-order-price": { byCountry: { USA: 90, DEU: 7 } } });
  const refusal = await stack.fail("preview", ...limited);
  expect(refusal).toContain("[mandatory]  max-order-price");
  expect(refusal).toContain(
    "uncertain: this purchase may cost up to 20.00 USD, above the 7.00 USD that byCountry.DEU allows",
  );
  expect(spendingOf(simulator)).toEqual(nothingSpent);
});

const wrongConfigs: [what: string, config: object, says: string[]][] = [
  [
    "a misspelt key",
    { "max-order-price": { maximum: 500 } },
    ["the config of max-order-price is wrong", '"maximum"', "max, byProxyType, byCountry"],
  ],
  [
    "a misspelt policy",
    { "max-order-prise": { max: 1, enforcementLevel: "mandatory" } },
    ["the config names max-order-prise", "exceptions, max-order-price, max-price-per-proxy-day"],
  ],
  [
    "a negative limit",
    { "max-order-price": { max: -1 } },
    ["max-order-price: max: Must be greater than or equal to 0"],
  ],
  [
    "a limit that is no number",
    { "max-order-price": { max: "500" } },
    ["max-order-price: max: Invalid type. Expected: number"],
  ],
  [
    "a proxy type that does not exist",
    { "max-order-price": { byProxyType: { ipv4: 1 } } },
    ["max-order-price: byProxyType:", proxyTypes.map((type) => `"${type}"`).join(", ")],
  ],
  [
    "a level that does not exist",
    { "max-order-price": "strict" },
    ["max-order-price", '"strict" is not a valid enforcement level'],
  ],
  [
    "a misspelt policy without a level",
    { "max-order-prise": { max: 1 } },
    ["the config names max-order-prise", "exceptions, max-order-price, max-price-per-proxy-day"],
  ],
];

test.each(wrongConfigs)(
  "a config with %s stops the run, and nothing is bought",
  async (_what, config, says) => {
    const { simulator, stack } = await beginOnPlugin();
    const options = await heldTo(stack, config);
    const refusal = await stack.fail("up", ...options);
    for (const part of says) expect(refusal).toContain(part);
    expect(refusal).not.toMatch(/^\s+at .*\.js:\d+/m);
    expect(spendingOf(simulator)).toEqual(nothingSpent);
    expect((await stack.state()).find("usa")).toBeUndefined();
  },
);

async function writeOwnPack(stack: Stack, policies: string): Promise<string> {
  const folder = join(stack.folder, "own-policy");
  await mkdir(folder, { recursive: true });
  const files = {
    "PulumiPolicy.yaml": "runtime:\n  name: nodejs\n  options:\n    typescript: false\n",
    "package.json": JSON.stringify({ type: "module", version: "1.2.3", main: "main.js" }),
    "main.js": [
      'import { PolicyPack } from "@pulumi/policy";',
      'import { spendPolicies } from "pulumi-proxyrental/policy";',
      `new PolicyPack("ours", { policies: ${policies} });`,
    ].join("\n"),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

it("a user's own pack has limits that a config file can change", async () => {
  const { simulator, stack } = await beginOnPlugin();
  const own = await writeOwnPack(stack, 'spendPolicies({ "max-order-price": { max: 5 } })');
  const refusal = await stack.fail("up", "--policy-pack", own);
  expect(refusal).toContain("❌ ours@v1.2.3");
  expect(refusal).toContain("[mandatory]  max-order-price");
  expect(refusal).toContain("above the 5.00 USD that max allows");
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  const [, , ...file] = await heldTo(stack, { "max-order-price": { max: 7 } });
  await stack.succeed("up", "--policy-pack", own, ...file);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

test.each([
  ["a misspelt key", '{ "max-order-price": { maximum: 5 } }', 'Unrecognized key: "maximum"'],
  ["a misspelt policy", '{ "max-order-prise": { max: 5 } }', "the config names max-order-prise"],
  [
    "a negative limit",
    '{ "max-order-price": { max: -5 } }',
    "max: Must be greater than or equal to 0",
  ],
])(
  "a user's own pack with %s stops the run, and nothing is bought",
  async (_what, config, says) => {
    const { simulator, stack } = await beginOnPlugin();
    const own = await writeOwnPack(stack, `spendPolicies(${config})`);
    expect(await stack.fail("up", "--policy-pack", own)).toContain(says);
    expect(spendingOf(simulator)).toEqual(nothingSpent);
  },
);
