import { describe, expect, test } from "vitest";
import type { DeliveryPendingError } from "../../../../provider/core/order/apply/delivery.ts";
import { isOrderIntent, type OrderIntent } from "../../../../provider/core/records/intent.ts";
import {
  buyAndDie,
  dieBeforeSending,
  expectOneOrder,
  phasesOf,
  reasonsOf,
} from "../../../journals/file/killed-runs.ts";
import { AFTER_END, serviceFailure, showInstead, WHILE_PAID } from "../../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf } from "../../support/orders-under-test.ts";

/** Providers of one program, each in its own process. */
const severalProcesses = {
  run: { run: "127.0.0.1:4000", command: "up", phase: () => "update" as const },
  apiKey: "key-of-a",
} as const;

test("an order recovered weeks later ends with its paid period", async () => {
  const { service, inputs } = await buyAndDie("sending");
  service.now = new Date("2026-03-29T00:00:00Z");
  const later = beginRun({ service });
  const state = await later.orders.create(await later.plan());
  const { requestId } = inputs;
  expect(state.purchases).toMatchObject([{ requestId, at: "2026-03-01T00:00:01.000Z" }]);
  service.now = AFTER_END;
  service.records = [];
  expect(await beginRun({ service }).orders.read(state)).toEqual({ kind: "gone" });
});

test("the recovery of an abandoned purchase says what became of it", async () => {
  const { service } = await buyAndDie("sending");
  const later = beginRun({ service });
  await later.plan();
  expect(later.log.lines.join("\n")).toMatch(/^that earlier run has bought order 7000$/m);
  expect(later.log.lines.join("\n")).toMatch(/may have bought .* \(purchase \w{12}-1\); looking/);

  const unsent = await dieBeforeSending();
  const next = beginRun({ service: unsent.service });
  await next.plan();
  expect(next.log.lines.join("\n")).toMatch(/^that earlier run has bought nothing$/m);
});

test("a known order is recovered beside an unknown purchase like it", async () => {
  const run = beginRun();
  const { service } = await buyAndDie("placed", { run, name: "known" });
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    service.balance -= 1;
    throw serviceFailure("unknown");
  };
  expect((await failureOf(run.buy("lost"))).code).toBe("ORDER_OUTCOME_UNKNOWN");
  const next = beginRun({ service });
  expect((await next.plan("known")).quote.effect).toBe("recover");
  expect(await reasonsOf(next, "lost")).toContain("may have bought");
  expect(service.orders).toHaveLength(1);

  // While it is not listed, it is named, and not only the other one.
  service.records = [];
  expect(await reasonsOf(beginRun({ service }), "known")).toContain("as order 7000");
});

describe.each(["sending", "placed", "returned"] as const)(
  "an order whose run was killed when the journal said %s",
  (phase) => {
    test("is recovered for nothing, already at preview, with the price that was paid", async () => {
      const { service, inputs } = await buyAndDie(phase);
      service.unitPrice = 99;
      const preview = beginRun({ service });
      const planned = await preview.plan();
      expect(planned).toMatchObject({
        requestId: inputs.requestId,
        quote: { effect: "recover", quantity: 5, price: 0, currency: "USD", owned: { price: 7 } },
        holdings: { held: 5, released: [] },
      });
      expect(preview.log.lines.join()).toContain("takes over order 7000");

      const up = beginRun({ service });
      const state = await up.orders.create(await up.plan());
      expect(state).toMatchObject({
        orderNumber: "7000",
        status: "active",
        purchases: [{ requestId: inputs.requestId, orderNumber: "7000", price: 7, quantity: 5 }],
      });
      expect(state.proxies).toHaveLength(5);
      expectOneOrder(service);
    });

    test("is no longer open when a state shows it", async () => {
      const { service } = await buyAndDie(phase);
      const up = beginRun({ service });
      const inputs = await up.plan();
      const state = await up.orders.create(inputs);
      const next = beginRun({ service });
      expect(await next.orders.check(ownerOf("fleet"), inputs, given())).toMatchObject({
        failures: [],
      });
      await next.orders.read(state);
      expect(await phasesOf(next)).toEqual(["confirmed"]);
      expectOneOrder(service);
    });

    test("stops the run if the program now asks for something else, and the error names both ways out", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service });
      const reason = await reasonsOf(next, "fleet", { rentPeriodDays: 90 });
      expect(reason).toContain("order 7000");
      expect(reason).toContain("not what the program asks for now");
      expect(reason).toContain('adoptOrderNumber: "7000"');
      expect(reason).toMatch(/npx pulumi-proxyrental journal resolve [0-9a-f]{12}-1/);
      expect(next.service.calls).toMatchObject({ createOrder: 1 });
    });

    test("is not bought by another resource, which may be the same one renamed", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service });
      const planned = await next.plan("renamed");
      expect(next.log.warnings.join()).toContain("order 7000 (5 IPv4 proxies in USA for 30 days)");
      const failure = await failureOf(next.orders.create(planned));
      expect(failure.code).toBe("ORDER_MAY_BE_PAID");
      expect(failure.message).toContain("order 7000");
      expect(failure.message).toContain(ownerOf("fleet"));
      expect(failure.message).toContain('adoptOrderNumber: "7000"');
      expectOneOrder(service);
    });

    test("does not stop another resource if its own is a part of the program", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service });
      const planned = await next.plan("other");
      expect((await next.plan()).quote.effect).toBe("recover");
      expect((await next.orders.create(planned)).orderNumber).toBe("7001");
    });

    test("is not bought again under a new name if another resource gets its old name", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service });
      expect(await reasonsOf(next, "fleet", { country: "DEU" })).toContain("order 7000");
      const failure = await failureOf(next.buy("renamed"));
      expect(failure.code).toBe("ORDER_MAY_BE_PAID");
      expect(failure.message).toContain("order 7000");
      expectOneOrder(service);
    });

    test("does not stop another resource if its own recovers it in another process of the run", async () => {
      const { service } = await buyAndDie(phase, { run: beginRun({ apiKey: "key-of-a" }) });
      const beside = beginRun({ ...severalProcesses, service });
      expect((await beside.plan()).quote.effect).toBe("recover");
      const next = beginRun({ ...severalProcesses, service, besideOthers: true });
      expect((await next.buy("other")).state.orderNumber).toBe("7001");
    });

    test("does not stop another resource while the arguments of its own are unknown", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service });
      const planned = await next.plan("other");
      await next.orders.check(ownerOf("fleet"), undefined, given({}, "country"));
      expect((await next.orders.create(planned)).orderNumber).toBe("7001");
    });

    test("does not stop another resource that asks for something else", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service });
      const { state } = await next.buy("other", { goal: "something else" });
      expect(state.orderNumber).toBe("7001");
    });

    test("does not stop another resource while its run goes on", async () => {
      const { service } = await buyAndDie(phase);
      const next = beginRun({ service, besideOthers: true, settings: { lookBackMinutes: 0 } });
      expect((await next.plan("other")).quote.effect).toBe("buy");
    });
  },
);

test.each(["sending", "placed"] as const)(
  "an order is not bought again while its run, at %s, goes on, and the error names the process",
  async (phase) => {
    const { service } = await buyAndDie(phase);
    const next = beginRun({ service, besideOthers: true });
    const failure = await failureOf(next.plan());
    expect(failure.code).toBe("PURCHASE_IN_PROGRESS");
    expect(failure.message).toContain("5 IPv4 proxies in USA");
    expect(failure.message).toContain(`process ${process.pid} on `);
    expectOneOrder(service);
  },
);

test("a returned order does not stop others, though its process lives on without its engine", async () => {
  const { service } = await buyAndDie("returned");
  const next = beginRun({ service, besideOthers: true });
  expect((await next.plan()).quote.effect).toBe("recover");
});

describe("an order that an earlier run has paid", () => {
  test("stops the run while it is not listed", async () => {
    const run = beginRun({ service: { deliverAtOnce: 0 } });
    const planned = await run.plan();
    expect((await failureOf(run.orders.create(planned))).code).toBe("DELIVERY_PENDING");
    const { service } = run;
    expect(await reasonsOf(beginRun({ service }))).toContain("not listed yet");
    service.deliverAll();
    expect((await beginRun({ service }).buy()).state.orderNumber).toBe("7000");
    expectOneOrder(service);
  });

  test("is recovered and waited for if only a part is listed", async () => {
    const run = beginRun({ service: { deliverAtOnce: 3 } });
    expect((await failureOf(run.buy())).code).toBe("DELIVERY_PENDING");
    const { service } = run;
    const next = beginRun({ service, onWait: (waits) => waits === 2 && service.deliverAll() });
    expect((await next.buy()).state).toMatchObject({ orderNumber: "7000", status: "active" });
    expectOneOrder(service);
  });

  test.each(["sending", "placed", "returned"] as const)(
    "is recovered from a moved checkout, at any age, if its run was killed at %s",
    async (phase) => {
      const { service } = await buyAndDie(phase);
      service.now = new Date(WHILE_PAID.getTime() + 20 * 86_400_000);
      const moved = beginRun({ service, project: "/elsewhere" });
      const { inputs, state } = await moved.buy();
      expect(inputs.quote).toMatchObject({ effect: "recover", price: 0 });
      expect(state.orderNumber).toBe("7000");
      expectOneOrder(service);
    },
  );

  /** One resource has bought two orders. Its second one was bought in `project`. */
  async function buyTwice(project: string) {
    const { service, inputs } = await buyAndDie("placed");
    const run = beginRun({ service, project });
    await run.buy("twin", { country: "DEU" });
    // Two journals were merged. Neither run knew what the other one had bought under the same name.
    const [first, second] = (await run.journal.store.readAll())
      .filter(isOrderIntent)
      .toSorted(byOrder);
    if (!first || !second) throw new Error("one order is not in the journal");
    const { requestId } = inputs;
    const same = { owner: first.owner, requestId, purchase: first.purchase };
    await run.journal.store.replace({ ...second, ...same, revision: second.revision + 1 });
    return service;
  }

  test("stops the run if it is one of two, and the error names both", async () => {
    const service = await buyTwice("/project");
    const reason = await reasonsOf(beginRun({ service, project: "/project" }));
    expect(reason).toContain("order 7000");
    expect(reason).toContain("order 7001");
    expect(service.orders).toHaveLength(2);
  });

  test.each([
    ["/project", "7000"],
    ["/elsewhere", "7001"],
  ])("is recovered by the checkout that bought it, of two: %s", async (project, orderNumber) => {
    const service = await buyTwice("/elsewhere");
    const { state } = await beginRun({ service, project }).buy();
    expect(state.orderNumber).toBe(orderNumber);
    expect(service.orders).toHaveLength(2);
  });

  test("stops the run at any age if another checkout's state may hold it, and the error says why", async () => {
    const { service, buy } = beginRun();
    await buy();
    service.now = new Date(WHILE_PAID.getTime() + 20 * 86_400_000);
    const reason = await reasonsOf(beginRun({ service, project: "/elsewhere" }));
    expect(reason).toContain("bought 5 IPv4 proxies in USA for 30 days for 7.00 USD");
    expect(reason).toContain("order 7000");
    expect(reason).toContain("it was bought from /project");
    expectOneOrder(service);
  });

  test("is bought again after it has ended", async () => {
    const { service } = await buyAndDie("placed");
    service.now = AFTER_END;
    const next = beginRun({ service });
    expect((await next.plan()).quote.effect).toBe("buy");
    expect(await phasesOf(next)).toEqual(["expired"]);
  });

  test("is over a day after its period, not before, if it is no longer listed", async () => {
    const { service } = await buyAndDie("placed");
    service.records = [];
    const paidUntil = WHILE_PAID.getTime() + 30 * 86_400_000;
    service.now = new Date(paidUntil + 86_000_000);
    expect(await reasonsOf(beginRun({ service }))).toContain("or no longer");
    service.now = new Date(paidUntil + 87_000_000);
    expect((await beginRun({ service }).plan()).quote.effect).toBe("buy");
  });

  test.each(["placed", "confirmed"])(
    "is not over if its listed end is before its paid end (%s)",
    async (phase) => {
      const { service, state } = await buyAndDie("returned");
      if (phase === "confirmed") await beginRun({ service }).orders.read(state);
      const ended = "2026-02-20T00:00:00.000+00:00";
      showInstead(service, "all", (rows) => rows.map((row) => ({ ...row, dateEnd: ended })));
      const next = beginRun({ service });
      if (phase === "placed") expect((await next.buy()).inputs.quote.effect).toBe("recover");
      else expect(await reasonsOf(next)).toContain("order 7000");
      expectOneOrder(service);
    },
  );

  test.each([
    ["behind", "placed", -40],
    ["ahead", "placed", 40],
    ["behind", "confirmed", -40],
  ])(
    "is not over, though not listed yet, if the time of its purchase was wrong (%s, %s)",
    async (_how, phase, days) => {
      const run = beginRun({ service: { deliverAtOnce: 0 }, ownClock: true });
      const { service } = run;
      service.now = new Date(WHILE_PAID.getTime() + days * 86_400_000);
      const failure = await failureOf(run.orders.create(await run.plan()));
      run.die();
      service.now = WHILE_PAID;
      if (phase === "confirmed") {
        const seen = beginRun({ service });
        const wanted = { owner: ownerOf("fleet"), quantity: 5 };
        await seen.orders.diff((failure as DeliveryPendingError).state, wanted, new Set());
        expect(await phasesOf(seen)).toEqual(["confirmed"]);
      }
      expect(await reasonsOf(beginRun({ service }))).toContain("order 7000");
      expectOneOrder(service);
    },
  );

  test("is bought again under the same name after it was confirmed and has ended", async () => {
    const first = await beginRun().buy();
    const { service } = await buyAndDie("returned");
    const state = (await beginRun({ service }).buy()).state;
    const refresh = beginRun({ service });
    await refresh.orders.read(state);
    service.now = AFTER_END;
    const up = beginRun({ service });
    expect((await up.orders.read(state)).kind).toBe("gone");
    const again = await up.buy();
    expect(again.inputs).toMatchObject({ requestId: first.inputs.requestId });
    expect(again.inputs.quote.effect).toBe("buy");
    expect(again.state.orderNumber).toBe("7001");
    expect(await phasesOf(up)).toEqual(["expired", "returned"]);
    // The state knows the first order under the same name. That proves nothing about the second one.
    const late = beginRun({ service });
    await late.orders.diff(state, first.inputs, new Set());
    expect(await phasesOf(late)).toEqual(["confirmed", "returned"]);
    expect(service.orders).toHaveLength(2);
  });

  test("is not bought by a plan to recover it if the journal no longer holds it", async () => {
    const { service } = await buyAndDie("placed");
    const up = beginRun({ service });
    const planned = await up.plan();
    const [left] = await up.account.journal.readOpen();
    if (left) await up.account.journal.change(left, { phase: "closed", closedBecause: "resolved" });
    expect((await failureOf(up.orders.create(planned))).code).toBe("NOT_PLANNED");
    expectOneOrder(service);
  });

  test("is returned to every create of the run that recovered it", async () => {
    const { service } = await buyAndDie("placed");
    const up = beginRun({ service });
    const planned = await up.plan();
    const states = await Promise.all([1, 2, 3].map(() => up.orders.create(planned)));
    expect(states.map((state) => state.orderNumber)).toEqual(["7000", "7000", "7000"]);
    expectOneOrder(service);
  });
});

function byOrder({ orderNumber: one = "" }: OrderIntent, { orderNumber: other = "" }: OrderIntent) {
  return Number(one) - Number(other);
}
