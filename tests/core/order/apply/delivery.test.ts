import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../../provider/client/index.ts";
import { DeliveryPendingError } from "../../../../provider/core/order/apply/delivery.ts";
import { failListingsAfterOrder, serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../../support/orders-under-test.ts";

/** Buys an order that is not delivered in time. Returns what the engine would save. */
async function buyPending(run: Run, args = {}) {
  const inputs = await run.plan("fleet", args);
  const failure = await failureOf(run.orders.create(inputs));
  if (!(failure instanceof DeliveryPendingError)) throw failure;
  return { inputs, state: failure.state, message: failure.message };
}

describe("a slow delivery", () => {
  test("is waited for, at growing intervals", async () => {
    const run = beginRun({
      service: { deliverAtOnce: 2 },
      onWait: (waits) => {
        if (waits === 5) run.service.deliverAll();
      },
    });
    const { state } = await run.buy();
    expect(state.status).toBe("active");
    expect(state.proxies).toHaveLength(5);
    expect(run.clock.waits).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(run.log.lines).toContain("order 7000: 2 of 5 proxies have arrived, waiting");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test.each([
    [undefined, 120],
    [10, 10],
    [600, 600],
  ])(
    "is given up after its timeout (%s: %i s), never later",
    async (deliveryTimeoutSeconds, seconds) => {
      const run = beginRun({ service: { deliverAtOnce: 0 } });
      await buyPending(run, { deliveryTimeoutSeconds });
      const waitedMs = run.clock.waits.reduce((sum, ms) => sum + ms, 0);
      expect(waitedMs).toBeLessThanOrEqual(seconds * 1_000);
      expect(waitedMs).toBeGreaterThan(seconds * 1_000 - 5_001);
    },
  );

  test("is waited for even if the listing fails, because the order is paid", async () => {
    const run = beginRun({
      onWait: (waits) => {
        if (waits === 2) delete run.service.before.listProxies;
      },
    });
    failListingsAfterOrder(run.service, serviceFailure("rejected"));
    expect((await run.buy()).state.status).toBe("active");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("is not waited for if the key is rejected", async () => {
    const run = beginRun();
    const facts = { code: "API_KEY_REJECTED", outcome: "rejected", endpoint: "" } as const;
    failListingsAfterOrder(
      run.service,
      new ServiceError({ ...facts, message: "the service rejected the API key" }),
    );
    const { state, message } = await buyPending(run);
    expect(state).toMatchObject({ orderNumber: "7000", status: "pendingDelivery" });
    expect(message).toContain("rejected the API key");
    expect(run.clock.waits).toEqual([]);
  });
});

describe("an order with only some proxies delivered", () => {
  test("is saved with order number, purchase and delivered proxies", async () => {
    const run = beginRun({ service: { deliverAtOnce: 3 } });
    const { state, message } = await buyPending(run);
    expect(state).toMatchObject({ orderNumber: "7000", status: "pendingDelivery" });
    expect(state.purchases).toHaveLength(1);
    expect(state.ipAddressIds).toEqual(["ip-1", "ip-2", "ip-3"]);
    expect(message).toContain("is paid, but 3 of its 5 proxies have arrived");
    expect(message).toContain("Nothing will be bought again");
  });

  test("is a change for diff, and an update finishes it and buys nothing", async () => {
    const first = beginRun({ service: { deliverAtOnce: 3 } });
    const { inputs, state } = await buyPending(first);
    const next = beginRun({ service: first.service });
    const { checked } = await next.orders.check(ownerOf("fleet"), inputs, given());
    expect(await next.orders.diff(state, checked, new Set())).toEqual({ kind: "update" });
    first.service.deliverAll();
    const finished = await next.orders.update(state, checked);
    expect(finished).toMatchObject({ status: "active", quote: inputs.quote });
    expect(finished.proxies).toHaveLength(5);
    expect(await next.orders.diff(finished, checked, new Set())).toEqual({ kind: "none" });
    expect(first.service.calls).toMatchObject({ createOrder: 1, calculateOrder: 2 });
  });

  test("stays pending through a read, even if all proxies have arrived", async () => {
    const first = beginRun({ service: { deliverAtOnce: 3 } });
    const { inputs, state } = await buyPending(first);
    first.service.deliverAll();
    const next = beginRun({ service: first.service });
    const found = await next.orders.read(state);
    expect(found).toMatchObject({ kind: "present", state: { status: "pendingDelivery" } });
    const { checked } = await next.orders.check(ownerOf("fleet"), inputs, given());
    expect(
      await next.orders.diff(found.kind === "present" && found.state, checked, new Set()),
    ).toEqual({
      kind: "update",
    });
  });

  test("fails each update, with the proxies so far, until all have arrived", async () => {
    const first = beginRun({ service: { deliverAtOnce: 3 } });
    const { inputs, state } = await buyPending(first);
    const failure = await failureOf(
      beginRun({ service: first.service }).orders.update(state, inputs),
    );
    expect(failure).toBeInstanceOf(DeliveryPendingError);
    expect(failure).toHaveProperty("state.status", "pendingDelivery");
    expect(first.service.calls.createOrder).toBe(1);
  });

  test("refuses another quantity until then", async () => {
    const first = beginRun({ service: { deliverAtOnce: 3 } });
    const { inputs, state } = await buyPending(first);
    const { orders } = beginRun({ service: first.service });
    const { checked } = await orders.check(ownerOf("fleet"), inputs, given({ quantity: 9 }));
    await expect(orders.diff(state, checked, new Set())).rejects.toThrow(
      "while the delivery of order 7000 is pending",
    );
  });
});

test("an update of a delivered order records the edit and makes no request", async () => {
  const first = beginRun();
  const { inputs, state } = await first.buy();
  const { orders, service } = beginRun();
  const { checked } = await orders.check(ownerOf("fleet"), inputs, given({ maxPrice: 5 }));
  expect(await orders.update(state, checked)).toEqual({ ...state, maxPrice: 5 });
  expect(Object.values(service.calls).every((count) => count === 0)).toBe(true);
});

test("an argument that the program no longer has leaves the state", async () => {
  const run = beginRun({ service: { deliverAtOnce: 0 } });
  const { inputs, state } = await buyPending(run, { deliveryTimeoutSeconds: 10, maxPrice: 50 });
  run.service.deliverAll();
  const { deliveryTimeoutSeconds: _timeout, maxPrice: _cap, ...edited } = inputs;
  const finished = await run.orders.update(state, { ...edited, goal: "other" });
  expect(finished).toMatchObject({ status: "active", goal: "other", quote: state.quote });
  expect(finished.deliveryTimeoutSeconds).toBeUndefined();
  expect(finished.maxPrice).toBeUndefined();
});
