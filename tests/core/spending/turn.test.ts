import { describe, expect, test } from "vitest";
import { JournalError } from "../../../provider/core/ports.ts";
import { dieBeforeSending } from "../../journals/file/killed-runs.ts";
import { beginRun as beginExtension } from "../support/extensions-under-test.ts";
import { type FakeService, moveEnds, record, serviceFailure } from "../support/fake-service.ts";
import { beginRun, failureOf, type Run } from "../support/orders-under-test.ts";

/** From now on the run can lose the account's turn. Returns a function that takes the turn away. */
function makeTurnLosable({ journal }: Pick<Run, "journal">): () => void {
  const { withAccount } = journal.locks;
  let isLost = false;
  const assertHeld = () => {
    if (isLost) throw new JournalError("busy", "this process lost its turn on the account");
  };
  const keep = async () => assertHeld();
  journal.locks.withAccount = (waitMs, work) =>
    withAccount(waitMs, (lock) => work({ ...lock, assertHeld, keep }));
  return () => {
    isLost = true;
  };
}

test("an order is not sent if the turn was lost while it connected", async () => {
  const run = beginRun();
  const planned = await run.plan();
  const loseTurn = makeTurnLosable(run);
  run.service.before.createOrder = async () => loseTurn() as undefined;
  const failure = await failureOf(run.orders.create(planned));
  expect(failure.code).toBe("ACCOUNT_BUSY");
  expect(failure.message).toContain("This purchase was not sent");
  expect(run.service.orders).toEqual([]);
  expect(await run.account.journal.readAll()).toEqual([]);
});

describe("of an order that is written down, the answer is awaited", () => {
  /** From now on the turn lasts only for so long. */
  function makeTurnLast({ journal }: Pick<Run, "journal">, lastsMs: number): void {
    const { withAccount } = journal.locks;
    journal.locks.withAccount = (times, work) =>
      withAccount(times, (lock) => work({ ...lock, lastsMs: () => lastsMs }));
  }

  test("for all of its time if it leaves at once", async () => {
    const run = beginRun();
    await run.orders.create(await run.plan());
    expect(run.service.waitsMs).toEqual([30_000]);
  });

  test.each([
    ["stood still", (run: Run) => run.clock.advance(15_000)],
    ["slept", (run: Run) => run.clock.suspend(15_000)],
  ])("for what is left of its time on a machine that %s meanwhile", async (_how, pass) => {
    const run = beginRun();
    const planned = await run.plan();
    run.service.before.createOrder = async () => pass(run) as undefined;
    await run.orders.create(planned);
    expect(run.service.waitsMs).toEqual([15_000]);
  });

  test("until its late effects are still over within the turn", async () => {
    const run = beginRun();
    const planned = await run.plan();
    makeTurnLast(run, 60_000 + 15_000);
    await run.orders.create(planned);
    expect(run.service.waitsMs).toEqual([15_000]);
  });

  test("not at all if less than half of its time is left of the turn: it is not sent", async () => {
    const run = beginRun();
    const planned = await run.plan();
    makeTurnLast(run, 60_000 + 14_999);
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("SERVICE_TIMEOUT");
    expect(run.service.orders).toEqual([]);
    expect(await run.account.journal.readAll()).toEqual([]);
  });
});

test("an extension is not sent if the turn was lost while it connected", async () => {
  const run = beginExtension();
  const planned = await run.plan();
  const loseTurn = makeTurnLosable(run);
  run.service.before.extend = async () => loseTurn() as undefined;
  const failure = await failureOf(run.extensions.create(planned));
  expect(failure.code).toBe("ACCOUNT_BUSY");
  expect(run.service.extensions).toEqual([]);
  expect(await run.account.journal.readAll()).toEqual([]);
});

test("an order is not sent if it was held up for more than half of the time that its answer may take", async () => {
  const run = beginRun();
  const planned = await run.plan();
  run.service.before.createOrder = async () => run.clock.advance(15_001) as undefined;
  const failure = await failureOf(run.orders.create(planned));
  expect(failure.code).toBe("SERVICE_TIMEOUT");
  expect(failure.message).toContain("held up for 15 s");
  expect(failure.message).toContain("less than half of proxyrental:timeoutSeconds (30 s) was left");
  expect(failure.message).toContain("It was not sent. Run again.");
  expect(run.service.orders).toEqual([]);
  expect(await run.account.journal.readAll()).toEqual([]);
});

test("an order that was not sent is not unknown: the run buys the next one", async () => {
  const run = beginRun();
  const [first, second] = [await run.plan("first"), await run.plan("second")];
  run.service.before.createOrder = async () => {
    delete run.service.before.createOrder;
    run.clock.advance(15_001);
    return undefined;
  };
  await failureOf(run.orders.create(first));
  expect((await run.orders.create(second)).orderNumber).toBe("7000");
  expect((await run.orders.create(first)).orderNumber).toBe("7001");
  expect(run.service.balance).toBe(986);
});

describe("nothing is judged if the turn is lost while the account is watched, and another run buys the same,", () => {
  /** Another process has taken the turn and buys. The watch does not know its order. */
  function buyBeside(service: FakeService): void {
    service.records.push(...[1, 2, 3, 4, 5].map((n) => record("9000", 9_000 + n)));
    service.balance -= 7;
  }

  const phasesOf = async ({ account }: Pick<Run, "account">) =>
    (await account.journal.readAll()).map(({ phase }) => phase);

  test("for a purchase without an answer", async () => {
    let lose = () => {};
    const run = beginRun({
      onWait: (waits) => {
        if (waits === 3) lose();
      },
    });
    const planned = await run.plan();
    const loseTurn = makeTurnLosable(run);
    run.service.before.createOrder = async () => {
      lose = () => {
        loseTurn();
        buyBeside(run.service);
      };
      throw serviceFailure("unknown");
    };
    const failure = await failureOf(run.orders.create(planned));
    expect(failure.code).toBe("ORDER_OUTCOME_UNKNOWN");
    expect(failure.message).toContain("ACCOUNT_BUSY");
    expect(await phasesOf(run)).toEqual(["sending"]);
  });

  test("for a purchase of a killed run", async () => {
    const { service } = await dieBeforeSending();
    const next = beginRun({
      service,
      onWait: (waits) => {
        if (waits !== 3) return;
        loseTurn();
        buyBeside(service);
      },
    });
    const loseTurn = makeTurnLosable(next);
    expect((await failureOf(next.plan())).code).toBe("ACCOUNT_BUSY");
    expect(await phasesOf(next)).toEqual(["sending"]);
  });

  test("for an extension of a killed run", async () => {
    const killed = beginExtension();
    const planned = await killed.plan();
    const { service } = killed;
    service.before.extend = async () => {
      delete service.before.extend;
      throw serviceFailure("unknown");
    };
    killed.journal.store.replace = async () => {
      throw new JournalError("unavailable", "the process is gone");
    };
    await failureOf(killed.extensions.create(planned));
    const next = beginExtension({
      service,
      onWait: (waits) => {
        if (waits !== 3) return;
        loseTurn();
        moveEnds(service, ["ip-1", "ip-2"], 30);
      },
    });
    const loseTurn = makeTurnLosable(next);
    expect((await failureOf(next.plan())).code).toBe("ACCOUNT_BUSY");
    expect(await phasesOf(next)).toEqual(["sending"]);
  });
});
