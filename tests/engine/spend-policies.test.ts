import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expiringSoon, type SpendPolicyConfig } from "../../policy/index.ts";
import { stackViolationsOf } from "../policy/policy-under-test.ts";
import { startForTest } from "../simulator/start.ts";
import { writerFor } from "../support/program-writer.ts";
import { nothingSpent, ordered, spendingOf } from "../support/spending.ts";
import { createStack, type Stack } from "../support/stack.ts";

const { on, autoExtension, extension, order, program } = writerFor("plugin");

/** The options that check a command by the ready-made pack, with this config. */
async function heldTo(stack: Stack, config: SpendPolicyConfig): Promise<string[]> {
  const file = join(stack.folder, "spend.json");
  await writeFile(file, JSON.stringify(config));
  const pack = ["--policy-pack", "node_modules/pulumi-proxyrental/policy"];
  return [...pack, "--policy-pack-config", file];
}

async function begin(...lines: string[]) {
  const simulator = await startForTest();
  return { simulator, stack: await createStack({ ...on, simulator, program: program(...lines) }) };
}

/** Configs that refuse the usual order, each by itself, and what they say. */
const refusals: [what: string, config: SpendPolicyConfig, says: string[]][] = [
  [
    "max-price-per-proxy-day",
    { "max-price-per-proxy-day": { max: 0.04 } },
    ["one proxy costs 0.0467 USD a day, above the 0.04"],
  ],
  [
    "stack-budget",
    { "stack-budget": { max: 6.99 } },
    ["this run would spend 7.00 USD, above the 6.99 USD that max"],
  ],
  [
    "balance-covers-spend",
    { "balance-covers-spend": { minBalanceAfter: 1_000_000 } },
    ["that minBalanceAfter asks for"],
  ],
  [
    "monthly-run-rate",
    { "monthly-run-rate": { max: 6.99 } },
    ["would come to 7.00 USD in 30 days, above the 6.99 USD"],
  ],
  ["max-quantity", { "max-quantity": { perOrder: 4 } }, ["comes to 5 proxies, more than the 4"]],
  [
    "all that hold what is bought",
    {
      "allowed-proxy-types": { allow: ["ISP"] },
      "allowed-countries": { deny: ["USA"] },
      "allowed-rent-periods": { allow: [60] },
      "allowed-goals": { allow: ["^ads$"] },
      "expected-currency": { currency: "EUR" },
      "protect-paid-orders": "mandatory",
      "monthly-budget": { maxShare: 100 },
    },
    [
      ...["the proxy type IPv4 is not one of", "the country USA is one of those that deny names"],
      ...["the rent period in days 30 is not one of", "its goal fits nothing that allow names"],
      ...["it is paid in USD, not in the EUR", "Add the resource option protect: true"],
      "what usa would spend is held by no monthly budget",
    ],
  ],
];

it("buys nothing that one policy refuses, in an up without a preview", async () => {
  const { simulator, stack } = await begin(order("usa"));
  for (const [what, config, says] of refusals) {
    const refusal = await stack.fail("up", ...(await heldTo(stack, config)));
    expect(refusal).toContain("[mandatory]");
    for (const part of says) expect(refusal, what).toContain(part);
    expect(spendingOf(simulator), what).toEqual(nothingSpent);
  }
});

it("leaves an excepted order alone, and refuses an authIp that is not public", async () => {
  const { simulator, stack } = await begin(order("usa"));
  const until = (date: string): SpendPolicyConfig => ({
    "max-order-price": { max: 1 },
    exceptions: {
      list: [{ urn: "us*", policy: "max-order-price", reason: "a pilot", until: date }],
    },
  });
  const refusal = await stack.fail("up", ...(await heldTo(stack, until("2020-12-31"))));
  expect(refusal).toContain("The exception for it has ended with 2020-12-31.");
  const wrong = await stack.fail("up", ...(await heldTo(stack, until("31.12.2999"))));
  expect(wrong).toContain("the config of exceptions is wrong: list: 0: until: must be a date like");
  expect(spendingOf(simulator)).toEqual(nothingSpent);

  await stack.succeed("up", ...(await heldTo(stack, until("2999-12-31"))));
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  const closed = order("closed", { quantity: 1, authType: "IP", authIp: "10.0.0.7" });
  await stack.rewrite(program(order("usa"), closed));
  expect(await stack.fail("up", ...(await heldTo(stack, {})))).toContain(
    "closed: its authIp is not a public address",
  );
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

it("keeps a run within its budget, and counts only this run's purchases", async () => {
  const orders = (more: object = {}) =>
    program(order("usa", { allowReplacement: true, ...more }), order("deu", { country: "DEU" }));
  const simulator = await startForTest();
  const stack = await createStack({ ...on, simulator, program: orders() });
  const within = (max: number) => heldTo(stack, { "stack-budget": { max } });

  // The two orders cost 7.00 and 7.35 USD. Together they are above the budget, whichever comes first.
  // It is said once, at the second of them, and not again for the stack.
  const limits = { "stack-budget": { max: 14.34 }, "monthly-run-rate": { max: 14.34 } };
  const refusal = await stack.fail("preview", ...(await heldTo(stack, limits)));
  expect(refusal.match(/\[mandatory\]/g)).toHaveLength(2);
  for (const says of [
    "this run would spend 14.35 USD",
    "the stack would come to 14.35 USD in 30",
  ]) {
    expect(refusal.split(says)).toHaveLength(2);
  }
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  await stack.fail("up", ...(await within(14.34)));
  const { charges: first } = spendingOf(simulator);
  expect(first).toHaveLength(1);

  await stack.succeed("up", ...(await within(first[0] === "7.00" ? 7.35 : 7)));
  expect(spendingOf(simulator).orderCalls).toBe(2);
  expect(spendingOf(simulator).charges.toSorted()).toEqual(["7.00", "7.35"]);
  expect(await stack.succeed("up", ...(await within(0)))).toContain("3 unchanged");

  // Two more proxies cost 2.80 USD.
  await stack.rewrite(orders({ quantity: 7 }));
  expect(await stack.fail("up", ...(await within(2.79)))).toContain("would spend 2.80 USD");
  expect(spendingOf(simulator).orderCalls).toBe(2);
  await stack.succeed("up", ...(await within(2.8)));
  expect(spendingOf(simulator).charges).toHaveLength(3);

  // The engine checks a replacement twice, and it counts once.
  await stack.rewrite(orders({ country: "DEU" }));
  const advice = await stack.fail("up", ...(await within(7.34)));
  expect(advice).toContain("a paid order would be bought again for 7.35 USD");
  expect(advice).toContain("would spend 7.35 USD, above the 7.34 USD");
  expect(spendingOf(simulator).charges).toHaveLength(3);
});

it("applies the budget to an extension and the approval to an automatic one, and reports ends", async () => {
  const { simulator, stack } = await begin(order("usa"));
  await stack.succeed("up");
  const ends = simulator.proxies()[0]?.dateEnd;
  if (ends === undefined) throw new Error("nothing was bought");
  const later = new Date(Date.parse(ends) + 1000).toISOString();

  await stack.rewrite(program(order("usa"), extension("longer", "usa", later)));
  const refusal = await stack.fail(
    "up",
    ...(await heldTo(stack, { "stack-budget": { max: 6.99 }, "monthly-run-rate": { max: 8 } })),
  );
  expect(refusal).toContain("longer: with its 7.00 USD this run would spend 7.00 USD");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));

  await stack.rewrite(program(order("usa"), autoExtension("keep", "usa")));
  const unapproved = await stack.fail(
    "up",
    ...(await heldTo(stack, { "auto-extension-needs-approval": { approvals: [] } })),
  );
  expect(unapproved).toContain("keep: it would extend itself and be charged without a plan");
  expect(simulator.requestCounts().setAutoExtension).toBe(0);

  const told = await stack.succeed(
    "preview",
    ...(await heldTo(stack, { "expiring-soon": { low: 31 }, "monthly-run-rate": { max: 7 } })),
  );
  expect(told).toContain("[advisory]  expiring-soon");
  expect(told).toContain("usa: 5 of 5 proxies end within 30 days");
  expect(told).toContain("severity low");
  const { outputs = {} } = (await stack.state()).find("usa") ?? {};
  expect(await stackViolationsOf(expiringSoon, [{ props: outputs }], { low: 31 })).toEqual([
    expect.stringContaining("fleet: 5 of 5 proxies end within 30 days"),
  ]);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
