import { expect, it } from "vitest";
import { startForTest } from "../simulator/start.ts";
import { laterValue, program } from "../support/program.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack } from "../support/stack.ts";
import { encrypted } from "../support/stack-documents.ts";

const common = { proxyType: "IPv4", rentPeriodDays: 30, goal: "price comparison" };

/** Source text of a fleet of these countries. */
function fleet(countries: Record<string, number>, args: object = {}, options = "{}"): string {
  const given = JSON.stringify({ ...common, countries, ...args });
  return `const fleet = new proxyrental.ProxyFleet("fleet", ${given}, ${options});`;
}

/** What the engine says that it has done with how many resources. */
function sums(done: string, unchanged: string): RegExp {
  return new RegExp(`Resources:\\n +${done.replace("+", "\\+")}\\n +${unchanged}`);
}

it("shows the price of each country and their sum, buys each once, and then changes nothing", async () => {
  const simulator = await startForTest();
  const exported = [
    "export const { ipAddressIds, expiresAt, urls, credentials } = fleet;",
    "export const inGermany = fleet.ipAddressIdsByCountry.DEU;",
    'export const pasted = proxyrental.formatProxies(fleet, "playwright", { scheme: "socks5" });',
  ];
  const stack = await createStack({
    simulator,
    program: program(fleet({ USA: 5, DEU: 2 }), ...exported),
  });
  const plan = await stack.plan();
  expect(plan.op("fleet")).toBe("create");
  expect(plan.inputs("fleet-USA").quote).toMatchObject({ effect: "buy", price: 7 });
  expect(plan.inputs("fleet-DEU").quote).toMatchObject({ effect: "buy", price: 2.94 });
  expect(plan.messages).toContain("In all: 2 purchases for 9.94 USD.");
  expect(plan.messages).toContain("Balance: 1000.00 USD now, 990.06 USD after.");
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  const text = await stack.succeed("up");
  expect(text).toContain("proxyrental:index:ProxyFleet");
  const { orderCalls, charges } = spendingOf(simulator);
  expect({ orderCalls, charges: charges.toSorted() }).toEqual({
    orderCalls: 2,
    charges: ["2.94", "7.00"],
  });
  const state = await stack.state();
  const owners = ["fleet-USA", "fleet-DEU"].map((name) => state.find(name)?.inputs.owner);
  expect(owners).toEqual([plan.inputs("fleet-USA").owner, plan.inputs("fleet-DEU").owner]);
  expect(owners[0]).toContain(
    "proxyrental:index:ProxyFleet$pulumi-nodejs:dynamic/proxyrental:ProxyOrder::fleet-USA",
  );
  const { outputs } = state.resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
  const german = simulator.proxies().filter(({ country }) => country === "DEU");
  expect(outputs?.ipAddressIds).toHaveLength(7);
  expect(outputs?.inGermany).toEqual(german.map(({ ipAddressId }) => ipAddressId));
  expect(outputs).toMatchObject({ urls: encrypted, credentials: encrypted, pasted: encrypted });

  expect(await stack.succeed("up", "--refresh")).toContain("4 unchanged");
  expect(spendingOf(simulator).orderCalls).toBe(2);
});

it("buys only an added country, and lets only a removed one go", async () => {
  const simulator = await startForTest();
  const autoExtend = { autoExtend: true };
  const stack = await createStack({
    simulator,
    program: program(fleet({ USA: 5, DEU: 2 }, autoExtend)),
  });
  await stack.succeed("up");
  expect(simulator.requestCounts()).toMatchObject({ createOrder: 2, setAutoExtension: 2 });

  await stack.rewrite(program(fleet({ USA: 5, DEU: 2, FRA: 1 }, autoExtend)));
  const plan = await stack.plan("--refresh");
  expect(plan.changes).toEqual({ create: 2, same: 6 });
  expect(plan.messages.match(/buys .+ in [A-Z]{3}/g)).toEqual(["buys 1 IPv4 proxy in FRA"]);
  simulator.resetRequestCounts();
  await stack.succeed("up", "--refresh");
  expect(simulator.requestCounts()).toMatchObject({ createOrder: 1, setAutoExtension: 1 });
  expect(simulator.orders().map(({ country }) => country)).toEqual(
    expect.arrayContaining(["USA", "DEU", "FRA"]),
  );
  const { charges } = spendingOf(simulator);

  simulator.resetRequestCounts();
  await stack.rewrite(program(fleet({ DEU: 2, FRA: 1 }, autoExtend)));
  expect(await stack.succeed("up", "--refresh")).toMatch(sums("- 2 deleted", "6 unchanged"));
  expect(simulator.requestCounts().setAutoExtension).toBe(1);
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges });
  const renewing = simulator.proxies().filter((proxy) => proxy.autoExtend);
  expect(new Set(renewing.map(({ country }) => country))).toEqual(new Set(["DEU", "FRA"]));
});

it("buys no more for all countries together than its maxSpend allows to a run", async () => {
  const simulator = await startForTest();
  const countries = { USA: 5, DEU: 2 };
  const stack = await createStack({
    simulator,
    program: program(fleet(countries, { maxSpend: 9 })),
  });
  const refusal =
    "the purchases of the fleet fleet come to 9.94 USD in this run, above its maxSpend (9.00 USD)";
  expect(await stack.fail("preview")).toContain(refusal);
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.rewrite(program(fleet(countries, { maxSpend: 9.94 })));
  // The refused preview has not shown all countries.
  await stack.succeed("preview");
  await stack.succeed("up");
  expect(spendingOf(simulator).orderCalls).toBe(2);

  // What is paid does not count in later runs.
  await stack.rewrite(program(fleet({ ...countries, FRA: 1 }, { maxSpend: 5 })));
  await stack.succeed("up");
  await stack.rewrite(program(fleet({ ...countries, FRA: 1 }, { maxSpend: 0 })));
  expect(await stack.succeed("up", "--refresh")).toContain("unchanged");
  expect(spendingOf(simulator).orderCalls).toBe(3);
});

it("stops an up without a preview where its maxSpend is reached", async () => {
  const simulator = await startForTest();
  const limit = fleet({ USA: 5, DEU: 5 }, { maxSpend: 13 });
  const stack = await createStack({ simulator, program: program(limit) });
  const refusal = await stack.fail("up");
  expect(refusal).toContain("the fleet fleet");
  expect(refusal).toContain("maxSpend (13.00 USD)");
  const { orderCalls } = spendingOf(simulator);
  expect(orderCalls).toBeLessThanOrEqual(1);
});

it("switches automatic extension on and off for all countries, and changes its days, without an order", async () => {
  const simulator = await startForTest();
  const countries = { USA: 1, DEU: 1 };
  const stack = await createStack({ simulator, program: program(fleet(countries)) });
  await stack.succeed("up");
  const { charges } = spendingOf(simulator);
  simulator.resetRequestCounts();

  const steps = [
    { autoExtend: { rentPeriodDays: 60 }, does: "+ 2 created", flag: true, days: 60 },
    { autoExtend: true, does: "~ 2 updated", flag: true, days: 30 },
    { autoExtend: false, does: "- 2 deleted", flag: false },
  ];
  for (const { autoExtend, does, flag, days } of steps) {
    await stack.rewrite(program(fleet(countries, { autoExtend })));
    expect(await stack.succeed("up")).toMatch(sums(does, "4 unchanged"));
    const proxies = simulator.proxies();
    expect(proxies.map((proxy) => proxy.autoExtend)).toEqual([flag, flag]);
    if (days) expect(proxies.map((proxy) => proxy.extendDays)).toEqual([days, days]);
  }
  expect(simulator.requestCounts().setAutoExtension).toBe(6);
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges });
});

it("passes its options on: protected orders stay, and a rename buys nothing", async () => {
  const simulator = await startForTest();
  const countries = { USA: 1, DEU: 1 };
  const stack = await createStack({
    simulator,
    program: program(fleet(countries, {}, "{ protect: true }")),
  });
  await stack.succeed("up");
  const { find } = await stack.state();
  expect(find("fleet-USA")?.protect).toBe(true);
  expect(await stack.fail("destroy")).toContain("protect");
  const { charges } = spendingOf(simulator);
  expect(charges.toSorted()).toEqual(["1.40", "1.47"]);

  simulator.resetRequestCounts();
  const renamed = fleet(countries, {}, '{ aliases: [{ name: "fleet" }] }').replace(
    '"fleet", ',
    '"scrapers", ',
  );
  await stack.rewrite(program(renamed));
  expect(await stack.succeed("up", "--refresh")).toMatch(/Resources:\n +4 unchanged/);
  expect((await stack.state()).find("scrapers-USA")).toBeDefined();
  expect((await stack.state()).find("fleet-USA")).toBeUndefined();
  await stack.succeed("destroy");
  expect(spendingOf(simulator)).toEqual({ orderCalls: 0, extendCalls: 0, charges });
});

it("buys by a plan file if the fleet is inside another component", async () => {
  const simulator = await startForTest();
  const stack = await createStack({
    simulator,
    program: program(
      'const crawler = new pulumi.ComponentResource("acme:index:Crawler", "crawler");',
      fleet({ USA: 1 }, { autoExtend: true }, "{ parent: crawler }"),
    ),
  });
  await stack.succeed("preview", "--save-plan", "plan.json");
  await stack.succeed("up", "--plan", "plan.json");
  expect(spendingOf(simulator)).toEqual(ordered("1.40"));
  const owner = (await stack.state()).find("fleet-USA")?.inputs.owner;
  expect(owner).toContain("acme:index:Crawler$proxyrental:index:ProxyFleet$pulumi-nodejs");
});

it("accepts numbers unknown before up, and refuses impossible ones at once", async () => {
  const simulator = await startForTest();
  const later = `new proxyrental.ProxyFleet("fleet", { ...${JSON.stringify(common)}, countries: { USA: size.value, DEU: 1 } });`;
  const stack = await createStack({
    simulator,
    program: program(fleet({ USA: 1, deu: 1 }, { quantity: 5 })),
  });
  const text = await stack.fail("up");
  expect(text).toContain("INPUT_INVALID: ProxyFleet fleet: quantity is not an argument");
  expect(text).toContain("countries.deu must be an ISO 3166-1 alpha-3 code");
  expect(text).not.toContain("proxy-fleet.js");
  expect((await stack.state()).find("fleet-USA")).toBeUndefined();
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.rewrite(program(laterValue("size", 2), later));
  const plan = await stack.plan();
  expect(plan.inputs("fleet-USA").quote).toEqual({
    ...{ effect: "unknown", balance: 1000, currency: "USD" },
  });
  await stack.succeed("up");
  expect(spendingOf(simulator).charges.toSorted()).toEqual(["1.47", "2.80"]);
});

it("gives all countries of a mobile fleet one operator, and names a country that lacks it", async () => {
  const simulator = await startForTest();
  const mobile = { proxyType: "MOBILE", mobileOperator: "telekom", rotationTime: 300 };
  const stack = await createStack({
    simulator,
    program: program(fleet({ DEU: 1, POL: 1 }, mobile)),
  });
  const text = await stack.fail("preview");
  expect(text).toContain("telekom is not offered in POL; accepted: orange, play");
  await stack.rewrite(program(fleet({ DEU: 1 }, mobile)));
  await stack.succeed("up");
  expect(spendingOf(simulator).orderCalls).toBe(1);
});

it("stops a program that puts a login into a form that can't hold it, without a stack trace or the login", async () => {
  const simulator = await startForTest();
  const odd =
    '{ proxies: fleet.proxies, credentials: fleet.credentials.apply(() => ({ x: { login: "", password: "" } })) }';
  const stack = await createStack({
    simulator,
    program: program(
      fleet({ USA: 1 }),
      `export const pasted = proxyrental.formatProxies(${odd}, "url");`,
    ),
  });
  const text = await stack.fail("up");
  expect(text).toMatch(
    /FORMAT_NOT_POSSIBLE: proxy .+ can't be written as url: the service has told no login/,
  );
  expect(text).not.toContain("proxy-format.js");
  expect(spendingOf(simulator)).toEqual(ordered("1.40"));
});
