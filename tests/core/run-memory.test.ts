import { describe, expect, test } from "vitest";
import type { RunIdentity } from "../../provider/core/run-identity.ts";
import { serviceFailure } from "./fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "./orders-under-test.ts";

/** Processes that the engine at this address has started. */
function runAt(address: string): RunIdentity {
  return { run: address, command: "up", phase: () => "update" };
}

const here = runAt("127.0.0.1:4000");

/** Two explicit providers of one program, each in a process of its own. */
function twoProviders(settings: { maxSpend?: number } = {}, run = here) {
  const apiKey = "key-of-a";
  const first = beginRun({ run, apiKey, settings });
  const second = beginRun({
    ...{ run, apiKey, settings, service: first.service, besideOthers: true },
  });
  return { first, second };
}

describe("two providers of one run", () => {
  test("plan no more together than maxSpend", async () => {
    const { first, second } = twoProviders({ maxSpend: 10 });
    await first.plan("a");
    const { failures } = await second.orders.check(ownerOf("b"), undefined, given());
    expect(failures.map(({ reason }) => reason).join()).toContain("come to 14.00 USD");
  });

  test("spend no more together than maxSpend, also where neither has planned the other's", async () => {
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

  test("plan no more together than the balance", async () => {
    const { first, second } = twoProviders();
    first.service.balance = 10;
    await first.plan("a");
    const { failures } = await second.orders.check(ownerOf("b"), undefined, given());
    expect(failures.map(({ reason }) => reason).join()).toContain("but the balance is 10.00 USD");
  });

  test("stop together when the outcome of one purchase is not known", async () => {
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

  test("count nothing of another account, nor of another run", async () => {
    const { first } = twoProviders({ maxSpend: 10 });
    await first.plan("a");
    const others = [
      { run: here, apiKey: "key-of-b" },
      { run: runAt("127.0.0.1:5000"), apiKey: "key-of-a" },
    ];
    for (const other of others) {
      const settings = { maxSpend: 10 };
      const run = beginRun({ ...other, settings, service: first.service, besideOthers: true });
      expect((await run.plan("b")).quote.effect).toBe("buy");
    }
  });
});

describe("a paid order that the process which refreshes has met", () => {
  test("is not replaced by the process that updates, which was told nothing of it by the engine", async () => {
    const { service, buy } = beginRun();
    const { state } = await buy();
    const refresh = beginRun({ run: here, service });
    await refresh.orders.read(state);
    const update = beginRun({ run: here, service, besideOthers: true });
    const { failures } = await update.orders.check(ownerOf("fleet"), undefined, given());
    expect(failures.map(({ property }) => property)).toEqual(["allowReplacement"]);
    expect(service.calls.createOrder).toBe(1);
  });

  test("is no obstacle to another process of the run once it was seen to have ended", async () => {
    const { service, buy } = beginRun();
    const { state } = await buy();
    const refresh = beginRun({ run: here, service });
    await refresh.orders.read(state);
    service.now = new Date("2027-03-01T00:00:00Z");
    const again = beginRun({ run: here, service, besideOthers: true });
    expect((await again.orders.read(state)).kind).toBe("gone");
    const update = beginRun({ run: here, service, besideOthers: true });
    expect((await update.plan()).quote.effect).toBe("buy");
  });
});
