import { describe, expect, test } from "vitest";
import { neverCancelled } from "../../../provider/core/account/cancellation.ts";
import { unknownRun } from "../../../provider/core/ports.ts";
import type { BudgetUse } from "../../../provider/core/spending/budget.ts";
import type { Fleet } from "../../../provider/core/spending/fleet-limit.ts";
import { createRunSums, type MoneyFact } from "../../../provider/core/spending/run-sums.ts";
import { createSpendLimit, type SpendLimit } from "../../../provider/core/spending/spend-limit.ts";
import { beginRun, failureOf, given, ownerOf } from "../support/orders-under-test.ts";

const openLimit = (
  maxSpend: number,
  use?: BudgetUse,
  tell: (fact: MoneyFact) => Promise<void> = async () => undefined,
) =>
  createSpendLimit({
    maxSpend,
    cancelled: neverCancelled,
    sums: createRunSums(),
    budget: { beforeRun: async () => use },
    tell,
    hearOthers: async () => undefined,
  });

const seven = { price: 7, currency: "USD" };
const name = (requestId: string) => ({ owner: requestId, requestId });

test("the charged price counts against maxSpend, not the confirmed one", async () => {
  const limit = openLimit(20);
  limit.assertMaySpend("fleet", seven);
  await limit.begin(name("a"), seven);
  limit.assertMaySpend("fleet", seven);
  await limit.settle(name("a"), 14);
  expect(() => limit.assertMaySpend("fleet", seven)).toThrow("SPEND_LIMIT_REACHED");
});

test("a purchase that was not placed does not count", async () => {
  const limit = openLimit(7);
  await limit.begin(name("a"), seven);
  expect(() => limit.assertMaySpend("fleet", seven)).toThrow("SPEND_LIMIT_REACHED");
  await limit.settle(name("a"), 0);
  limit.assertMaySpend("fleet", seven);
});

test("a purchase is in flight until it is settled, and one that the others can't be told of never is", async () => {
  const untold = [new Error("the disk is full")];
  const told: MoneyFact[] = [];
  const limit = openLimit(7, undefined, async (fact) => {
    told.push(fact);
    const failure = untold.pop();
    if (failure) throw failure;
  });
  await expect(limit.begin(name("a"), seven)).rejects.toThrow("the disk is full");
  const spends = { ...name("a"), kind: "spends" };
  // Both are written later, in this order.
  expect(told).toEqual([
    { ...spends, price: 7, currency: "USD", isInFlight: true },
    { ...spends, price: 0, isInFlight: false },
  ]);
  await limit.assertNoneInFlight();
  limit.assertMaySpend("fleet", seven);
  await limit.begin(name("a"), seven);
  await limit.settle(name("a"), 7);
  await limit.assertNoneInFlight();
  await limit.begin(name("b"), seven);
  await expect(limit.assertNoneInFlight()).rejects.toThrow("BUYING_STOPPED");
});

test("after buying was stopped nothing is bought, and each error gives the first reason", async () => {
  const limit = openLimit(100);
  await limit.stop("the first reason");
  await limit.stop("the second reason");
  expect(() => limit.assertMaySpend("fleet", seven)).toThrow("BUYING_STOPPED: the first reason");
});

test("a resource without a stack buys nothing, neither in the plan nor later", async () => {
  const limit = openLimit(100);
  const owner = "urn:pulumi:dev::default::proxyrental:index:ProxyOrder::usa";
  expect(await limit.plan(owner, seven, 1_000)).toMatchObject({
    code: "STACK_REQUIRED",
    reason: expect.stringContaining("a resource without a stack buys nothing"),
  });
  expect(() => limit.assertMaySpend(owner, seven)).toThrow("STACK_REQUIRED: a resource without");
  const inStack = "acme/urn:pulumi:dev::fleet::proxyrental:index:ProxyOrder::default";
  expect(await limit.plan(inStack, seven, 1_000)).toBeUndefined();
  limit.assertMaySpend(inStack, seven);
});

describe("no limit adds up two currencies:", () => {
  const inDinars = { price: 1, currency: "KWD" };
  const mixed =
    "its price is in KWD, and the other purchases of this run are in USD, so no limit can hold for all of them. Buy it in a run of its own (`--target`)";

  test("a plan in another currency is left out, and what is sent is in the currency of the plans", async () => {
    const limit = openLimit(100);
    expect(await limit.plan("a", seven, 1_000)).toBeUndefined();
    expect(await limit.plan("b", inDinars, 1_000)).toMatchObject({
      code: "PRICE_UNUSABLE",
      reason: mixed,
    });
    expect(limit.planned()).toBe(7);
    expect(() => limit.assertMaySpend("b", inDinars)).toThrow(
      `PRICE_UNUSABLE: ${mixed}. It was not sent.`,
    );
  });

  test("nothing is sent in another currency than what was sent before, by whatever process", async () => {
    const sums = createRunSums();
    sums.hear({ kind: "spends", owner: "a", requestId: "a", ...seven });
    const parts = { maxSpend: undefined, cancelled: neverCancelled, sums };
    const untold = { tell: async () => undefined, hearOthers: async () => undefined };
    const budget = { beforeRun: async () => undefined };
    const limit = createSpendLimit({ ...parts, ...untold, budget });
    expect(() => limit.assertMaySpend("b", inDinars)).toThrow("PRICE_UNUSABLE");
    limit.assertMaySpend("b", seven);
  });

  test("a plan that was refused decides about no other", async () => {
    const limit = openLimit(10);
    expect(await limit.plan("a", { price: 11, currency: "KWD" }, 1_000)).toBeDefined();
    expect(await limit.plan("b", seven, 1_000)).toBeUndefined();
  });
});

const prices = {
  owner: "acme/urn:pulumi:dev::shop::proxyrental:index:ProxyFleet::prices",
  maxSpend: 10,
};

test("the plans of a fleet together stay below its own limit, and others don't count", async () => {
  const limit = openLimit(100);
  expect(await limit.plan("elsewhere", seven, 1_000)).toBeUndefined();
  expect(await limit.plan("prices-USA", seven, 1_000, prices)).toBeUndefined();
  expect(await limit.plan("prices-DEU", seven, 1_000, prices)).toMatchObject({
    code: "SPEND_LIMIT_REACHED",
    reason:
      "the purchases of the fleet prices come to 14.00 USD in this run, above its maxSpend (10.00 USD). Buy less, or raise maxSpend",
  });
  const three = { price: 3, currency: "USD" };
  expect(await limit.plan("prices-FRA", three, 1_000, prices)).toBeUndefined();
  expect(limit.planned()).toBe(17);
});

describe("a sum of which a part is only a cap", () => {
  const use = {
    monthly: 66,
    spent: 0,
    month: "2026-03",
    currencies: ["USD"],
    inDoubt: [],
    isShared: true,
  };

  /** Why a purchase for 7 USD is refused beside one for at most 60 USD. */
  async function reasonBeside(isCap: boolean, limit: SpendLimit, balance: number, fleet?: Fleet) {
    await limit.plan("other", { price: 60, currency: "USD", isCap }, 1_000, fleet);
    return (await limit.plan("fleet", seven, balance, fleet))?.reason;
  }

  test.each<[string, () => SpendLimit, number, Fleet | undefined, string]>([
    ["maxSpend", () => openLimit(66), 1_000, undefined, "67.00 USD, above proxyrental:maxSpend"],
    ["the balance", () => openLimit(100), 60, undefined, "67.00 USD, but the balance is 60.00 USD"],
    ["the budget", () => openLimit(100, use), 1_000, undefined, "67.00 USD, together above"],
    ["a fleet's limit", () => openLimit(100), 1_000, { ...prices, maxSpend: 66 }, "67.00 USD in"],
  ])("is called the most that it can be: above %s", async (_what, open, balance, fleet, said) => {
    expect(await reasonBeside(true, open(), balance, fleet)).toContain(`come to up to ${said}`);
    expect(await reasonBeside(false, open(), balance, fleet)).toContain(`come to ${said}`);
  });

  test("says how much may be missing", async () => {
    const reason = await reasonBeside(true, openLimit(100), 60);
    expect(reason).toContain("up to 7.00 USD is missing");
  });

  test("is known when its price is known", async () => {
    const limit = openLimit(66);
    await limit.plan("other", { price: 60, currency: "USD", isCap: true }, 1_000);
    await limit.plan("other", { price: 60, currency: "USD" }, 1_000);
    expect((await limit.plan("fleet", seven, 1_000))?.reason).toContain("come to 67.00 USD");
  });
});

test("what a run has spent on a fleet counts right before its next order, and nothing else does", async () => {
  const limit = openLimit(100);
  await limit.settle(name("elsewhere"), 50);
  limit.assertMaySpend("prices-USA", seven, prices);
  await limit.begin({ owner: "prices-USA", requestId: "a", fleet: prices }, seven);
  expect(() => limit.assertMaySpend("prices-DEU", seven, prices)).toThrow(
    "SPEND_LIMIT_REACHED: 7.00 USD on top of the 7.00 USD already spent on the fleet prices by this run is above its maxSpend (10.00 USD). This purchase was not sent.",
  );
  limit.assertMaySpend("elsewhere", seven);
  await limit.settle({ owner: "prices-USA", requestId: "a", fleet: prices }, 0);
  limit.assertMaySpend("prices-DEU", seven, prices);
});

test("the limit of a fleet holds for all processes of a run together", async () => {
  const run = { ...unknownRun, run: "127.0.0.1:7777" };
  const fleet = { owner: ownerOf("prices"), maxSpend: 10 };
  const one = beginRun({ run });
  const two = beginRun({ run, service: one.service, besideOthers: true });
  const [a, b] = [
    await one.orders.check(ownerOf("a"), undefined, { ...given(), fleet }),
    await two.orders.check(ownerOf("b"), undefined, { ...given(), fleet }),
  ];
  expect(b.failures).toMatchObject([{ code: "SPEND_LIMIT_REACHED" }]);
  await one.orders.create(a.checked);
  const unshown = { ...a.checked, owner: ownerOf("b"), requestId: "another" };
  expect(await failureOf(two.orders.create(unshown))).toMatchObject({
    code: "SPEND_LIMIT_REACHED",
  });
  expect(one.service.orders).toHaveLength(1);
});
