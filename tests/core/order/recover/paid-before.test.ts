import { describe, expect, test } from "vitest";
import type { DeliveryPendingError } from "../../../../provider/core/order/apply/delivery.ts";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import {
  type LeftPurchase,
  type Obstacle,
  standsInTheWay,
} from "../../../../provider/core/order/recover/left-purchase.ts";
import type { RunIdentity } from "../../../../provider/core/ports.ts";
import type { OrderIntent } from "../../../../provider/core/records/intent.ts";
import {
  buyAndDie,
  countReadings,
  expectOneOrder,
  phasesOf,
  reasonsOf,
} from "../../../journals/file/killed-runs.ts";
import { orderIntent } from "../../records/intents.ts";
import { setStage } from "../../support/cancellable-runs.ts";
import { AFTER_END, moveEnds, WHILE_PAID } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

const DAY_MS = 86_400_000;

describe("an order that was bought between a plan and its purchase is not bought again", () => {
  test("by a run that waited for its turn, or was cancelled and still runs", async () => {
    const first = beginRun();
    const planned = await first.plan();
    const second = beginRun({ service: first.service, besideOthers: true });
    await second.buy();
    const failure = await failureOf(first.orders.create(planned));
    expect(failure.code).toBe("ORDER_MAY_BE_PAID");
    expect(failure.message).toContain("order 7000");
    expect(failure.message).toContain("This purchase was not sent");
    expectOneOrder(first.service);
  });

  test("even if the other run was killed before it knew the result", async () => {
    const first = beginRun();
    const planned = await first.plan();
    await buyAndDie("sending", { run: beginRun({ service: first.service, besideOthers: true }) });
    const failure = await failureOf(first.orders.create(planned));
    expect(failure.code).toBe("ORDER_MAY_BE_PAID");
    expectOneOrder(first.service);
  });

  test("unless it has ended by a listing that is read for this purchase", async () => {
    const { service, buy } = beginRun();
    await buy();
    service.now = AFTER_END;
    const next = beginRun({ service });
    expect((await next.buy()).state.orderNumber).toBe("7001");
  });
});

test("the journal is read once for a purchase, however long it is", async () => {
  const run = beginRun();
  const planned = await run.plan();
  const readings = countReadings(run);
  await run.orders.create(planned);
  expect(readings()).toBe(1);
});

describe("a run and a later run of its stack", () => {
  async function twoRuns(run: Parameters<typeof beginRun>[0] = {}) {
    const cancelled = beginRun(run);
    const planned = await cancelled.plan("old");
    const next = beginRun({ ...run, service: cancelled.service, besideOthers: true });
    return { cancelled, planned, next, service: cancelled.service };
  }

  test.each([
    ["the same is bought, and it goes on", {}, true, "ORDER_MAY_BE_PAID"],
    ["the same is bought, and it has ended in order", {}, false, "BUYING_STOPPED"],
    ["something else is bought, and it goes on", { country: "DEU" }, true, "BUYING_STOPPED"],
    [
      "something else is bought, and it has ended in order",
      { country: "DEU" },
      false,
      "BUYING_STOPPED",
    ],
  ])(
    "the earlier run buys nothing more under an old name: in the later run %s",
    async (_what, args, isAlive, code) => {
      const { cancelled, planned, next, service } = await twoRuns();
      await next.buy("new", args);
      if (!isAlive) beginRun({ service });
      const failure = await failureOf(cancelled.orders.create(planned));
      expect(failure.code).toBe(code);
      expect(failure.message).toContain("another run of this stack");
      expect(failure.message).toContain("new");
      expectOneOrder(service);
    },
  );

  test("a run of another checkout does not count as a later run, because its stack may only share the name", async () => {
    const first = beginRun();
    const planned = await first.plan("ours");
    const { service } = first;
    await beginRun({ service, besideOthers: true, project: "/elsewhere" }).buy("theirs", {
      country: "DEU",
    });
    await first.orders.create(planned);
    expect(service.calls.createOrder).toBe(2);
  });

  test("another process of the same run does not count as a later run", async () => {
    const identity: RunIdentity = { run: "127.0.0.1:1", command: "up", phase: () => "update" };
    const { cancelled, planned, next, service } = await twoRuns({ run: identity, apiKey: "key" });
    await next.buy("new", { country: "DEU" });
    await cancelled.orders.create(planned);
    expect(service.calls.createOrder).toBe(2);
  });
});

describe("a purchase of a cancelled run that still runs", () => {
  /** A run that is cancelled, and the next run of the same stack. */
  async function twoRuns(run: Parameters<typeof beginRun>[0] = {}) {
    const cancelled = beginRun(run);
    await cancelled.plan("old");
    const next = beginRun({ ...run, service: cancelled.service, besideOthers: true });
    return { cancelled, next, buyOld: () => cancelled.buy("old") };
  }

  test("is not bought again under the new name of its resource", async () => {
    const { next, buyOld, cancelled } = await twoRuns();
    const planned = await next.plan("new");
    await buyOld();
    const failure = await failureOf(next.orders.create(planned));
    expect(failure.code).toBe("ORDER_MAY_BE_PAID");
    expect(failure.message).toContain("wait until it has ended");
    expectOneOrder(cancelled.service);
  });

  test("is not bought again without its promo code", async () => {
    const { next, cancelled } = await twoRuns();
    const planned = await next.plan("new");
    cancelled.service.calculated.promoCodeStatus = "VALID";
    await cancelled.buy("old", { promoCode: "GRATIS" });
    expect((await failureOf(next.orders.create(planned))).code).toBe("ORDER_MAY_BE_PAID");
    expectOneOrder(cancelled.service);
  });

  test.each([
    ["quantity", { quantity: 2 }],
    ["rent period", { rentPeriodDays: 90 }],
  ])("is not bought again if its %s is edited with the name", async (_what, args) => {
    const { next, buyOld, cancelled } = await twoRuns();
    const planned = await next.plan("new", args);
    await buyOld();
    expect((await failureOf(next.orders.create(planned))).code).toBe("ORDER_MAY_BE_PAID");
    expectOneOrder(cancelled.service);
    // This is also true when that run has died before its state was saved.
    cancelled.die();
    const later = beginRun({ service: cancelled.service });
    const failure = await failureOf(later.buy("new", args));
    expect(failure.message).toContain("order 7000");
    expectOneOrder(cancelled.service);
  });

  test("is named by the next preview", async () => {
    const { next, buyOld } = await twoRuns();
    await buyOld();
    await next.plan("new");
    expect(next.log.warnings.join()).toContain("another run is buying 5 IPv4");
  });

  test("does not stop others if the program still declares its resource", async () => {
    const { next, buyOld } = await twoRuns();
    await buyOld();
    await next.orders.check(ownerOf("old"), undefined, given());
    expect((await next.buy("new")).state.orderNumber).toBe("7001");
  });

  test("does not stop another stack", async () => {
    const { cancelled, next } = await twoRuns();
    const elsewhere = ownerOf("new").replace("dev", "prod");
    await cancelled.buy("old");
    const { checked, failures } = await next.orders.check(elsewhere, undefined, given());
    expect(failures).toEqual([]);
    await next.orders.create(checked as CheckedOrder);
    expect(next.service.orders).toHaveLength(2);
  });

  test("is distinguished from purchases of another provider of this run", async () => {
    const identity: RunIdentity = { run: "127.0.0.1:1", command: "up", phase: () => "update" };
    const { next, buyOld } = await twoRuns({ run: identity, apiKey: "key-of-a" });
    await buyOld();
    expect((await next.buy("new")).state.orderNumber).toBe("7001");
    expect(next.log.warnings.join()).not.toContain("another run");
  });
});

describe("an order that the state has lost", () => {
  test("stops the purchase at preview, and the error names it and says how to adopt it", async () => {
    const { service, buy, orders } = beginRun();
    const { state } = await buy();
    // A later run has seen the order in the state. After that somebody has deleted it from the state.
    const seen = beginRun({ service });
    await seen.orders.read(state);
    expect(await phasesOf(seen)).toEqual(["confirmed"]);
    service.now = new Date(WHILE_PAID.getTime() + 20 * DAY_MS);
    const reason = await reasonsOf(beginRun({ service }));
    expect(reason).toContain("order 7000");
    expect(reason).toContain("shows no state that has it");
    expect(reason).toContain('adoptOrderNumber: "7000"');
    expect(orders).toBeDefined();
    expectOneOrder(service);
  });

  test("stops the purchase even if every listing has an earlier end than was paid for", async () => {
    const { service, buy } = beginRun();
    const { state } = await buy();
    await beginRun({ service }).orders.read(state);
    service.now = new Date(WHILE_PAID.getTime() + 20 * DAY_MS);
    moveEnds(service, state.ipAddressIds, -29);
    expect(await reasonsOf(beginRun({ service }))).toContain("order 7000");
    expectOneOrder(service);
  });

  test.each([
    ["has not arrived yet", {}, 1],
    ["is listed under another number", { orderNumberDiffersFromOrderId: true }, 20],
  ])("stops the purchase even if it %s", async (_how, simulated, days) => {
    const {
      simulator,
      clock,
      beginRun: begin,
    } = await setStage({
      deliveryDelayMs: 200_000,
      ...simulated,
    });
    const first = begin();
    const failure = await failureOf(first.orders.create(await first.plan("fleet")));
    expect(failure.code).toBe("DELIVERY_PENDING");
    const { state } = failure as DeliveryPendingError;
    const second = begin();
    await second.orders.diff(state, { owner: ownerOf("fleet"), quantity: 5 }, new Set());
    expect(await second.phases()).toEqual(["confirmed"]);
    if (days > 1) clock.advance(days * DAY_MS);
    await expect(begin().plan("fleet")).rejects.toThrow("shows no state that has it");
    expect(simulator.orders()).toHaveLength(1);
  });

  test("is bought again if a person says that it is somebody else's", async () => {
    const { service, buy } = beginRun();
    await buy();
    const settings = { foreignOrders: new Set(["7000"]) };
    const { state } = await beginRun({ service, settings }).buy();
    expect(state.orderNumber).toBe("7001");
  });

  test("stops nothing if its resource was deleted: a person was told that it stays paid", async () => {
    const { service, buy } = beginRun();
    const { state } = await buy();
    const destroy = beginRun({ service });
    await destroy.orders.delete(state);
    expect(await phasesOf(destroy)).toEqual(["released"]);
    expect((await beginRun({ service }).buy()).state.orderNumber).toBe("7001");
  });

  test("is found in the journal of another name for the service", async () => {
    const { service, buy } = beginRun({ baseUrl: "http://service.test" });
    await buy();
    const elsewhere = beginRun({ service, baseUrl: "http://alias.test/" });
    expect(await reasonsOf(elsewhere)).toContain("order 7000");
    expectOneOrder(service);
  });

  test.each(["localhost", "127.0.0.1", "[::1]", "127.0.1.1"])(
    "is found in the same journal under any name for this machine: %s",
    async (host) => {
      const { service } = await buyAndDie("placed", {
        run: beginRun({ baseUrl: "http://127.0.0.1:4000" }),
      });
      const next = beginRun({ service, baseUrl: `http://${host}:4000/` });
      expect((await next.buy()).inputs.quote.effect).toBe("recover");
      expectOneOrder(service);
    },
  );
});

describe("a purchase of another account", () => {
  test("is not judged by this one's balance and listing", async () => {
    const { service } = await buyAndDie("sending", { run: beginRun({ apiKey: "key-of-a" }) });
    service.records = [];
    service.now = new Date(WHILE_PAID.getTime() + DAY_MS);
    const other = beginRun({ service, apiKey: "key-of-b" });
    expect(await reasonsOf(other)).toContain("another API key");
    expect(await phasesOf(other)).toEqual(["sending"]);
  });

  test("for another resource stops nothing", async () => {
    const { service } = await buyAndDie("sending", { run: beginRun({ apiKey: "key-of-a" }) });
    const other = beginRun({
      service,
      apiKey: "key-of-b",
      settings: { lookBackMinutes: 0 },
    });
    expect((await other.buy("other")).state.orderNumber).toBe("7001");
    expect(await phasesOf(other)).toEqual(["returned", "sending"]);
  });

  test("names its account by a fingerprint, and never by its key", async () => {
    const run = beginRun({ apiKey: "key-of-a" });
    await run.buy();
    const [intent] = await run.account.journal.readAll();
    expect(intent?.account).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify(intent)).not.toContain("key-of-a");
    const again = beginRun({ service: run.service, apiKey: "key-of-a" });
    expect(await again.account.journal.accountId()).toBe(intent?.account);
  });
});

test("purchases have a sequence, independent of clocks", async () => {
  const run = beginRun();
  await run.buy("a", { goal: "a" });
  run.service.now = new Date(WHILE_PAID.getTime() - 3_600_000);
  await run.buy("b", { goal: "b" });
  const next = beginRun({ service: run.service });
  await next.buy("c", { goal: "c" });
  const sent = (await next.account.journal.readAll()).map(({ owner, sequence }) => [
    owner,
    sequence,
  ]);
  expect(sent).toEqual(
    expect.arrayContaining([
      [ownerOf("a"), 1],
      [ownerOf("b"), 2],
      [ownerOf("c"), 3],
    ]),
  );
});

const intent = orderIntent({ owner: "fleet::b::new" });

type LeftRun = Omit<LeftPurchase, "intent" | "hasEnded" | "isElsewhere">;
type Left = [Obstacle | undefined, Partial<OrderIntent>, Partial<LeftRun>, quantity?: number];

test.each<Left>([
  ["own", { owner: "fleet::b::new" }, {}],
  ["own", { owner: "fleet::b::new" }, { isAlive: true, isOurAccount: false }],
  ["unknown", { phase: "sending" }, {}],
  ["unknown", { phase: "unknown" }, {}],
  [undefined, { phase: "sending" }, { isAlive: true }],
  [undefined, { phase: "sending" }, { isOurAccount: false }],
  ["orphaned", { phase: "placed" }, {}],
  ["orphaned", { phase: "returned" }, {}],
  [undefined, { phase: "placed" }, { isAlive: true }],
  ["underWay", { phase: "sending", owner: "fleet::b::old" }, { isAlive: true }],
  ["underWay", { phase: "placed", owner: "fleet::b::old" }, { isAlive: true }],
  ["underWay", { phase: "returned", owner: "fleet::b::old" }, { isAlive: true }],
  [undefined, { phase: "returned", owner: "fleet::b::old" }, { isAlive: true, isSavedByEnd: true }],
  [undefined, { phase: "placed", owner: "fleet::b::old" }, { isAlive: true, isOurAccount: false }],
  [undefined, { phase: "returned" }, { isSavedByEnd: true }],
  [undefined, { phase: "confirmed" }, {}],
  ["orphaned", { phase: "placed" }, {}, 3],
  ["mayBeOrphaned", { phase: "unknown" }, {}, 3],
  ["mayBeOrphaned", { phase: "sending" }, {}, 3],
  [undefined, { phase: "sending" }, { isAlive: true }, 3],
])("stops a purchase as %s: %o %o %o", (how, about, run, quantity) => {
  const left = {
    intent: { ...intent, owner: "other", ...about },
    ...{ isAlive: false, isSavedByEnd: false, isOurAccount: true, ...run },
  };
  const { request } = intent.purchase;
  const wanted = {
    owner: "fleet::b::new",
    request: { goal: "", authType: "LOGIN" as const, ...request },
  };
  const same = {
    ...left,
    intent: { ...left.intent, purchase: { ...intent.purchase, request: wanted.request } },
  };
  const edited = { ...wanted, request: { ...wanted.request, ...(quantity && { quantity }) } };
  expect(standsInTheWay(same, edited)).toBe(how);
});
