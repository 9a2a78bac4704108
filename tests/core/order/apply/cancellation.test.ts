import { expect, test } from "vitest";
import { pause } from "../../../../provider/core/account/cancellation.ts";
import { DeliveryPendingError } from "../../../../provider/core/order/apply/delivery.ts";
import type { Fault } from "../../../../simulator/index.ts";
import { nothingSpent, ordered, spendingOf } from "../../../support/spending.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";
import { setStage } from "../../support/cancellable-runs.ts";
import { failureOf, given } from "../../support/orders-under-test.ts";

const HOUR_MS = 3_600_000;

test("a wait ends when the run is cancelled, and at once if it was cancelled before", async () => {
  const cancellation = new AbortController();
  const clock = { ...createVirtualClock(), sleep: () => new Promise<void>(() => undefined) };
  const waiting = pause({ clock, cancelled: cancellation.signal }, HOUR_MS);
  cancellation.abort();
  await waiting;
  await pause({ clock, cancelled: cancellation.signal }, HOUR_MS);
});

test("without a cancel a wait lasts its full time, and fails if the clock fails", async () => {
  const { signal: cancelled } = new AbortController();
  const clock = createVirtualClock();
  await pause({ clock, cancelled }, HOUR_MS);
  expect(clock.elapsedMs()).toBe(HOUR_MS);
  const broken = { ...clock, sleep: () => Promise.reject(new Error("no time")) };
  await expect(pause({ clock: broken, cancelled }, 1)).rejects.toThrow("no time");
});

test("a cancelled run buys nothing, and a later run buys what was planned", async () => {
  const { simulator, beginRun } = await setStage();
  let written = 0;
  const run = beginRun({
    store: (real) => ({
      ...real,
      async create(intent) {
        written += 1;
        return real.create(intent);
      },
    }),
  });
  const planned = await run.plan("fleet");
  run.cancel();
  for (const _ of [1, 2]) {
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("RUN_CANCELLED");
    expect(failure.message).toContain("This purchase was not sent. Run again.");
  }
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  expect(written).toBe(0);

  const next = beginRun();
  await next.orders.create(await next.plan("fleet"));
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

test("the order under way is finished, and the waiting ones behind it are not sent", async () => {
  const { simulator, beginRun } = await setStage();
  const run = beginRun();
  const planned = await Promise.all(["a", "b", "c"].map((name) => run.plan(name)));
  const fault: Fault = { kind: "act", run: run.cancel };
  simulator.addFault({ endpoint: "createOrder", phase: "before", fault });
  const outcomes = await Promise.allSettled(planned.map((inputs) => run.orders.create(inputs)));
  expect(outcomes).toMatchObject([
    {
      status: "fulfilled",
      value: { status: "active", orderNumber: simulator.orders()[0]?.orderNumber },
    },
    { status: "rejected", reason: { code: "RUN_CANCELLED" } },
    { status: "rejected", reason: { code: "RUN_CANCELLED" } },
  ]);
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(await run.phases()).toEqual(["returned"]);
});

test("nothing is sent when the run is cancelled while the order is written down", async () => {
  const { simulator, beginRun } = await setStage();
  const run = beginRun({
    store: (real) => ({
      ...real,
      async create(intent) {
        run.cancel();
        return real.create(intent);
      },
    }),
  });
  const planned = await run.plan("fleet");
  const failure = await failureOf(run.orders.create(planned));
  expect(failure.code).toBe("RUN_CANCELLED");
  expect(spendingOf(simulator)).toEqual(nothingSpent);
  expect(await run.phases()).toEqual([]);
});

test("a cancelled run watches an unanswered order to its end", async () => {
  const { simulator, beginRun } = await setStage({ deliveryDelayMs: 10_000 });
  const run = beginRun();
  const planned = await run.plan("fleet");
  const cancel: Fault = { kind: "act", run: run.cancel };
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: cancel });
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault: { kind: "reset" } });
  const state = await run.orders.create(planned);
  expect(state.orderIds).toEqual([simulator.orders()[0]?.orderId]);
  expect(state.status).toBe("active");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(await run.phases()).toEqual(["returned"]);
});

test("a wait for delivery ends, the paid order is saved, and the next update completes it", async () => {
  const { simulator, clock, beginRun } = await setStage({ deliveryDelayMs: HOUR_MS });
  const run = beginRun();
  const planned = await run.plan("fleet");
  // When the second look is asked for, the first one is over.
  const fault: Fault = { kind: "act", run: run.cancel };
  simulator.addFault({ endpoint: "createOrder", phase: "after", fault });
  const boughtAtMs = clock.elapsedMs();
  const failure = await failureOf(run.orders.create(planned));
  expect(failure).toBeInstanceOf(DeliveryPendingError);
  expect(failure.message).toContain("the run was cancelled. The order is saved");
  expect(clock.elapsedMs()).toBe(boughtAtMs);
  const { state } = failure as DeliveryPendingError;
  const [order] = simulator.orders();
  expect(state).toMatchObject({ status: "pendingDelivery", orderNumber: order?.orderNumber });
  expect(await run.phases()).toEqual(["returned"]);

  clock.advance(HOUR_MS);
  const next = beginRun();
  expect(await next.orders.diff(state, planned, new Set())).toEqual({ kind: "update" });
  const delivered = await next.orders.update(state, planned);
  expect(delivered).toMatchObject({ status: "active", ipAddressIds: order?.ipAddressIds });
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
  expect(await next.phases()).toEqual(["confirmed"]);
});

test("a cancel ends a wait for delivery that has begun", async () => {
  const { simulator, clock, beginRun } = await setStage({ deliveryDelayMs: HOUR_MS });
  const run = beginRun();
  const planned = await run.plan("fleet");
  let sleeping = false;
  const { sleep } = clock;
  clock.sleep = (ms) => {
    if (ms < 500) return sleep(ms);
    sleeping = true;
    return new Promise<void>(() => undefined);
  };
  const creating = failureOf(run.orders.create(planned));
  await expect.poll(() => sleeping).toBe(true);
  run.cancel();
  expect(await creating).toMatchObject({ code: "DELIVERY_PENDING" });
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});

test("a change of quantity buys nothing in a cancelled run, and the state stays", async () => {
  const { simulator, beginRun } = await setStage();
  const run = beginRun();
  const inputs = await run.plan("fleet");
  const state = await run.orders.create(inputs);
  const next = beginRun();
  const { checked } = await next.orders.check(state.owner, inputs, given({ quantity: 7 }));
  next.cancel();
  expect((await failureOf(next.orders.update(state, checked))).code).toBe("RUN_CANCELLED");
  expect(spendingOf(simulator)).toEqual(ordered("7.00"));
});
