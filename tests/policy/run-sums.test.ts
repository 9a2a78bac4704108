import { describe, expect, test } from "vitest";
import {
  balanceCoversSpend,
  maxQuantity,
  monthlyBudget,
  monthlyRunRate,
  type SpendPolicy,
  stackBudget,
} from "../../policy/index.ts";
import {
  autoExtensionType,
  buying,
  extensionType,
  orderProps,
  stackViolationsOf,
  unknownNumber,
  unknownObject,
  unknownText,
  violationsOf,
} from "./policy-under-test.ts";

interface Planned {
  name: string;
  props: object;
  type?: string;
  extended?: string[];
}

const owned = { price: 14, quantity: 10, rentPeriodDays: 60, currency: "USD" };

function buys(name: string, price: number, more: object = {}): Planned {
  return { name, props: orderProps(buying(price), { rentPeriodDays: 30, quantity: 5, ...more }) };
}

function plans(name: string, quote: unknown, more: object = {}): Planned {
  return { name, props: orderProps(quote, { rentPeriodDays: 30, quantity: 5, ...more }) };
}

function extendsFor(name: string, price: number, more: object = {}): Planned {
  const quote = { ...buying(price), effect: "extend" };
  return {
    name,
    type: extensionType,
    props: { proxyType: "IPv4", rentPeriodDays: 30, quote, ...more },
  };
}

function renews(name: string, quote: unknown, ...extended: string[]): Planned {
  const props = { proxyType: "IPv4", rentPeriodDays: 30, autoExtend: true, quote };
  return { name, type: autoExtensionType, props, extended };
}

let stacks = 0;

/** The violations at each of these plans in turn, and of the stack at the end. A fault is said at one of the two. */
async function run(policy: SpendPolicy, config: object, ...planned: Planned[]) {
  const stack = `stack${stacks++}`;
  const at: string[][] = [];
  for (const plan of planned) at.push(await violationsOf(policy, { ...plan, config, stack }));
  const members = planned.map((plan) => ({ ...plan, stack }));
  const whole = await stackViolationsOf(policy, members, config);
  if (at.flat().length > 0) expect(whole).toEqual([]);
  return { at, whole };
}

describe("stack-budget", () => {
  const kept = plans("kept", { effect: "none", owned: { ...owned, price: 900 } });
  const taken = plans("taken", { ...buying(0), effect: "recover" });
  const adopted = plans("adopted", { ...buying(50), effect: "adopt" });
  const capped = plans("capped", { effect: "unknown", priceAtMost: 13 });

  test.each<[what: string, config: object, planned: Planned[]]>([
    ["anything without a limit", {}, [buys("a", 900), plans("b", unknownObject)]],
    ["a sum at the limit", { max: 20.3 }, [buys("a", 10.1), buys("b", 10.2)]],
    ["orders without a price this time", { max: 0 }, [kept, taken, adopted]],
    ["a cap for an unknown price", { max: 20 }, [buys("a", 7), capped]],
    ["a resource that is checked again", { max: 10 }, [buys("a", 10), buys("a", 10), buys("a", 9)]],
    [
      "a purchase that is no longer planned",
      { max: 10 },
      [buys("a", 10), kept, plans("a", { effect: "none" }), buys("b", 10)],
    ],
    [
      "only an automatic extension",
      { max: 0 },
      [renews("r", { effect: "autoExtend", pricePerCycle: 90 })],
    ],
  ])("should pass: %s", async (_what, config, planned) => {
    const { at, whole } = await run(stackBudget, config, ...planned);
    expect([...at.flat(), ...whole]).toEqual([]);
  });

  test("should fail: the purchase that exceeds the limit", async () => {
    const { at } = await run(stackBudget, { max: 20 }, buys("a", 7), kept, buys("b", 14));
    expect(at).toEqual([
      [],
      [],
      [
        "b: with its 14.00 USD this run would spend 21.00 USD, above the 20.00 USD that max allows. Buy less, or raise max in the config of stack-budget.",
      ],
    ]);
  });

  test.each([
    ["a top-up", plans("b", { ...buying(14), effect: "topUp", owned })],
    ["a replacement", plans("b", { ...buying(14), effect: "replace", owned })],
    ["an extension", extendsFor("b", 14)],
    ["a cap for an unknown price", plans("b", { effect: "unknown", priceAtMost: 14 })],
  ])("should fail: %s beyond the limit", async (_what, plan) => {
    const { at } = await run(stackBudget, { max: 20 }, buys("a", 7), plan);
    expect(at).toEqual([[], [expect.stringContaining("21.00 USD, above the 20.00 USD")]]);
  });

  test.each([{ effect: "unknown" }, unknownObject, undefined, { effect: "buy" }])(
    "should fail: an unknown price, %o",
    async (quote) => {
      const { at } = await run(stackBudget, { max: 900 }, plans("a", quote), buys("b", 1));
      expect(at).toEqual([[expect.stringContaining("a: its price is not known")], []]);
    },
  );

  test("should fail: prices that can't be added", async () => {
    const euro = plans("b", { ...buying(1), currency: "EUR" });
    const { at } = await run(stackBudget, { max: 900 }, buys("a", 1), euro);
    expect(at[1]).toEqual([expect.stringContaining("prices in USD and EUR can't be added up")]);
  });

  test("two stacks have a sum each", async () => {
    for (const stack of ["one", "two"]) {
      const resource = { ...buys("a", 15), config: { max: 20 }, stack };
      expect(await violationsOf(stackBudget, resource)).toEqual([]);
    }
  });
});

describe("balance-covers-spend", () => {
  const silent = plans("silent", { ...buying(7), balance: undefined });

  test.each<[what: string, config: object, planned: Planned[]]>([
    ["purchases within the balance", {}, [buys("a", 400), buys("b", 600)]],
    ["purchases that leave enough", { minBalanceAfter: 900 }, [buys("a", 40), buys("b", 60)]],
    ["nothing to pay", { minBalanceAfter: 2000 }, [plans("a", { effect: "none", owned })]],
    ["an unknown balance, without a limit", {}, [silent]],
    ["an unknown price, without a limit", {}, [plans("a", unknownObject)]],
  ])("should pass: %s", async (_what, config, planned) => {
    const { at, whole } = await run(balanceCoversSpend, config, ...planned);
    expect([...at.flat(), ...whole]).toEqual([]);
  });

  test("should fail: a sum above the balance", async () => {
    const { at } = await run(balanceCoversSpend, {}, buys("a", 400), buys("b", 601));
    expect(at).toEqual([
      [],
      [
        expect.stringContaining(
          "spend 1001.00 USD and leave -1.00 USD on the account, less than the 0.00 USD",
        ),
      ],
    ]);
  });

  test("should fail for the stack: too little is left beside what is free", async () => {
    const free = plans("free", { ...buying(0), balance: 500 });
    for (const planned of [[free], [buys("a", 100), free]]) {
      const { at, whole } = await run(balanceCoversSpend, { minBalanceAfter: 900 }, ...planned);
      expect(at.flat()).toEqual([]);
      expect(whole).toEqual([expect.stringContaining("on the account, less than the 900.00 USD")]);
    }
  });

  test.each<[what: string, planned: Planned, says: string]>([
    [
      "too little is left",
      buys("a", 101),
      "leave 899.00 USD on the account, less than the 900.00 USD",
    ],
    [
      "too little is left because of a cap",
      plans("a", { effect: "unknown", priceAtMost: 101, balance: 1000 }),
      "spend up to 101.00 and leave 899.00",
    ],
    ["an unknown balance", silent, "does not tell the account's balance"],
    ["an unknown price", plans("a", { effect: "unknown" }), "what a costs is not known"],
    ["an unknown quote", plans("a", unknownObject), "what a costs is not known"],
  ])("should fail: %s", async (_what, planned, says) => {
    const { at } = await run(balanceCoversSpend, { minBalanceAfter: 900 }, planned);
    expect(at).toEqual([[expect.stringContaining(says)]]);
  });
});

describe("monthly-budget", () => {
  /** A purchase on an account that has spent 400 of its 500 before this run. */
  const within = (name: string, price: number, budget: object = { monthly: 500, spent: 400 }) =>
    plans(name, { ...buying(price), budget });
  const kept = plans("kept", { effect: "none", owned });
  const taken = plans("taken", { ...buying(0), effect: "recover" });
  const capped = plans("capped", {
    effect: "unknown",
    priceAtMost: 30,
    budget: { monthly: 500, spent: 400 },
  });

  test.each<[what: string, config: object, planned: Planned[]]>([
    ["anything without a share", {}, [buys("a", 900), plans("b", unknownObject)]],
    ["runs that spend all of the rest", { maxShare: 100 }, [within("a", 70), capped]],
    ["runs that stay within the share", { maxShare: 90 }, [within("a", 20), within("b", 30)]],
    ["runs that spend nothing, without a budget", { maxShare: 100 }, [kept, taken, buys("a", 0)]],
    [
      "a budget of which only the whole is told, as the provider holds it",
      { maxShare: 100 },
      [within("a", 700, { monthly: 500 })],
    ],
  ])("should pass: %s", async (_what, config, planned) => {
    const { at, whole } = await run(monthlyBudget, config, ...planned);
    expect([...at.flat(), ...whole]).toEqual([]);
  });

  test.each<[what: string, planned: Planned[], says: string]>([
    [
      "a purchase without a budget",
      [buys("a", 7)],
      "what a would spend is held by no monthly budget. Set proxyrental:monthlyBudget, or take maxShare out of the config of monthly-budget.",
    ],
    [
      "an open purchase without a budget",
      [plans("a", { effect: "unknown" })],
      "by no monthly budget",
    ],
    ["an unknown quote", [plans("a", unknownObject)], "by no monthly budget"],
    [
      "a sum above the share",
      [within("a", 20), within("b", 30.01)],
      "400.00 USD of the monthly budget of 500.00 USD are spent, and this run would spend 50.01 USD: together more than the 450.00 USD (90 %) that maxShare allows. Buy less, or raise proxyrental:monthlyBudget, or maxShare in the config of monthly-budget.",
    ],
    ["a cap above the share", [within("a", 21), capped], "would spend up to 51.00 USD"],
    [
      "the larger sum of what two plans know to be spent",
      [within("a", 1), within("b", 1, { monthly: 500, spent: 449 })],
      "449.00 USD of the monthly budget",
    ],
    [
      "an unknown price",
      [plans("a", { effect: "unknown", budget: { monthly: 500, spent: 0 } })],
      "what a costs is not known",
    ],
    [
      "an unknown sum",
      [within("a", 1, { monthly: 500 })],
      "the plan does not tell what is spent of the monthly budget. Let proxyrental:showBalance be true, or let maxShare be 100 in the config of monthly-budget.",
    ],
  ])("should fail: %s", async (_what, planned, says) => {
    const { at } = await run(monthlyBudget, { maxShare: 90 }, ...planned);
    expect(at.at(-1)).toEqual([expect.stringContaining(says)]);
    expect(at.slice(0, -1).flat()).toEqual([]);
  });

  test("a purchase is not refused for another one that has no budget, or no price", async () => {
    const open = plans("open", { effect: "unknown", budget: { monthly: 500, spent: 400 } });
    const { at } = await run(
      monthlyBudget,
      { maxShare: 90 },
      ...[open, buys("a", 7), within("b", 50)],
    );
    expect(at.map((messages) => messages.length)).toEqual([1, 1, 0]);
  });
});

describe("monthly-run-rate", () => {
  const cycle = (pricePerCycle: number) => ({
    effect: "autoExtend",
    pricePerCycle,
    currency: "USD",
  });

  test.each<[what: string, max: number, planned: Planned[]]>([
    ["planned purchases, by their period", 10, [buys("a", 30, { rentPeriodDays: 90 })]],
    ["an order and its automatic extension once", 7, [buys("a", 7), renews("r", cycle(7), "a")]],
    ["an automatic extension of a new order", 7, [buys("a", 7), renews("r", undefined, "a")]],
    ["an order without automatic extension", 0, [plans("a", { effect: "none", owned })]],
    ["an automatic extension that is off", 0, [renews("r", { effect: "none" })]],
    [
      "an extension by three periods",
      7,
      [extendsFor("e", 21, { rounds: [1, 2, 3].map(() => ({ quantity: 5 })) })],
    ],
    ["a cap for an unknown price", 7, [plans("a", { effect: "unknown", priceAtMost: 7 })]],
    [
      "two orders that one automatic extension renews",
      14,
      [buys("a", 7), buys("b", 7), renews("r", undefined, "a", "b")],
    ],
  ])("should pass: %s", async (_what, max, planned) => {
    const { at, whole } = await run(monthlyRunRate, { max }, ...planned);
    expect([...at.flat(), ...whole]).toEqual([]);
    if (max === 0) return;
    const less = await run(monthlyRunRate, { max: max - 0.01 }, ...planned);
    expect(less.at.flat()).not.toEqual([]);
  });

  test.each<[what: string, max: number, planned: Planned[], says: string]>([
    [
      "the purchase that exceeds the limit",
      20,
      [buys("a", 7), buys("b", 14)],
      "b: the stack would come to 21.00 USD in 30 days, above the 20.00 USD that max allows",
    ],
    [
      "an automatic extension that costs more than the purchase",
      7,
      [buys("a", 7), renews("r", cycle(8), "a")],
      "r: the stack would come to 8.00 USD in 30 days, above the 7.00 USD",
    ],
  ])("should fail: %s", async (_what, max, planned, says) => {
    const { at } = await run(monthlyRunRate, { max }, ...planned);
    expect(at).toEqual([[], [expect.stringContaining(says)]]);
  });

  test.each<[what: string, max: number, planned: Planned[]]>([
    [
      "an automatic extension without an order in the stack",
      13,
      [buys("a", 7), renews("r", cycle(7))],
    ],
    [
      "an owned order that grows and extends itself",
      13.9,
      [plans("a", { ...buying(7), effect: "topUp", owned }), renews("r", unknownObject, "a")],
    ],
    ["an extension beside an order", 13, [buys("a", 7), extendsFor("e", 7)]],
  ])("should fail in the stack as a whole: %s", async (_what, max, planned) => {
    expect(await run(monthlyRunRate, { max }, ...planned)).toEqual({
      at: [[], []],
      whole: [expect.stringContaining("the stack would come to 14.00 USD in 30 days")],
    });
  });

  test("the record of an earlier purchase does not count as a plan", async () => {
    const recorded = { ...buys("a", 90, { stateVersion: 1 }), stack: "recorded" };
    expect(await stackViolationsOf(monthlyRunRate, [recorded], { max: 1 })).toEqual([]);
    const unseen = { ...buys("a", 90), stack: "unseen" };
    expect(await stackViolationsOf(monthlyRunRate, [unseen], { max: 1 })).toHaveLength(1);
  });

  test.each<[what: string, planned: Planned]>([
    ["an unknown price", plans("a", { effect: "unknown" })],
    ["an unknown quote", plans("a", unknownObject)],
    ["an unknown period", buys("a", 7, { rentPeriodDays: unknownNumber })],
    ["an automatic extension without a price", renews("a", { effect: "autoExtend" })],
  ])("should fail: %s", async (_what, planned) => {
    const { at } = await run(monthlyRunRate, { max: 900 }, planned);
    expect(at).toEqual([[expect.stringContaining("a: what it comes to in a month is not known")]]);
    expect((await run(monthlyRunRate, {}, planned)).at.flat()).toEqual([]);
  });

  test("should fail for the stack: an automatic extension of unknown proxies", async () => {
    const { at, whole } = await run(monthlyRunRate, { max: 900 }, renews("r", undefined));
    expect(at).toEqual([[]]);
    expect(whole).toEqual([expect.stringContaining("r: what it comes to in a month is not known")]);
  });
});

describe("max-quantity", () => {
  const five = { quantity: 5 };
  const kept = plans("kept", { effect: "none", owned }, five);

  test.each<[what: string, config: object, planned: Planned[]]>([
    ["anything without a limit", {}, [buys("a", 7, { quantity: 9000 })]],
    ["all limits met", { perOrder: 5, perStack: 10, byCountry: { USA: 10 } }, [kept, buys("a", 7)]],
    ["any paid order", { perOrder: 1, perStack: 1, byCountry: { USA: 1 } }, [kept]],
    ["a country without a limit", { byCountry: { DEU: 1 } }, [buys("a", 7)]],
    ["an extension", { perStack: 0 }, [extendsFor("e", 7)]],
  ])("should pass: %s", async (_what, config, planned) => {
    const { at, whole } = await run(maxQuantity, config, ...planned);
    expect([...at.flat(), ...whole]).toEqual([]);
  });

  test.each<[what: string, config: object, planned: Planned[], says: string]>([
    [
      "an order",
      { perOrder: 4 },
      [buys("a", 7)],
      "a: the order comes to 5 proxies, more than the 4 that perOrder allows",
    ],
    [
      "a country",
      { byCountry: { USA: 9 } },
      [kept, buys("a", 7)],
      "in USA to 10 proxies, more than the 9 that byCountry.USA allows",
    ],
    [
      "a stack",
      { perStack: 9 },
      [kept, buys("a", 7, { country: "DEU" })],
      "the stack comes to 10 proxies, more than the 9 that perStack allows",
    ],
    [
      "an unknown quantity",
      { perOrder: 4 },
      [plans("a", { effect: "unknown" }, { quantity: unknownNumber })],
      "its quantity is not known yet",
    ],
    [
      "an unknown country",
      { byCountry: { DEU: 4 } },
      [plans("a", { effect: "unknown" }, { country: unknownText })],
      "its country is not known yet",
    ],
  ])("should fail: %s", async (_what, config, planned, says) => {
    const { at } = await run(maxQuantity, config, ...planned);
    expect(at.flat()).toEqual([expect.stringContaining(says)]);
  });

  test("should fail for the stack: a part of it is checked after the purchase", async () => {
    const { at, whole } = await run(maxQuantity, { perStack: 9 }, buys("a", 7), kept);
    expect(at.flat()).toEqual([]);
    expect(whole).toEqual([expect.stringContaining("a: the stack comes to 10 proxies")]);
  });
});
