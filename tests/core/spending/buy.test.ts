import { describe, expect, test } from "vitest";
import { ServiceError } from "../../../provider/client/index.ts";
import { JournalError } from "../../../provider/core/ports.ts";
import { type FakeService, record, serviceFailure } from "../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../support/orders-under-test.ts";

/** The service carries out the next order, but its answer is lost. */
function chargeAndLose(service: FakeService): void {
  service.before.createOrder = async (request) => {
    delete service.before.createOrder;
    await service.createOrder(request);
    service.calls.createOrder -= 1;
    throw serviceFailure("unknown");
  };
}

/** The next order is lost before it reaches the service. */
function lose(service: FakeService): void {
  service.before.createOrder = async () => {
    delete service.before.createOrder;
    throw serviceFailure("unknown");
  };
}

/** Another buyer buys the same, without this machine's journal. */
function buyBeside(service: FakeService, orderId: string, price = 7): void {
  service.records.push(...[1, 2, 3, 4, 5].map((n) => record(orderId, Number(orderId) + n)));
  service.balance -= price;
}

function failStore(run: Run, method: "create" | "replace" | "readAll"): void {
  run.journal.store[method] = async () => {
    throw new JournalError("unavailable", "the journal in /full can't be used (ENOSPC)");
  };
}

const phases = async ({ account }: Run) =>
  (await account.journal.readAll()).map(({ phase, closedBecause }) => closedBecause ?? phase);

describe("a purchase", () => {
  test("is on the disk, as it will be sent, before it is sent", async () => {
    const run = beginRun();
    const planned = await run.plan();
    let before: unknown;
    run.service.before.createOrder = async (request) => {
      before = await run.journal.store.readAll();
      expect(before).toMatchObject([
        { purchase: { request: JSON.parse(JSON.stringify(request)), ordersBefore: [] } },
      ]);
      return undefined;
    };
    await run.orders.create(planned);
    expect(before).toMatchObject([
      {
        phase: "sending",
        owner: ownerOf("fleet"),
        requestId: planned.requestId,
        price: 7,
        currency: "USD",
        balanceBefore: 1000,
        project: "/project",
      },
    ]);
    expect(await phases(run)).toEqual(["returned"]);
  });

  test("is not sent if it can't be written down, and the next one is", async () => {
    const run = beginRun();
    const planned = await run.plan();
    const { create } = run.journal.store;
    failStore(run, "create");
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("JOURNAL_UNAVAILABLE");
    expect(failure.message).toContain("This purchase was not sent");
    expect(failure.message).toContain("PROXYRENTAL_JOURNAL");
    expect(run.service.calls.createOrder).toBe(0);
    run.journal.store.create = create;
    expect((await run.orders.create(planned)).orderNumber).toBe("7000");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test.each([
    ["unknown", { phase: "unknown" }],
    ["not placed", { phase: "closed", closedBecause: "notPlaced" }],
  ] as const)(
    "279: that another run has taken for %s meanwhile is what its answer tells",
    async (_as, conclusion) => {
      const run = beginRun();
      const other = beginRun({ service: run.service });
      const planned = await run.plan();
      run.service.before.createOrder = async (request) => {
        delete run.service.before.createOrder;
        const answer = await run.service.createOrder(request);
        const [sent] = await other.account.journal.readAll();
        if (sent) await other.account.journal.change(sent, conclusion);
        return answer;
      };
      await run.orders.create(planned);
      expect(await beginRun({ service: run.service }).account.journal.readAll()).toMatchObject([
        { phase: "returned", orderNumber: "7000" },
      ]);
      expect(run.log.warnings).toEqual([]);
    },
  );

  test("279: that another run has taken for placed meanwhile is refused after all: what that run has seen stays", async () => {
    const run = beginRun();
    const other = beginRun({ service: run.service });
    const planned = await run.plan();
    run.service.before.createOrder = async () => {
      const [sent] = await other.account.journal.readAll();
      const seen = { phase: "placed", orderNumber: "9000" } as const;
      if (sent) await other.account.journal.change(sent, seen);
      throw serviceFailure("rejected");
    };
    await failureOf(run.orders.create(planned));
    expect(await other.account.journal.readAll()).toMatchObject([
      { phase: "placed", orderNumber: "9000" },
    ]);
  });

  test("is kept if its answer can't be written down", async () => {
    const run = beginRun();
    failStore(run, "replace");
    const { state } = await run.buy();
    expect(state).toMatchObject({ orderNumber: "7000", purchases: [{ price: 7 }] });
    expect(run.log.warnings.join()).toContain("not written down");
    expect(await phases(run)).toEqual(["sending"]);
  });

  test("that never left this machine leaves no record, and may be sent again", async () => {
    const run = beginRun();
    const planned = await run.plan();
    run.service.before.createOrder = async () => {
      const facts = { outcome: "rejected", endpoint: "createOrder", message: "refused" } as const;
      throw new ServiceError({ code: "SERVICE_UNREACHABLE", ...facts });
    };
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("SERVICE_UNREACHABLE");
    expect(await phases(run)).toEqual([]);
    delete run.service.before.createOrder;
    await run.orders.create(planned);
    expect(run.service.orders).toHaveLength(1);
  });

  test("that the service refuses is recorded as finished", async () => {
    const run = beginRun();
    const planned = await run.plan();
    run.service.before.createOrder = async () => {
      throw serviceFailure("rejected");
    };
    expect((await failureOf(run.orders.create(planned))).code).toBe("SERVICE_REFUSED");
    expect(await phases(run)).toEqual(["rejected"]);
    expect((await run.journal.store.readAll())[0]?.remark).toContain("code 14");
  });

  test("that the service refuses is watched if the refusal's own balance shows a charge", async () => {
    const run = beginRun();
    const planned = await run.plan();
    run.service.before.createOrder = async () => {
      throw serviceFailure("rejected", { balance: 993 });
    };
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("ORDER_NOT_PLACED");
    expect(failure.message).toContain("the balance that it tells is lower by 7.00 USD than before");
    expect(await phases(run)).toEqual(["notPlaced"]);
  });
});

describe("an answer was lost after the service took the order", () => {
  test("the order is found in the account: one order, and the run goes on buying", async () => {
    const run = beginRun();
    const planned = await run.plan();
    chargeAndLose(run.service);
    const state = await run.orders.create(planned);
    expect(state).toMatchObject({
      orderNumber: "7000",
      status: "active",
      purchases: [{ price: 7 }],
    });
    expect(state.proxies).toHaveLength(5);
    expect((await run.orders.create(planned)).orderNumber).toBe("7000");
    expect((await run.buy("second")).state.orderNumber).toBe("7001");
    expect(run.service.calls.createOrder).toBe(2);
    expect(run.service.orders).toHaveLength(2);
    expect(await phases(run)).toEqual(["returned", "returned"]);
  });

  test("the order is found if it is listed late, as long as delivery may take", async () => {
    const run = beginRun({
      service: { deliverAtOnce: 0 },
      onWait: (waits) => {
        if (waits === 25) run.service.deliverAll();
      },
    });
    const planned = await run.plan();
    chargeAndLose(run.service);
    expect((await run.orders.create(planned)).orderNumber).toBe("7000");
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("a person decides if somebody bought the same meanwhile: both are named, nothing more is bought", async () => {
    const run = beginRun();
    const [planned, other] = [await run.plan(), await run.plan("other")];
    run.service.before.createOrder = async (request) => {
      buyBeside(run.service, "9000");
      chargeAndLose(run.service);
      return run.service.before.createOrder?.(request);
    };
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(failure.message).toContain("7000");
    expect(failure.message).toContain("9000");
    expect((await failureOf(run.orders.create(planned))).message).toBe(failure.message);
    expect((await failureOf(run.orders.create(other))).code).toBe("BUYING_STOPPED");
    expect(run.service.calls.createOrder).toBe(1);

    const next = beginRun({ service: run.service });
    for (const name of ["fleet", "other"]) {
      const { failures } = await next.orders.check(ownerOf(name), undefined, given());
      const reason = failures.map((one) => one.reason).join();
      expect(reason).toContain("more new orders than purchases");
      expect(reason).toContain("9000");
    }
    const adopted = await next.buy("fleet", { adoptOrderNumber: "7000" });
    expect(adopted.state.orderNumber).toBe("7000");
    const last = beginRun({ service: run.service, settings: { foreignOrders: new Set(["9000"]) } });
    await last.orders.diff(adopted.state, adopted.inputs, new Set());
    expect((await last.buy("other")).state.orderNumber).toBe("7001");
  });

  test("the order is never sent again if the journal fails during the search", async () => {
    const run = beginRun();
    const planned = await run.plan();
    const { readAll } = run.journal.store;
    run.service.before.createOrder = async () => {
      failStore(run, "readAll");
      throw serviceFailure("unknown");
    };
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(failure.message).not.toContain("This purchase was not sent");
    run.journal.store.readAll = readAll;
    delete run.service.before.createOrder;
    expect((await failureOf(run.orders.create(planned))).code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(run.service.calls.createOrder).toBe(1);
  });
});

describe("an answer was lost and the order never reached the service", () => {
  test("listing and balance prove it not placed: it is sent again in the next run, not in this one", async () => {
    const run = beginRun();
    const planned = await run.plan();
    lose(run.service);
    for (const _again of [1, 2]) {
      const failure = await failureOf(run.orders.create(planned));
      expect(failure.code).toBe("ORDER_NOT_PLACED");
    }
    expect(run.service.calls.createOrder).toBe(1);
    expect(await phases(run)).toEqual(["notPlaced"]);
    expect((await run.buy("other")).state.orderNumber).toBe("7000");

    const next = beginRun({ service: run.service });
    expect((await next.buy()).state.orderNumber).toBe("7001");
    expect(run.service.orders).toHaveLength(2);
  });

  test("the account is watched for the whole settling time before that", async () => {
    const run = beginRun({ settings: { settlingMs: 45_000 } });
    const planned = await run.plan();
    lose(run.service);
    const beganMs = run.clock.elapsedMs();
    await failureOf(run.orders.create(planned));
    expect(run.clock.elapsedMs() - beganMs).toBeGreaterThanOrEqual(45_000);
  });

  test("nothing is proven while the balance can't be read", async () => {
    const run = beginRun();
    const planned = await run.plan();
    lose(run.service);
    run.service.before.getBalance = async () => {
      throw serviceFailure("rejected");
    };
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(await phases(run)).toEqual(["unknown"]);
  });

  test("it is not mistaken for a similar order that this run has just bought", async () => {
    const run = beginRun();
    await run.buy("first");
    const second = await run.plan("second");
    lose(run.service);
    expect((await failureOf(run.orders.create(second))).code).toBe("ORDER_NOT_PLACED");
  });
});

test("an order is not bought above the price that an earlier run previewed", async () => {
  const preview = beginRun();
  const { requestId } = await preview.plan();
  const up = beginRun({ service: preview.service });
  preview.service.unitPrice = 1.6;
  up.clock.advance(60_000);
  const planned = await up.plan();
  expect(planned.requestId).toBe(requestId);
  const failure = await failureOf(up.orders.create(planned));
  expect(failure.code).toBe("PRICE_ROSE");
  expect(failure.message).toContain("7.00 USD");
  expect(failure.message).toContain("8.00 USD");
  expect(up.service.calls.createOrder).toBe(0);
  // A refused run has not bound any other run to its price. A preview that shows the price does.
  await expect(beginRun({ service: preview.service }).buy()).rejects.toThrow("PRICE_ROSE");
  const secondPreview = beginRun({ service: preview.service });
  secondPreview.clock.advance(120_000);
  await secondPreview.plan();
  const next = beginRun({ service: preview.service });
  expect((await next.buy()).state.purchases[0]?.price).toBe(8);
});
