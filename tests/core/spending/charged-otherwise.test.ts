import { describe, expect, test } from "vitest";
import { costBasisIn } from "../../../provider/core/order/model/cost-basis.ts";
import { type FakeService, serviceFailure } from "../support/fake-service.ts";
import { beginRun, failureOf, type Run } from "../support/orders-under-test.ts";

/** From now on each order costs this much more than the confirmed price. */
function overcharge(service: FakeService, by: number): void {
  service.before.createOrder = async (request, options) => {
    const { unitPrice } = service;
    service.unitPrice += by / request.quantity;
    const { createOrder } = service.before;
    delete service.before.createOrder;
    try {
      return await service.createOrder(request, options);
    } finally {
      service.calls.createOrder -= 1;
      service.unitPrice = unitPrice;
      if (createOrder) service.before.createOrder = createOrder;
    }
  };
}

/** Plans orders with these names and buys them all at the same time. Returns the result of each. */
async function buyAll(run: Run, names: readonly string[], args: object = {}): Promise<string[]> {
  const planned = await Promise.all(names.map((name) => run.plan(name, args)));
  const outcomes = await Promise.allSettled(planned.map((inputs) => run.orders.create(inputs)));
  return outcomes.map((outcome) => ("reason" in outcome ? outcome.reason.code : "bought"));
}

describe("an order that was charged more than was confirmed", () => {
  test("is kept, recorded and reported, and is the last one of the run", async () => {
    const run = beginRun({ settings: { maxSpend: 14 } });
    overcharge(run.service, 7);
    expect(await buyAll(run, ["a", "b"])).toEqual(["bought", "BUYING_STOPPED"]);
    expect(run.service.calls.createOrder).toBe(1);
    expect(run.service.balance).toBe(986);
    expect(run.log.warnings.join()).toMatch(
      /order 7000: 7\.00 USD were confirmed, and the balance fell by 14\.00 USD/,
    );
  });

  test("has both amounts in the state and in the journal", async () => {
    const run = beginRun();
    overcharge(run.service, 7);
    const { state } = await run.buy();
    expect(state.purchases).toMatchObject([{ price: 7, charged: 14 }]);
    expect(await run.account.journal.readAll()).toMatchObject([{ price: 7, charged: 14 }]);
  });

  test("is recorded with the answer, so that it survives a killed run", async () => {
    const run = beginRun();
    overcharge(run.service, 7);
    const { replace } = run.journal.store;
    const written: unknown[] = [];
    run.journal.store.replace = async (next) => {
      written.push(next);
      return replace(next);
    };
    await run.buy();
    expect(written[0]).toMatchObject({ phase: "placed", price: 7, charged: 14 });
  });

  test("is the reason that the error of the next purchase names", async () => {
    const run = beginRun();
    const second = await run.plan("second");
    overcharge(run.service, 7);
    await run.buy("first");
    const { code, message } = await failureOf(run.orders.create(second));
    expect(code).toBe("BUYING_STOPPED");
    expect(message).toContain("order 7000: 7.00 USD were confirmed");
    expect(message).toContain("This purchase was not sent");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("does not stop a later run, which asks all prices again", async () => {
    const run = beginRun();
    overcharge(run.service, 7);
    await run.buy("a");
    const later = beginRun({ service: run.service });
    delete later.service.before.createOrder;
    const { state } = await later.buy("b");
    expect(state.purchases[0]?.charged).toBeUndefined();
    expect(later.service.balance).toBe(979);
  });

  test("keeps the balance out of messages and state if showBalance is false", async () => {
    const run = beginRun({ settings: { showBalance: false }, service: { balance: 543.21 } });
    overcharge(run.service, 7);
    const { state } = await run.buy();
    const told = [...run.log.lines, ...run.log.warnings, JSON.stringify(state)].join("\n");
    expect(told).toContain("14.00 USD");
    expect(told).not.toMatch(/543\.21|529\.21/);
  });
});

describe("a balance that is missing from the answer", () => {
  const hideBalance = (service: FakeService) => {
    service.before.createOrder = async (request, options) => {
      delete service.before.createOrder;
      const told = await service.createOrder(request, options);
      service.calls.createOrder -= 1;
      return { ...told, balance: undefined };
    };
  };

  test("is asked for", async () => {
    const run = beginRun();
    const planned = await run.plan();
    hideBalance(run.service);
    const hidden = run.service.before.createOrder;
    run.service.before.createOrder = async (request, options) => {
      run.service.unitPrice = 2.8;
      return hidden?.(request, options);
    };
    const state = await run.orders.create(planned);
    expect(state.purchases).toMatchObject([{ price: 7, charged: 14 }]);
  });

  test("and can't be read leaves the price as confirmed, and stops nothing", async () => {
    const run = beginRun();
    const planned = await Promise.all(["a", "b"].map((name) => run.plan(name)));
    hideBalance(run.service);
    const hidden = run.service.before.createOrder;
    run.service.before.createOrder = async (request, options) => {
      run.service.before.getBalance = async () => {
        throw serviceFailure("rejected");
      };
      return hidden?.(request, options);
    };
    const { purchases } = await run.orders.create(planned[0]);
    expect(purchases).toMatchObject([{ price: 7 }]);
    expect(purchases[0]?.charged).toBeUndefined();
    expect(run.log.warnings).toEqual([]);
    delete run.service.before.getBalance;
    await run.orders.create(planned[1]);
    expect(run.service.orders).toHaveLength(2);
  });

  test("or unchanged in it is asked for again, and stops nothing", async () => {
    const run = beginRun();
    const { balance } = run.service;
    run.service.before.createOrder = async (request, options) => {
      delete run.service.before.createOrder;
      const told = await run.service.createOrder(request, options);
      run.service.calls.createOrder -= 1;
      return { ...told, balance };
    };
    expect(await buyAll(run, ["a", "b"])).toEqual(["bought", "bought"]);
    const intents = await run.account.journal.readAll();
    expect(intents.map(({ charged }) => charged)).toEqual([undefined, undefined]);
    expect(run.log.warnings).toEqual([]);
  });
});

describe("another person's purchase", () => {
  test("before the turn is no difference, however short before", async () => {
    const run = beginRun();
    const planned = await run.plan();
    run.service.before.getBalance = async () => {
      delete run.service.before.getBalance;
      run.service.balance -= 100;
      return undefined;
    };
    const state = await run.orders.create(planned);
    expect(state.purchases[0]?.charged).toBeUndefined();
    expect(run.log.warnings).toEqual([]);
  });

  test("between two purchases of ours is no difference if they are a second apart", async () => {
    const run = beginRun();
    const planned = await Promise.all(["a", "b"].map((name) => run.plan(name)));
    await run.orders.create(planned[0]);
    run.clock.advance(1_001);
    run.service.balance -= 100;
    await run.orders.create(planned[1]);
    expect(run.log.warnings).toEqual([]);
  });

  test("during ours is reported, recorded, and stops the run", async () => {
    const run = beginRun();
    run.service.before.createOrder = async () => {
      run.service.balance -= 100;
      return undefined;
    };
    expect(await buyAll(run, ["a", "b"])).toEqual(["bought", "BUYING_STOPPED"]);
    expect(run.log.warnings.join()).toContain("somebody else bought at the same time");
  });

  test("or deposit that hides a charge during ours stops the run", async () => {
    const run = beginRun();
    run.service.before.createOrder = async () => {
      run.service.balance += 100;
      return undefined;
    };
    expect(await buyAll(run, ["a", "b"])).toEqual(["bought", "BUYING_STOPPED"]);
    const [intent] = await run.account.journal.readAll();
    expect(intent?.charged).toBeUndefined();
    expect(run.log.warnings.join()).toContain("the balance rose meanwhile");
  });
});

test("many orders in a row learn the balance from each other's answers", async () => {
  const run = beginRun();
  const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
  run.service.before.createOrder = async () => {
    run.clock.advance(50);
    return undefined;
  };
  expect(new Set(await buyAll(run, names))).toEqual(new Set(["bought"]));
  expect(run.service.calls.getBalance).toBe(1);
});

describe("a promo code that did not take effect", () => {
  const free = { promoCodeStatus: "VALID", discount: 100, price: 0 };

  test("stops further buying, even if the balance says that it was charged as confirmed", async () => {
    const run = beginRun();
    run.service.calculated = { promoCodeStatus: "VALID", discount: 10, price: 6.3 };
    run.service.unitPrice = 1.26;
    run.service.before.createOrder = async (request, options) => {
      delete run.service.before.createOrder;
      const told = await run.service.createOrder(request, options);
      run.service.calls.createOrder -= 1;
      return { ...told, promoCodeStatus: "NO_VALID" };
    };
    expect(await buyAll(run, ["a", "b"], { promoCode: "TEN" })).toEqual([
      "bought",
      "BUYING_STOPPED",
    ]);
    expect(run.log.warnings.join()).toContain("6.30 USD were charged all the same, as confirmed");
  });

  test("costs one order and no more, and both amounts are reported", async () => {
    const run = beginRun({ settings: { maxSpend: 0 } });
    run.service.calculated = free;
    run.service.before.createOrder = async () => {
      // The code is used up between price and order. The calculation still promises it.
      run.service.calculated = { ...free, promoCodeStatus: null };
      return undefined;
    };
    const planned = await Promise.all(
      ["a", "b", "c"].map((name) => run.plan(name, { promoCode: "FREE", maxPrice: 0 })),
    );
    const [first, ...others] = await Promise.allSettled(
      planned.map((inputs) => run.orders.create(inputs)),
    );
    expect(first?.status).toBe("fulfilled");
    expect(others.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(run.service.balance).toBe(993);
    expect(run.service.calls.createOrder).toBe(1);
    expect(run.log.warnings.join()).toMatch(
      /did not take effect \(the service says nothing of it\); 0\.00 USD were confirmed, and the balance fell by 7\.00 USD/,
    );
  });

  test("leads to a new price request after another purchase of ours", async () => {
    const run = beginRun();
    run.service.calculated = { promoCodeStatus: "VALID", discount: 10 };
    const planned = await Promise.all(
      ["a", "b"].map((name) => run.plan(name, { promoCode: "TEN" })),
    );
    let codes = 1;
    run.service.before.createOrder = async () => {
      codes -= 1;
      return undefined;
    };
    run.service.before.calculateOrder = async () => {
      if (codes === 0) run.service.calculated = { promoCodeStatus: "NO_VALID" };
      return undefined;
    };
    const outcomes = await Promise.allSettled(planned.map((inputs) => run.orders.create(inputs)));
    expect(
      outcomes.map((outcome) => ("reason" in outcome ? outcome.reason.code : "bought")),
    ).toEqual(["bought", "PROMO_CODE_NOT_VALID"]);
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("without a promo code the confirmed price stands after another purchase too", async () => {
    const run = beginRun();
    expect(await buyAll(run, ["a", "b", "c"])).toEqual(["bought", "bought", "bought"]);
    // One for the plans of all, and one before each purchase.
    expect(run.service.calls.calculateOrder).toBe(4);
  });
});

test("the cost basis is what was charged", async () => {
  const run = beginRun();
  overcharge(run.service, 7);
  const { state } = await run.buy();
  expect(costBasisIn(state)).toMatchObject({ price: 14, quantity: 5, rentPeriodDays: 30 });
});
