import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openAccount } from "../../../provider/core/account.ts";
import type { CheckedOrder } from "../../../provider/core/order/model/state.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import type { RunFact } from "../../../provider/core/records/run-fact.ts";
import {
  beginRun as beginExtensions,
  given as extended,
  owner as extensionOwner,
} from "../support/extensions-under-test.ts";
import { record, serviceFailure } from "../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../support/orders-under-test.ts";
import {
  beginRun as beginRenewals,
  owner as renewalOwner,
  given as renewed,
} from "../support/renewals-under-test.ts";

/** A process that the engine at this address has started. */
function runAt(address: string): RunIdentity {
  return { run: address, command: "up", phase: () => "update" };
}

const here = runAt("127.0.0.1:4000");

/** Two explicit providers of one program, each in its own process. */
function twoProviders(settings: { maxSpend?: number } = {}, run = here) {
  const apiKey = "key-of-a";
  const first = beginRun({ run, apiKey, settings });
  const second = beginRun({
    ...{ run, apiKey, settings, service: first.service, besideOthers: true },
  });
  return { first, second };
}

/** Each line of these that a process would tell can't be written, and what is told after it can. */
function failToWrite({ journal, journalDir }: Run, isUnwritable: (fact: RunFact) => boolean): void {
  const { memory, runId } = journal;
  const { tell } = memory;
  memory.tell = async (fact) => {
    if (!isUnwritable(fact)) return tell(fact);
    const [file] = readdirSync(journalDir, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(`${runId}.jsonl`))
      .map((path) => join(journalDir, path));
    if (file === undefined) throw new Error("this process has told nothing yet");
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    try {
      await tell(fact);
    } finally {
      rmdirSync(file);
      renameSync(`${file}.away`, file);
    }
  };
}

describe("two providers of one run", () => {
  test("together plan no more than maxSpend", async () => {
    const { first, second } = twoProviders({ maxSpend: 10 });
    await first.plan("a");
    const { failures } = await second.orders.check(ownerOf("b"), undefined, given());
    expect(failures.map(({ reason }) => reason).join()).toContain("come to 14.00 USD");
  });

  test("together spend no more than maxSpend, even if neither planned the other's purchase", async () => {
    const { first, second } = twoProviders();
    const planned = [await first.plan("a"), await second.plan("b")] as const;
    const capped = beginRun({
      ...{ run: here, apiKey: "key-of-a", settings: { maxSpend: 10 } },
      ...{ service: first.service, besideOthers: true },
    });
    await first.orders.create(planned[0]);
    const failure = await failureOf(capped.orders.create(planned[1]));
    expect(failure.code).toBe("SPEND_LIMIT_REACHED");
    expect(failure.message).toContain("7.00 USD already spent by this run");
    expect(first.service.calls.createOrder).toBe(1);
  });

  test("buy nothing more once one of them has lost its turn with a purchase under way", async () => {
    const { first, second } = twoProviders();
    const planned = [await first.plan("a"), await second.plan("b", { country: "DEU" })] as const;
    const sent = Promise.withResolvers<void>();
    first.service.before.createOrder = async () => {
      delete first.service.before.createOrder;
      sent.resolve();
      // The answer never comes.
      return new Promise(() => undefined);
    };
    void first.orders.create(planned[0]);
    await sent.promise;
    // Whoever looks for it finds the turn free.
    first.die();
    const failure = await failureOf(second.orders.create(planned[1]));
    expect(failure.code).toBe("BUYING_STOPPED");
    expect(failure.message).toContain("ended with an unknown outcome");
    expect(first.service.calls.createOrder).toBe(1);
  });

  test("together plan no more than the balance", async () => {
    const { first, second } = twoProviders();
    first.service.balance = 10;
    await first.plan("a");
    const { failures } = await second.orders.check(ownerOf("b"), undefined, given());
    expect(failures.map(({ reason }) => reason).join()).toContain("but the balance is 10.00 USD");
  });

  test("both stop when the outcome of one purchase is unknown", async () => {
    const { first, second } = twoProviders();
    const planned = [await first.plan("a"), await second.plan("b", { goal: "b" })] as const;
    first.service.before.createOrder = async () => {
      delete first.service.before.createOrder;
      first.service.balance -= 1;
      throw serviceFailure("unknown");
    };
    expect((await failureOf(first.orders.create(planned[0]))).code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect((await failureOf(second.orders.create(planned[1]))).code).toBe("BUYING_STOPPED");
    expect(first.service.calls.createOrder).toBe(1);
  });

  test("both stop after a wrong charge, also if the line that tells so could not be written at once", async () => {
    const { first, second } = twoProviders();
    const planned = [await first.plan("a"), await second.plan("b", { goal: "b" })] as const;
    failToWrite(first, ({ kind }) => kind === "stops");
    first.service.before.createOrder = async () => {
      delete first.service.before.createOrder;
      first.service.balance -= 5;
    };
    await first.orders.create(planned[0]);
    const failure = await failureOf(second.orders.create(planned[1]));
    expect(failure.code).toBe("BUYING_STOPPED");
    expect(failure.message).toContain("was not charged as it was confirmed");
    expect(first.service.calls.createOrder).toBe(1);
  });

  test("go on after a purchase that could not be told, which was not sent and does not count", async () => {
    const { first, second } = twoProviders();
    const planned = [await first.plan("a"), await second.plan("b", { goal: "b" })] as const;
    const { service } = first;
    const settings = { maxSpend: 7 };
    const capped = beginRun({
      run: here,
      apiKey: "key-of-a",
      settings,
      service,
      besideOthers: true,
    });
    failToWrite(first, (fact) => fact.kind === "spends" && fact.isInFlight === true);
    const failure = await failureOf(first.orders.create(planned[0]));
    expect(failure.code).toBe("JOURNAL_UNAVAILABLE");
    expect(failure.message).toContain("This purchase was not sent");
    await capped.orders.create(planned[1]);
    expect(service.calls.createOrder).toBe(1);
  });

  test("buy nothing more once what they have told was removed", async () => {
    const { first, second } = twoProviders();
    const planned = [await first.plan("a"), await second.plan("b", { goal: "b" })] as const;
    for (const path of readdirSync(first.journalDir, { recursive: true, encoding: "utf8" })) {
      if (path.endsWith("shared-runs")) rmSync(join(first.journalDir, path), { recursive: true });
    }
    for (const [index, { orders }] of [first, second].entries()) {
      const failure = await failureOf(orders.create(planned[index] as CheckedOrder));
      expect(failure.code).toBe("JOURNAL_UNAVAILABLE");
      expect(failure.message).toContain("was removed while it went on");
    }
    expect(first.service.calls.createOrder).toBe(0);
  });

  test("do not count the purchases of another account or run", async () => {
    const { first } = twoProviders({ maxSpend: 10 });
    await first.plan("a");
    const others = [
      { run: here, apiKey: "key-of-b" },
      { run: runAt("127.0.0.1:5000"), apiKey: "key-of-a" },
      // The address of an ended engine was given to another CLI's engine.
      { run: { ...here, commandId: "4711-99" }, apiKey: "key-of-a" },
    ];
    for (const other of others) {
      const settings = { maxSpend: 10 };
      const run = beginRun({ ...other, settings, service: first.service, besideOthers: true });
      expect((await run.plan("b")).quote.effect).toBe("buy");
    }
  });
});

describe("a paid order that the refreshing process has met", () => {
  test("is not replaced by the updating process, though the engine told it nothing of the order", async () => {
    const { service, buy } = beginRun();
    const { state } = await buy();
    const refresh = beginRun({ run: here, service });
    await refresh.orders.read(state);
    const update = beginRun({ run: here, service, besideOthers: true });
    const { failures } = await update.orders.check(ownerOf("fleet"), undefined, given());
    expect(failures.map(({ property }) => property)).toEqual(["allowReplacement"]);
    expect(service.calls.createOrder).toBe(1);
  });

  test("is no obstacle to another process of the run after it was seen to have ended", async () => {
    const { service, buy } = beginRun();
    const { state } = await buy();
    const refresh = beginRun({ run: here, service });
    await refresh.orders.read(state);
    service.now = new Date("2027-03-01T00:00:00Z");
    // Some systems keep the times of files in steps of this size, and the newest word counts.
    await sleep(20);
    const again = beginRun({ run: here, service, besideOthers: true });
    expect((await again.orders.read(state)).kind).toBe("gone");
    const update = beginRun({ run: here, service, besideOthers: true });
    expect((await update.plan()).quote.effect).toBe("buy");
  });
});

describe("a promo code that two providers of one run use", () => {
  const free = { promoCode: "FREE", maxPrice: 0 };

  function offer(countUses: number, run = here) {
    const providers = twoProviders({}, run);
    const { service } = providers.first;
    service.calculated = { promoCodeStatus: "VALID", discount: 100, price: 0 };
    service.unitPrice = 0;
    const uses = { left: countUses };
    service.before.listPromoCodes = async () => [
      { code: "FREE", discount: 100, countUses: uses.left },
    ];
    return { ...providers, uses };
  }

  test("is planned no more often in both together than it may be used", async () => {
    const { first, second } = offer(1);
    await first.plan("a", free);
    const { failures } = await second.orders.check(ownerOf("b"), undefined, given(free));
    expect(failures).toMatchObject([{ property: "promoCode", code: "PROMO_CODE_NOT_VALID" }]);
    expect(failures[0]?.reason).toContain("has 1 use left");
    expect(failures[0]?.reason).toContain("this run plans 2");
  });

  test("is not planned too often if both ask at the same moment", async () => {
    const { first, second } = offer(1);
    const checks = await Promise.all([
      first.orders.check(ownerOf("a"), undefined, given(free)),
      second.orders.check(ownerOf("b"), undefined, given(free)),
    ]);
    expect(checks.flatMap(({ failures }) => failures).length).toBeGreaterThan(0);
  });

  test("is counted once if the other one used it before this one read the list", async () => {
    const { first, second, uses } = offer(2);
    await first.buy("a", free);
    uses.left = 1;
    expect((await second.plan("b", free)).quote.effect).toBe("buy");
    const { failures } = await second.orders.check(ownerOf("c"), undefined, given(free));
    expect(failures.map(({ reason }) => reason).join()).toContain("this run plans 3");
  });

  test("is free again when the other one drops it or is refused", async () => {
    const { first, second } = offer(1);
    await first.plan("a", free);
    expect((await second.orders.check(ownerOf("b"), undefined, given(free))).failures).toHaveLength(
      1,
    );
    await first.plan("a", {});
    expect((await second.plan("b", free)).quote.effect).toBe("buy");
  });

  test("does not count for another account or another run", async () => {
    const { first } = offer(1);
    await first.plan("a", free);
    const { service } = first;
    const others = [
      { run: here, apiKey: "key-of-b" },
      { run: runAt("127.0.0.1:5000"), apiKey: "key-of-a" },
    ];
    for (const other of others) {
      const run = beginRun({ ...other, service, besideOthers: true });
      expect((await run.plan("b", free)).quote.effect).toBe("buy");
    }
  });

  test("leads to a new price request if the other one has bought meanwhile", async () => {
    const { first, second } = offer(2);
    const planned = [await first.plan("a", free), await second.plan("b", free)] as const;
    const { service } = first;
    // The first one takes the last use after the second one's price was asked for, and before the second one's turn.
    service.before.calculateOrder = async (request) => {
      delete service.before.calculateOrder;
      const told = await service.calculateOrder(request);
      await first.orders.create(planned[0]);
      service.calculated = { promoCodeStatus: "NOT_VALID", discount: 0, price: 7 };
      return told;
    };
    const failure = await failureOf(second.orders.create(planned[1]));
    expect(failure.code).toBe("PROMO_CODE_NOT_VALID");
    expect(service.calls.createOrder).toBe(1);
  });
});

describe("the automatic extensions that two providers of one run declare", () => {
  const other = "org/urn:pulumi:dev::fleet::proxyrental:IpAutoExtend::other";

  function two(run = here, apiKey = "key-of-a", more: Parameters<typeof beginRenewals>[0] = {}) {
    const first = beginRenewals({ run: here, apiKey: "key-of-a", ...more });
    const second = beginRenewals({ run, apiKey, service: first.service, besideOthers: true });
    return { first, second };
  }

  test("fail check if they contradict each other, and the error names both", async () => {
    const { first, second } = two();
    await first.plan();
    const wanted = renewed({ autoExtend: false });
    const { failures } = await second.renewals.check(other, undefined, wanted);
    expect(failures).toMatchObject([{ property: "ipAddressIds" }]);
    expect(failures[0]?.reason).toContain("renewal declares to be extended by 30 days");
  });

  test("fail at least one check if both run at the same moment", async () => {
    const { first, second } = two();
    const checks = await Promise.all([
      first.renewals.check(renewalOwner, undefined, renewed()),
      second.renewals.check(other, undefined, renewed({ rentPeriodDays: 90 })),
    ]);
    expect(checks.flatMap(({ failures }) => failures).length).toBeGreaterThan(0);
  });

  test("stay on if the deleting process has not met the declaring one", async () => {
    const before = beginRenewals({ run: runAt("127.0.0.1:3000"), apiKey: "key-of-a" });
    const { state } = await before.switchOn();
    const { first, second } = two(here, "key-of-a", { service: before.service });
    const wanted = renewed({ ipAddressIds: ["ip-1"] });
    const { checked } = await second.renewals.check(other, undefined, wanted);
    await second.renewals.create(checked);
    first.service.switches = [];
    await first.renewals.delete(state);
    expect(first.renewing()).toEqual({ "ip-1": 30 });
  });

  test.each([
    ["another account", here, "key-of-b"],
    ["another run", runAt("127.0.0.1:5000"), "key-of-a"],
  ])("do not count for %s", async (_whose, run, apiKey) => {
    const { first, second } = two(run, apiKey);
    await first.plan();
    const wanted = renewed({ autoExtend: false });
    expect((await second.renewals.check(other, undefined, wanted)).failures).toEqual([]);
  });
});

test("an end that the refreshing process read from the state binds the updating one", async () => {
  const bought = await beginRun().buy();
  const { service } = beginRun();
  service.records = bought.state.proxies.map((_, number) => record("7000", number + 1));
  const refresh = beginRun({ run: here, service });
  const later = { dateEnd: "2026-06-30T00:00:00.000Z" };
  const proxies = service.records.map((listed) => ({ ...listed, ...later }));
  const { state } = bought;
  const recorded = {
    ...state,
    proxies: state.proxies.map((one, n) => ({ ...one, ...proxies[n] })),
  };
  await refresh.orders.diff(recorded, bought.inputs, new Set());
  const update = beginExtensions({ run: here, service, besideOthers: true });
  const checked = update.extensions.check(extensionOwner, undefined, extended());
  expect((await failureOf(checked)).code).toBe("LISTING_INCONSISTENT");
});

test("a call made while another one reads the records gets everything already told", async () => {
  const teller = beginRun({ run: here });
  const { account, journal } = beginRun({ run: here, service: teller.service, besideOthers: true });
  const { memory } = journal;
  const delays = [50];
  const hear = async () => {
    const delayMs = delays.pop() ?? 0;
    const facts = await memory.hear();
    await sleep(delayMs);
    return facts;
  };
  const listener = openAccount({
    ...account,
    journal: { ...journal, memory: { ...memory, hear } },
  });
  await teller.plan();
  const first = listener.hearOthers();
  await sleep(10);
  await listener.hearOthers();
  expect(listener.spendLimit.planned()).toBe(7);
  await first;
});
