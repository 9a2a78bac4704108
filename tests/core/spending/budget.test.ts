import { describe, expect, onTestFinished, test, vi } from "vitest";
import { JournalError } from "../../../provider/core/ports.ts";
import type { RunFact } from "../../../provider/core/records/run-fact.ts";
import { countedIn, sumOf } from "../../../provider/core/spending/budget.ts";
import { orderIntent } from "../records/intents.ts";
import {
  beginRun as beginExtensionRun,
  given as givenExtension,
  TWO_PERIODS,
} from "../support/extensions-under-test.ts";
import { type FakeService, serviceFailure } from "../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../support/orders-under-test.ts";

/** A purchase for 7 USD that was written down when it was sent. */
const sentAt = (at: string, more: Parameters<typeof orderIntent>[0] = {}) =>
  orderIntent({ sentAt: at, history: [{ phase: "sending", at }], ...more });

const spentIn = (month: string, ...purchases: ReturnType<typeof orderIntent>[]) =>
  sumOf(countedIn(month, purchases));

/** Begins a run with a monthly budget. */
function beginWith(monthlyBudget: number, options: Parameters<typeof beginRun>[0] = {}): Run {
  return beginRun({ ...options, settings: { ...options.settings, monthlyBudget } });
}

async function reasonsOf(run: Run, name = "fleet", args: object = {}, ...unknown: string[]) {
  const { failures } = await run.orders.check(ownerOf(name), undefined, given(args, ...unknown));
  return failures.map(({ property, code, reason }) => `${property}: ${code}: ${reason}`);
}

/** The service answers nothing to the next order, and did not take it. */
function lose(service: FakeService): void {
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    throw serviceFailure("unknown");
  };
}

/** The service refuses the next order. */
function refuse(service: FakeService): void {
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    throw serviceFailure("rejected");
  };
}

const ownerOfOtherStack = "org/urn:pulumi:prod::other::proxyrental:ProxyOrder::fleet";

describe("the sum of a month", () => {
  test.each([
    ["the last moment before it", "2026-02-28T23:59:59.999Z", 0],
    ["its first moment", "2026-03-01T00:00:00.000Z", 7],
    ["its last moment", "2026-03-31T23:59:59.999Z", 7],
    ["the first moment after it", "2026-04-01T00:00:00.000Z", 0],
    ["its last hour, told by a clock two hours ahead of UTC", "2026-04-01T01:30:00+02:00", 7],
    ["the same month of another year", "2025-03-15T12:00:00.000Z", 0],
  ])("%s, in UTC on a machine anywhere", (_what, at, sum) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const zone of ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"]) {
      vi.stubEnv("TZ", zone);
      expect(spentIn("2026-03", sentAt(at))).toBe(sum);
    }
  });

  const at = "2026-03-10T12:00:00.000Z";
  const placed = [
    { phase: "sending", at },
    { phase: "placed", at },
  ];
  test.each<[what: string, more: Parameters<typeof orderIntent>[0], sum: number]>([
    ["one that may have been sent", { phase: "sending" }, 7],
    ["one of which nobody knows", { phase: "unknown" }, 7],
    ["a placed one", { phase: "placed" }, 7],
    ["one that the engine was told of", { phase: "returned" }, 7],
    ["one that the state knows", { phase: "confirmed" }, 7],
    ["one that was charged otherwise", { phase: "confirmed", charged: 14 }, 14],
    ["one that the service refused", { phase: "closed", closedBecause: "rejected" }, 0],
    ["one that was not placed", { phase: "closed", closedBecause: "notPlaced" }, 0],
    ["one that has ended", { phase: "closed", closedBecause: "expired" }, 7],
    ["one that was let go", { phase: "closed", closedBecause: "released" }, 7],
    ["one that a person says was none", { phase: "closed", closedBecause: "resolved" }, 0],
    [
      "one that a person says is accounted for, with its order",
      { phase: "closed", closedBecause: "resolved", orderNumber: "7000" },
      7,
    ],
    [
      "one that a person has closed after the service took it",
      { phase: "closed", closedBecause: "resolved", history: placed },
      7,
    ],
  ])("%s", (_what, more, sum) => {
    expect(spentIn("2026-03", sentAt(at, more))).toBe(sum);
  });

  test("amounts are added exactly", () => {
    const cents = (price: number) => sentAt(at, { price });
    expect(spentIn("2026-03", cents(0.1), cents(0.2))).toBe(0.3);
  });

  test("one that was sent at a month's border, by clocks hours apart, counts in both months", () => {
    const begun = [{ phase: "sending", at: "2026-03-01T00:10:00.000Z" }];
    const doubtful = sentAt("2026-02-28T21:10:00.000Z", { history: begun });
    expect([spentIn("2026-02", doubtful), spentIn("2026-03", doubtful)]).toEqual([7, 7]);
  });

  test("one that was sent while the clocks were weeks apart counts in each month that it may be of", () => {
    const doubtful = sentAt("2026-05-20T12:00:00.000Z", { history: [{ phase: "sending", at }] });
    const months = ["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];
    expect(months.map((month) => spentIn(month, doubtful))).toEqual([0, 7, 7, 7, 0]);
  });
});

describe("at preview", () => {
  test("a purchase is refused that this month's purchases of other runs leave nothing for", async () => {
    const first = beginWith(13.99);
    await first.buy();
    const next = beginWith(13.99, { service: first.service });
    expect(await reasonsOf(next, "other")).toEqual([
      "quote: BUDGET_EXCEEDED: 7.00 USD is spent in 2026-03 and the purchases of this run come to 7.00 USD, together above the monthly budget of 13.99 USD (proxyrental:monthlyBudget). Buy less, raise it, or wait until 2026-04-01 (UTC)",
    ]);
    expect(await reasonsOf(beginWith(14, { service: first.service }), "other")).toEqual([]);
  });

  test("all resources of the run count together", async () => {
    const run = beginWith(20.99);
    await run.plan("a");
    await run.plan("b");
    expect((await reasonsOf(run, "c")).join()).toContain("the purchases of this run come to 21.00");
    // What was refused is not in the sum, and a later plan takes the place of the former one.
    expect(await reasonsOf(run, "b", { quantity: 9 })).toEqual([]);
    expect((await reasonsOf(run, "b", { quantity: 10 })).join()).toContain("BUDGET_EXCEEDED");
  });

  test("a cap counts for an unknown price", async () => {
    const run = beginWith(10);
    await run.plan("a");
    const reasons = await reasonsOf(run, "b", { maxPrice: 3.01 }, "quantity");
    expect(reasons.join()).toContain("maxPrice: BUDGET_EXCEEDED");
    expect(await reasonsOf(run, "b", { maxPrice: 3 }, "quantity")).toEqual([]);
  });

  test("what this run has bought itself is not counted twice", async () => {
    const run = beginWith(14);
    await run.buy("a");
    expect(await reasonsOf(run, "b")).toEqual([]);
    expect((await run.buy("b")).inputs.quote.budget).toEqual({
      monthly: 14,
      spent: 0,
      isShared: false,
    });
    expect((await reasonsOf(run, "c")).join()).toContain("come to 21.00 USD");
  });

  test("nor what another process of the run has bought before", async () => {
    const first = beginWith(14);
    await first.buy("a");
    const second = beginWith(14, { service: first.service, besideOthers: true });
    const told: RunFact[] = [
      { kind: "plans", owner: ownerOf("a"), account: "", price: 7 },
      { kind: "spends", owner: ownerOf("a"), requestId: "r", account: "", price: 7 },
    ];
    Object.assign(second.journal.memory, {
      isShared: true,
      tell: async () => undefined,
      hear: async () => told.splice(0).map((fact) => ({ fact, toldAtMs: 0 })),
      hasTold: async (runId: string) => runId === first.journal.runId,
    });
    expect((await second.plan("b")).quote.budget).toEqual({
      monthly: 14,
      spent: 0,
      isShared: false,
    });
    expect((await reasonsOf(second, "c")).join()).toContain("come to 21.00 USD");
  });

  test("nothing is bought in another currency than what the month's purchases were paid in", async () => {
    const first = beginWith(100);
    const planned = await first.plan("later");
    await first.buy("a");
    const next = beginWith(100, { service: first.service });
    first.service.calculated = { currency: "KWD" };
    const mixed =
      "its price is in KWD, and purchases in 2026-03 were paid in USD, so the monthly budget (proxyrental:monthlyBudget) can't hold for all of them. Wait until 2026-04-01 (UTC), or take the budget out";
    expect(await reasonsOf(next, "b")).toEqual([`quote: PRICE_UNUSABLE: ${mixed}`]);
    const late = { ...planned, quote: { ...planned.quote, currency: "KWD" } };
    const failure = await failureOf(next.orders.create(late));
    expect(failure.message).toBe(`PRICE_UNUSABLE: ${mixed}. It was not sent.`);
    expect(first.service.orders).toHaveLength(1);
  });

  test("the next month begins with nothing spent", async () => {
    const first = beginWith(10);
    await first.buy();
    const april = beginWith(10, { service: first.service });
    first.service.now = new Date("2026-04-01T00:00:00Z");
    expect((await april.plan("other")).quote.budget).toEqual({
      monthly: 10,
      spent: 0,
      isShared: false,
    });
    await april.buy("other");
    expect(first.service.orders).toHaveLength(2);
  });

  test("nothing is shown while the journal can't be read, and without a budget it is not asked", async () => {
    const open = givenExtension({ maxPrice: 5 }, "ipAddressIds");
    for (const monthlyBudget of [undefined, 10]) {
      const run = beginExtensionRun({ settings: { monthlyBudget } });
      run.journal.store.readAll = async () => {
        throw new JournalError("unavailable", "the journal in /gone can't be used (EIO)");
      };
      const check = run.extensions.check("owner", undefined, open);
      if (monthlyBudget === undefined) expect((await check).failures).toEqual([]);
      else expect((await failureOf(check)).code).toBe("JOURNAL_UNAVAILABLE");
    }
  });

  test("the last words tell spent, this run and left, and whose purchases they are", async () => {
    const first = beginRun();
    await first.buy();
    const run = beginWith(21.5, { service: first.service });
    await run.plan("other");
    expect(await run.account.story.lastWords()).toContain(
      "Balance: 993.00 USD now, 986.00 USD after.\nOf the monthly budget of 21.50 USD, 7.00 USD is spent in 2026-03, 7.00 USD is planned by this run and 7.50 USD is left (the journal counts the purchases of this machine only).",
    );
    expect(await first.account.story.lastWords()).not.toContain("budget");
    const silent = beginWith(21.5, { service: first.service, settings: { showBalance: false } });
    await silent.plan("silent");
    expect(await silent.account.story.lastWords()).toMatch(
      /: 1 purchase for 7\.00 USD\.\nOf the monthly budget of 21\.50 USD, 7\.00 USD is planned by this run \(what is spent of it is not told: proxyrental:showBalance is false\)\.$/,
    );
  });

  test("the quote tells the budget wherever something may be bought", async () => {
    const first = beginRun();
    await first.buy();
    const run = beginWith(30, { service: first.service });
    const open = await run.orders.check(ownerOf("open"), undefined, given({}, "quantity"));
    expect(open.checked.quote?.budget).toEqual({ monthly: 30, spent: 7, isShared: false });
    expect((await run.plan("other")).quote.budget).toEqual({
      monthly: 30,
      spent: 7,
      isShared: false,
    });
    const silent = beginWith(30, { service: first.service, settings: { showBalance: false } });
    expect((await silent.plan("other")).quote.budget).toEqual({ monthly: 30, isShared: false });
    expect((await beginRun({ service: first.service }).plan("other")).quote.budget).toBeUndefined();
  });
});

describe("right before a purchase is sent", () => {
  /** Two runs of two stacks, whose previews both fit: none has bought anything yet. */
  async function beginTwo(monthlyBudget: number) {
    const one = beginWith(monthlyBudget);
    const other = beginWith(monthlyBudget, { service: one.service, besideOthers: true });
    const first = await one.plan("a");
    const { checked } = await other.orders.check(ownerOfOtherStack, undefined, given());
    return {
      one,
      other,
      buyFirst: () => one.orders.create(first),
      buyThen: () => other.orders.create(checked),
    };
  }

  test("the second of two runs that both fitted at preview buys nothing", async () => {
    const { one, buyFirst, buyThen } = await beginTwo(13.99);
    await buyFirst();
    expect((await failureOf(buyThen())).message).toBe(
      "BUDGET_EXCEEDED: 7.00 USD on top of the 7.00 USD already spent in 2026-03 is above the monthly budget of 13.99 USD (proxyrental:monthlyBudget). This purchase was not sent. Buy less, raise it, or wait until 2026-04-01 (UTC).",
    );
    expect(one.service.calls.createOrder).toBe(1);
    expect(await one.account.journal.readAll()).toHaveLength(1);
  });

  test("what both may buy, both buy", async () => {
    const { one, buyFirst, buyThen } = await beginTwo(14);
    await buyFirst();
    await buyThen();
    expect(one.service.orders).toHaveLength(2);
  });

  test("a purchase that ended unknown keeps its part, and whoever is refused because of it is told its name", async () => {
    const { one, buyFirst, buyThen } = await beginTwo(13.99);
    lose(one.service);
    one.service.before.getBalance = async () => {
      throw serviceFailure("rejected");
    };
    expect((await failureOf(buyFirst())).code).toBe("ORDER_OUTCOME_UNKNOWN");
    delete one.service.before.getBalance;
    const failure = await failureOf(buyThen());
    expect(failure.code).toBe("BUDGET_EXCEEDED");
    const [unknown] = await one.account.journal.readOpen();
    const named = `\`npx pulumi-proxyrental journal show ${unknown?.id}\``;
    expect(failure.message).toContain(named);
    const later = beginRun({ service: one.service, settings: { monthlyBudget: 13.99 } });
    expect((await reasonsOf(later, "third", { country: "DEU" })).join()).toContain(named);
    expect(one.service.calls.createOrder).toBe(1);
  });

  test.each([
    ["was not placed", lose, "ORDER_NOT_PLACED"],
    ["the service refused", refuse, "SERVICE_REFUSED"],
  ])("a purchase that %s gives its part back", async (_what, fail, code) => {
    const { one, buyFirst, buyThen } = await beginTwo(7);
    fail(one.service);
    expect((await failureOf(buyFirst())).code).toBe(code);
    expect((await buyThen()).orderNumber).toBe("7000");
  });

  test("a refused purchase may be made again in the run once it fits", async () => {
    const run = beginWith(7);
    const [first, second] = [
      await run.plan("a"),
      await beginRun({ service: run.service }).plan("b"),
    ];
    run.journal.store.readInTurn = async () => [
      orderIntent({ price: 1, account: undefined, phase: "confirmed" }),
    ];
    expect((await failureOf(run.orders.create(first))).code).toBe("BUDGET_EXCEEDED");
    expect(second.quote.price).toBe(7);
    run.journal.store.readInTurn = run.journal.store.readAll;
    await run.orders.create(first);
    expect(run.service.orders).toHaveLength(1);
  });

  test("a wrong date of the service does not move a purchase into another budget", async () => {
    const first = beginWith(10, { ownClock: true });
    await first.buy();
    const next = beginWith(20, { service: first.service, ownClock: true });
    const planned = await next.plan("other");
    const late = beginWith(10, { service: first.service, ownClock: true });
    first.service.now = new Date("2026-04-20T00:00:00Z");
    const failure = await failureOf(late.orders.create(planned));
    expect(failure.code).toBe("BUDGET_EXCEEDED");
    expect(first.service.orders).toHaveLength(1);
  });
});

test("an account beside another one in the same journal has a budget of its own", async () => {
  const ours = beginWith(10, { apiKey: "ours" });
  await ours.buy();
  const theirs = beginWith(10, { service: ours.service, apiKey: "theirs" });
  expect((await theirs.plan("other")).quote.budget).toEqual({
    monthly: 10,
    spent: 0,
    isShared: false,
  });
  await theirs.buy("other");
  expect(ours.service.orders).toHaveLength(2);
  const again = beginWith(10, { service: ours.service, apiKey: "ours" });
  expect((await reasonsOf(again, "third")).join()).toContain("BUDGET_EXCEEDED: 7.00 USD is spent");
});

describe("an extension", () => {
  test("counts with all of its rounds at preview", async () => {
    const run = beginExtensionRun({ settings: { monthlyBudget: 3.99 } });
    expect((await run.reasonsOf({ paidThrough: TWO_PERIODS })).join()).toContain(
      "quote: BUDGET_EXCEEDED: 0.00 USD is spent in 2026-03 and the purchases of this run come to 4.00 USD",
    );
    const enough = beginExtensionRun({ settings: { monthlyBudget: 4 } });
    const { inputs } = await enough.extend({ paidThrough: TWO_PERIODS });
    expect(inputs.quote.budget).toEqual({ monthly: 4, spent: 0, isShared: false });
    expect(enough.service.extensions).toHaveLength(2);
    const planned = beginExtensionRun({ settings: { monthlyBudget: 4 } });
    await planned.plan({ paidThrough: TWO_PERIODS });
    expect(await planned.account.story.lastWords()).toContain(
      "Of the monthly budget of 4.00 USD, 0.00 USD is spent in 2026-03, 4.00 USD is planned by this run and 0.00 USD is left",
    );
  });

  test("ends after the round that the budget still allows, and what is paid is saved", async () => {
    const run = beginExtensionRun({ settings: { monthlyBudget: 5 } });
    const planned = await run.plan({ paidThrough: TWO_PERIODS });
    const other = beginRun({ service: run.service, besideOthers: true });
    run.service.before.extend = async () => {
      delete run.service.before.extend;
      run.journal.store.readInTurn = async () => [
        ...(await run.journal.store.readAll()),
        orderIntent({ id: "other", price: 2, runId: other.journal.runId, phase: "confirmed" }),
      ];
      return undefined;
    };
    const failure = await failureOf(run.extensions.create(planned));
    expect(failure.code).toBe("EXTENSION_INCOMPLETE");
    expect(failure.message).toContain("1 of 2 planned extensions is paid (2.00 USD)");
    expect(failure.message).toContain("BUDGET_EXCEEDED: 2.00 USD on top of the 4.00 USD");
    expect(run.service.extensions).toHaveLength(1);
  });

  test("that is not known yet counts with its cap", async () => {
    const run = beginExtensionRun({ settings: { monthlyBudget: 3 } });
    const open = givenExtension({ maxPrice: 3.01 }, "ipAddressIds");
    const check = await run.extensions.check("owner", undefined, open);
    expect(
      check.failures.map(({ property, code, reason }) => `${property}: ${code}: ${reason}`).join(),
    ).toContain("maxPrice: BUDGET_EXCEEDED");
    expect(check.checked.quote?.budget).toEqual({ monthly: 3, spent: 0, isShared: false });
  });
});

test("a purchase counts at least at its confirmed price, also if somebody pays in at the same moment", async () => {
  const first = beginWith(10);
  const { service } = first;
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    service.balance += 6;
    return undefined;
  };
  await first.buy("a");
  expect((await reasonsOf(beginWith(10, { service }), "b")).join()).toContain("BUDGET_EXCEEDED");
});

test("a purchase counts at least at its confirmed price, also if the balance is told late", async () => {
  const first = beginWith(10);
  const { service } = first;
  service.before.createOrder = async (request, options) => {
    delete service.before.createOrder;
    const { balance } = service;
    const told = await service.createOrder(request, options);
    service.before.getBalance = async () => ({ balance, currency: "USD" });
    return { ...told, balance };
  };
  await first.buy("a");
  delete service.before.getBalance;
  expect((await reasonsOf(beginWith(10, { service }), "b")).join()).toContain("BUDGET_EXCEEDED");
});
