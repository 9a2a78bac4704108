import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type FakeService, serviceFailure, WHILE_PAID } from "../../support/fake-service.ts";
import { beginRun, failureOf, ownerOf } from "../../support/orders-under-test.ts";

/** The answer to the next order is lost. After that the listing can't be read, so nobody can see the result. */
function loseAnswerAndSight(service: FakeService) {
  const lose = async () => {
    service.before.listProxies = async () => {
      throw serviceFailure("rejected");
    };
    throw serviceFailure("unknown");
  };
  service.before.createOrder = lose;
  return lose;
}

const HUNDRED = Array.from({ length: 100 });

describe("asked a hundred times for the same purchase", () => {
  test("pays once and returns the same order each time, one call after the other", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    const numbers = new Set<string>();
    for (const _ of HUNDRED) numbers.add((await orders.create(planned)).orderNumber);
    expect([...numbers]).toEqual(["7000"]);
    expect(service.calls).toMatchObject({ createOrder: 1, calculateOrder: 2 });
  });

  test("pays once for calls at the same time", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    const states = await Promise.all(HUNDRED.map(() => orders.create(planned)));
    expect(new Set(states.map((state) => state.orderNumber)).size).toBe(1);
    expect(service.calls).toMatchObject({ createOrder: 1, calculateOrder: 2 });
  });

  test("never pays twice when the answer is lost, and fails the same way each time", async () => {
    const { plan, orders, service, clock } = beginRun();
    const planned = await plan();
    loseAnswerAndSight(service);
    const messages = new Set<string>();
    for (const _ of HUNDRED) {
      const failure = await failureOf(orders.create(planned));
      expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
      expect(failure.message).toContain("PROXYRENTAL_CALLS=FILE");
      messages.add(failure.message);
      clock.advance(60_000);
    }
    expect(messages.size).toBe(1);
    expect(service.calls.createOrder).toBe(1);
  });

  test("never pays twice after an unforeseen failure", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    service.before.createOrder = async () => {
      throw new TypeError("a bug of ours");
    };
    for (const _ of HUNDRED) await expect(orders.create(planned)).rejects.toThrow("a bug of ours");
    expect(service.calls.createOrder).toBe(1);
    expect(service.orders).toEqual([]);
  });

  test("never pays twice when the delivery does not come", async () => {
    const { plan, orders, service } = beginRun({ service: { deliverAtOnce: 0 } });
    const planned = await plan();
    for (const _ of HUNDRED) {
      expect((await failureOf(orders.create(planned))).code).toBe("DELIVERY_PENDING");
    }
    expect(service.calls.createOrder).toBe(1);
  });

  test("tries again after a refusal, through all gates, and pays once", async () => {
    const { plan, orders, service } = beginRun();
    const planned = await plan();
    let refusals = 3;
    service.before.createOrder = async () => {
      if (refusals-- > 0) throw serviceFailure("rejected");
      return undefined;
    };
    const codes = [];
    for (let asked = 0; asked < 3; asked++)
      codes.push((await failureOf(orders.create(planned))).code);
    expect(codes).toEqual(["SERVICE_REFUSED", "SERVICE_REFUSED", "SERVICE_REFUSED"]);
    expect((await orders.create(planned)).orderNumber).toBe("7000");
    expect((await orders.create(planned)).orderNumber).toBe("7000");
    expect(service.calls).toMatchObject({ createOrder: 4, calculateOrder: 5 });
    expect(service.orders).toHaveLength(1);
  });
});

describe("many purchases at the same time", () => {
  test("are sent one after the other, though their prices are asked together", async () => {
    const { plan, orders, service } = beginRun();
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const planned = await Promise.all(names.map((name) => plan(name)));
    const allAsked = Promise.withResolvers<undefined>();
    let asking = 0;
    service.before.calculateOrder = () => {
      asking += 1;
      if (asking === 20) allAsked.resolve(undefined);
      // No price comes before all twenty are asked for. If they were asked for one by one, this would wait for ever.
      return allAsked.promise;
    };
    let sending = 0;
    let mostAtOnce = 0;
    service.before.createOrder = async () => {
      sending += 1;
      mostAtOnce = Math.max(mostAtOnce, sending);
      await turn();
      sending -= 1;
      return undefined;
    };
    const states = await Promise.all(planned.map((inputs) => orders.create(inputs)));
    expect(mostAtOnce).toBe(1);
    expect(service.calls.createOrder).toBe(20);
    expect(new Set(states.map((state) => state.orderNumber)).size).toBe(20);
  });

  test("each get their own proxies", async () => {
    const { buy } = beginRun();
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const bought = await Promise.all(names.map((name) => buy(name)));
    const ids = bought.flatMap(({ state }) => state.ipAddressIds);
    expect(new Set(ids).size).toBe(60);
  });
});

describe("after an unknown outcome", () => {
  test("nothing more is bought in the run", async () => {
    const { plan, orders, service, account } = beginRun();
    const names = ["a", "b", "c", "d"];
    const planned = await Promise.all(names.map((name) => plan(name)));
    service.before.createOrder = async (request) => {
      await turn();
      expect(request).toBeDefined();
      if (service.calls.createOrder === 2) await loseAnswerAndSight(service)();
      return undefined;
    };
    const outcomes = await Promise.allSettled(planned.map((inputs) => orders.create(inputs)));
    expect(
      outcomes.map((outcome) => ("reason" in outcome ? outcome.reason.code : "bought")),
    ).toEqual(["bought", "ORDER_OUTCOME_UNKNOWN", "BUYING_STOPPED", "BUYING_STOPPED"]);
    expect(service.calls.createOrder).toBe(2);
    // The balance may be that of before the one in doubt.
    expect(await account.story.lastWords()).toMatch(
      /In all: bought 1 for 7\.00 USD\. Perhaps also 1 for 7\.00 USD, which nobody knows yet\.$/,
    );
  });

  test("the error says what may have been charged, and where to look", async () => {
    const { plan, orders, service, clock } = beginRun();
    const planned = await plan();
    const lose = loseAnswerAndSight(service);
    service.before.createOrder = async () => {
      clock.advance(30_000);
      return lose();
    };
    const { message } = await failureOf(orders.create(planned));
    expect(message).toContain("5 IPv4 proxies in USA for 30 days");
    expect(message).toContain("may have been placed and charged");
    expect(message).toContain("It was not sent again");
    expect(message).toContain(`7.00 USD, sent at ${WHILE_PAID.toISOString().slice(0, 19)}`);
    expect(message).toMatch(/npx pulumi-proxyrental journal resolve [0-9a-f]{12}-1`/);
  });

  test("it counts as charged against maxSpend, and a refusal does not", async () => {
    const { plan, orders, service } = beginRun({ settings: { maxSpend: 14 } });
    const planned = [await plan("a"), await plan("b")];
    let refused = false;
    service.before.createOrder = async () => {
      if (refused) return undefined;
      refused = true;
      throw serviceFailure("rejected");
    };
    expect((await failureOf(orders.create(planned[0]))).code).toBe("SERVICE_REFUSED");
    await orders.create(planned[0]);
    await orders.create(planned[1]);
    expect(service.orders).toHaveLength(2);
  });

  test("a refusal does not stop other purchases", async () => {
    const { plan, orders, service } = beginRun();
    const planned = [await plan("a"), await plan("b")];
    service.before.createOrder = async () => {
      if (service.calls.createOrder === 1) throw serviceFailure("rejected");
      return undefined;
    };
    const outcomes = await Promise.allSettled(planned.map((inputs) => orders.create(inputs)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });
});

test("two resources with the same arguments are two purchases", async () => {
  const { buy, service } = beginRun();
  const first = await buy("a");
  const second = await buy("b");
  expect(first.inputs.requestId).not.toBe(second.inputs.requestId);
  expect(service.orders.map(({ orderNumber }) => orderNumber)).toEqual(["7000", "7001"]);
  expect(first.inputs.owner).toBe(ownerOf("a"));
});

test("asks the price again if an order waited for its turn, and does not send it at a higher price", async () => {
  const { plan, orders, service, clock } = beginRun();
  const first = await plan("first");
  const second = await plan("second");
  service.before.createOrder = async () => {
    // Both prices are confirmed by now. The first order takes time, and meanwhile the price rises.
    await turn();
    clock.advance(11_000);
    service.calculated = { price: 8 };
  };
  const [bought, refused] = await Promise.all([
    orders.create(first),
    failureOf(orders.create(second)),
  ]);
  expect(bought.orderNumber).toBe("7000");
  expect(refused.code).toBe("PRICE_ROSE");
  expect(service.calls.createOrder).toBe(1);
});
