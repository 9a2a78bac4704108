import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairByTime } from "../../../../provider/core/order/apply/pairing.ts";
import type { OrderIntent } from "../../../../provider/core/records/intent.ts";
import { phasesOf } from "../../../journals/file/killed-runs.ts";
import { afterSending, listedOrder, orderIntent } from "../../records/intents.ts";
import { type FakeService, record, serviceFailure } from "../../support/fake-service.ts";
import { beginRun, failureOf } from "../../support/orders-under-test.ts";

/** A service that gives an order one number when it is bought, and another number in the listing. */
function renumber(service: FakeService, deliver: (rows: (() => void)[]) => void = runAll): void {
  let sold = 0;
  service.before.createOrder = async (request) => {
    const number = sold++;
    service.orders.push({ orderNumber: `${5000 + number}`, request });
    service.balance -= service.unitPrice * request.quantity;
    const rows = Array.from({ length: request.quantity }, (_, n) => () => {
      service.records.push(record(`L-${number}`, 10 * number + n + 1));
    });
    deliver(rows);
    return {
      orderNumber: `${5000 + number}`,
      promoCodeStatus: null,
      balance: service.balance,
    };
  };
}

function runAll(rows: (() => void)[]): void {
  for (const row of rows) row();
}

const twelve = Array.from({ length: 12 }, (_, n) => `n${n}`);

describe("orders listed under another number than they were bought by", () => {
  test("are found, also by a later run", async () => {
    const run = beginRun();
    renumber(run.service);
    const { inputs, state } = await run.buy();
    expect(state).toMatchObject({ orderNumber: "5000", orderIds: ["L-0"], status: "active" });
    const next = beginRun({ service: run.service });
    expect(await next.orders.read(state)).toMatchObject({ kind: "present", state });
    expect(await next.orders.diff(state, inputs, new Set())).toEqual({ kind: "none" });
    expect((await next.buy("other")).state.orderIds).toEqual(["L-1"]);
  });

  test("go to the right resources if twelve alike are bought one after the other", async () => {
    const run = beginRun();
    renumber(run.service);
    const ids = [];
    for (const name of twelve) ids.push((await run.buy(name)).state.orderIds);
    expect(ids).toEqual(twelve.map((_, n) => [`L-${n}`]));
    expect(run.service.calls.createOrder).toBe(12);
  });

  test("go to the right resources if twelve alike are bought at the same time", async () => {
    const run = beginRun();
    renumber(run.service);
    const planned = await Promise.all(twelve.map((name) => run.plan(name)));
    const states = await Promise.all(planned.map((inputs) => run.orders.create(inputs)));
    expect(new Set(states.flatMap(({ orderIds }) => orderIds)).size).toBe(12);
    for (const { orderNumber, orderIds, ipAddressIds } of states) {
      expect(orderIds).toEqual([`L-${Number(orderNumber) - 5000}`]);
      expect(ipAddressIds).toHaveLength(5);
    }
    expect(run.service.calls.createOrder).toBe(12);
  });

  test("go to the right resources if their proxies arrive a few at a time", async () => {
    const waiting: (() => void)[] = [];
    const run = beginRun({ onWait: () => waiting.splice(0, 7).forEach((row) => void row()) });
    renumber(run.service, (rows) => waiting.push(...rows));
    const names = twelve.slice(0, 4);
    const planned = await Promise.all(names.map((name) => run.plan(name)));
    const states = await Promise.all(planned.map((inputs) => run.orders.create(inputs)));
    for (const { orderNumber, orderIds, status } of states) {
      expect([orderIds, status]).toEqual([[`L-${Number(orderNumber) - 5000}`], "active"]);
    }
  });

  test("are not mistaken for a purchase without an answer", async () => {
    const run = beginRun();
    renumber(run.service);
    const { createOrder } = run.service.before;
    const [first, second] = [await run.plan("first"), await run.plan("second")];
    run.service.before.createOrder = async (request) => {
      if (run.service.calls.createOrder === 2) throw serviceFailure("unknown");
      return createOrder?.(request);
    };
    const [bought, lost] = await Promise.all([
      run.orders.create(first),
      failureOf(run.orders.create(second)),
    ]);
    expect(bought.orderIds).toEqual(["L-0"]);
    // Both outcomes are right here. Only one answer would be wrong: that both are the same order.
    expect(["ORDER_NOT_PLACED", "ORDER_OUTCOME_UNKNOWN"]).toContain(lost.code);
    expect(lost.message).toContain("PROXYRENTAL_CALLS=FILE");
    expect(run.service.orders).toHaveLength(1);
    expect(await phasesOf(run)).not.toContain("placed");
  });

  test("are not mistaken for a purchase without an answer if they are listed late", async () => {
    const waiting: (() => void)[] = [];
    const deliverLate = (waits: number) => waits >= 40 && runAll(waiting.splice(0));
    const run = beginRun({ onWait: deliverLate });
    renumber(run.service, (rows) => waiting.push(...rows));
    const { createOrder } = run.service.before;
    const [first, second] = [await run.plan("first"), await run.plan("second")];
    run.service.before.createOrder = async (request) => {
      if (run.service.calls.createOrder === 2) throw serviceFailure("unknown");
      return createOrder?.(request);
    };
    expect((await failureOf(run.orders.create(first))).code).toBe("DELIVERY_PENDING");
    const lost = await failureOf(run.orders.create(second));
    expect(lost.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(lost.message).toContain("may as well be order 5000");
    expect(run.service.orders).toHaveLength(1);
  });
});

function bought(orderNumber: string, seconds: number): OrderIntent {
  const sentAt = afterSending(seconds).toISOString();
  return orderIntent({ id: orderNumber, phase: "placed", orderNumber, sentAt });
}

const listed = (orderId: string, seconds: number) =>
  listedOrder(orderId, { startedAt: afterSending(seconds) });

const nobodys: ReadonlySet<string> = new Set();

describe("which listed order belongs to which purchase", () => {
  test("follows from the order in which they were sent and began", () => {
    const pairs = pairByTime(
      [bought("5001", 10), bought("5000", 0)],
      [listed("L-b", 11), listed("L-a", 1)],
      nobodys,
    );
    expect([...pairs].sort()).toEqual([
      ["5000", "L-a"],
      ["5001", "L-b"],
    ]);
  });

  test("follows from the journal's sequence, whatever the clocks say", () => {
    const pairs = pairByTime(
      [
        { ...bought("5001", 0), sequence: 8 },
        { ...bought("5000", 3), sequence: 7 },
      ],
      [listed("L-b", 5), listed("L-a", 4)],
      nobodys,
    );
    expect([...pairs].sort()).toEqual([
      ["5000", "L-a"],
      ["5001", "L-b"],
    ]);
  });

  test("is not guessed if they began in the same second and their ids do not count up", () => {
    const purchases = [bought("5000", 0), bought("5001", 10)];
    expect(pairByTime(purchases, [listed("3f-a", 1), listed("0c-b", 1)], nobodys).size).toBe(0);
  });

  test("follows from their numbers if they were sent in the same second", () => {
    const pairs = pairByTime(
      [bought("10000", 0), bought("9999", 0)],
      [listed("L-10", 1), listed("L-9", 1)],
      nobodys,
    );
    expect([...pairs].sort()).toEqual([
      ["10000", "L-10"],
      ["9999", "L-9"],
    ]);
  });

  test("stays open if they were sent in the same second and one number is unknown", () => {
    const { orderNumber: _lost, ...unheard } = bought("5001", 0);
    const orders = [listed("L-a", 1), listed("L-b", 1)];
    expect(pairByTime([bought("5000", 0), unheard], orders, nobodys).size).toBe(0);
  });

  test.each([
    ["one is not listed yet", [listed("L-a", 1)], nobodys],
    ["somebody else has bought a similar one", [1, 2, 3].map((n) => listed(`L-${n}`, n)), nobodys],
    ["one belongs to another purchase", [listed("L-a", 1), listed("L-b", 11)], new Set(["L-b"])],
    ["both began before the second was sent", [listed("L-a", 1), listed("L-b", 2)], nobodys],
  ])("stays open while %s", (_what, orders, claimed) => {
    const pairs = pairByTime([bought("5000", 0), bought("5001", 10)], orders, claimed);
    expect(pairs.size).toBe(0);
  });

  test("is one for each and never the same for two, whatever is listed", () => {
    const seconds = fc.integer({ min: 0, max: 60 });
    const world = fc.tuple(
      fc.uniqueArray(seconds, { minLength: 1, maxLength: 5 }),
      fc.array(seconds, { maxLength: 6 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(world, ([sent, begun, claimed]) => {
        const taken = new Set(claimed.map((n) => `L-${n}`));
        const pairs = pairByTime(
          sent.map((at, n) => bought(`${5000 + n}`, at)),
          begun.map((at, n) => listed(`L-${n}`, at)),
          taken,
        );
        if (pairs.size === 0) return;
        expect(pairs.size).toBe(sent.length);
        expect(new Set(pairs.values()).size).toBe(sent.length);
        for (const orderId of pairs.values()) expect(taken).not.toContain(orderId);
      }),
      { numRuns: 1_000 },
    );
  });
});
