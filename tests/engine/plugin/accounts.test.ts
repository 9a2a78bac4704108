import { expect, it } from "vitest";
import { startForTest } from "../../simulator/start.ts";
import { createStack } from "../../support/stack.ts";

const order = (provider: string, country: string) => `
    type: proxyrental:ProxyOrder
    properties: { proxyType: IPv4, country: ${country}, quantity: 5, rentPeriodDays: 30, goal: prices }
    options: { provider: "\${${provider}}" }`;

/** A program with two accounts, each with a provider of its own. `keyOf` says how the program gets a key. */
const twoAccounts = (keyOf: (account: string) => string) => `
config:
  oneKey: { type: string, secret: true }
  otherKey: { type: string, secret: true }
resources:
  one:
    type: pulumi:providers:proxyrental
    properties: { apiKey: "${keyOf("one")}" }
  other:
    type: pulumi:providers:proxyrental
    properties: { apiKey: "${keyOf("other")}", maxSpend: 20 }
  mine: ${order("one", "USA")}
  theirs: ${order("other", "DEU")}
`;

it("orders on two accounts from one program, with the key and the cap of each provider", async () => {
  const simulator = await startForTest();
  const account = simulator.openAccount({ balance: "100.00" });
  const stack = await createStack({
    ...{ simulator, runtime: "yaml" },
    env: { PROXYRENTAL_API_KEY: "" },
    program: twoAccounts((name) => `\${${name}Key}`),
  });
  await stack.succeed("config set --secret oneKey", simulator.apiKey);
  await stack.succeed("config set --secret otherKey", account.apiKey);
  await stack.succeed("preview");
  await stack.succeed("up");
  expect(simulator.ledger().map(({ price }) => price)).toEqual(["7.00"]);
  expect(account.ledger()).toHaveLength(1);
  expect((await stack.plan("--refresh")).changes).toEqual({ same: 5 });
});

it("one cap holds for two providers of one account together", async () => {
  const simulator = await startForTest();
  const capped = "{ type: pulumi:providers:proxyrental, properties: { maxSpend: 10 } }";
  const stack = await createStack({
    // Two processes must tell each other what they spend.
    ...{ simulator, runtime: "yaml", spawned: true },
    program: `
resources:
  one: ${capped}
  other: ${capped}
  mine: ${order("one", "USA")}
  theirs: ${order("other", "USA")}
`,
  });
  expect(await stack.fail("preview")).toContain("come to 14.00 USD, above proxyrental:maxSpend");
  expect(await stack.fail("up")).toContain("above proxyrental:maxSpend");
  expect(simulator.ledger().length).toBeLessThanOrEqual(1);
});

it("encrypts a program's plain text key in the state", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...{ simulator, runtime: "yaml", env: { PROXYRENTAL_API_KEY: "" } },
    program: `
resources:
  one:
    type: pulumi:providers:proxyrental
    properties: { apiKey: "\${pulumi.project}-key" }
`,
  });
  await stack.succeed("up");
  expect((await stack.state()).find("one")?.inputs).toEqual({ apiKey: "[encrypted]" });
});

it("refuses unknown settings and wrong values before anything happens", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    ...{ simulator, runtime: "yaml" },
    program: `
resources:
  one:
    type: pulumi:providers:proxyrental
    properties: { maxSpend: -1 }
  web: ${order("one", "USA")}`,
  });
  expect(await stack.fail("preview")).toContain(
    "is not accepted: set it to an amount in account currency, at least 0, as proxyrental:maxSpend or in PROXYRENTAL_MAX_SPEND",
  );
  expect(simulator.requestCounts().calculateOrder).toBe(0);
});

it("the uses of a promo code hold for two providers of one account together", async () => {
  const simulator = await startForTest();
  const free = (provider: string, country: string) =>
    order(provider, country).replace("prices }", "prices, promoCode: GRATIS100, maxPrice: 0 }");
  const three = (provider: string, country: string) =>
    ["a", "b", "c"].map((name) => `  ${provider}-${name}: ${free(provider, country)}`).join("\n");
  const stack = await createStack({
    ...{ simulator, runtime: "yaml" },
    program: `
resources:
  one: { type: "pulumi:providers:proxyrental" }
  other: { type: "pulumi:providers:proxyrental" }
${three("one", "USA")}
${three("other", "DEU")}
`,
  });
  expect(await stack.fail("preview")).toContain("has 5 uses left by the service's list");
  expect(simulator.ledger()).toEqual([]);
});

it("refuses two providers that declare different things for one proxy", async () => {
  const simulator = await startForTest();
  const { orderId } = simulator.placeForeignOrder({
    ...{ proxyType: "IPv4", country: "USA", quantity: 1, rentPeriodDays: 30 },
  });
  const [id] = simulator
    .proxies()
    .flatMap((one) => (one.orderId === orderId ? one.ipAddressId : []));
  const renewal = (provider: string, days: number) => `
    type: proxyrental:IpAutoExtend
    properties: { proxyType: IPv4, ipAddressIds: ["${id}"], rentPeriodDays: ${days} }
    options: { provider: "\${${provider}}" }`;
  const stack = await createStack({
    ...{ simulator, runtime: "yaml" },
    program: `
resources:
  one: { type: "pulumi:providers:proxyrental" }
  other: { type: "pulumi:providers:proxyrental" }
  month: ${renewal("one", 30)}
  quarter: ${renewal("other", 90)}
`,
  });
  expect(await stack.fail("preview")).toContain("each would undo what the other does");
  expect(await stack.fail("up")).toContain("each would undo what the other does");
  // Without a preview, the engine carries out the first resource before it checks the second one.
  expect(simulator.requestCounts().setAutoExtension).toBeLessThanOrEqual(1);
});
