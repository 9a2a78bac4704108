import { describe, expect, test } from "vitest";
import { ExtensionUnfinishedError } from "../../../provider/core/extension/apply/pay.ts";
import type {
  CheckedExtension,
  ExtensionState,
} from "../../../provider/core/extension/model/state.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { buyAndDie } from "../../journals/file/killed-runs.ts";
import { beginRun as beginExtensionRun, TWO_PERIODS } from "../support/extensions-under-test.ts";
import { type FakeService, record, showInstead } from "../support/fake-service.ts";
import { beginRun, failureOf, given, ownerOf, type Run } from "../support/orders-under-test.ts";

const elsewhere = { country: "DEU", goal: "another" };

/** A run that was killed while its order for 7.00 USD was charged with 10.50 USD. */
async function overchargeAndDie(): Promise<FakeService> {
  const run = beginRun();
  run.service.before.createOrder = async () => {
    delete run.service.before.createOrder;
    run.service.balance -= 3.5;
    return undefined;
  };
  await buyAndDie("sending", { run });
  return run.service;
}

/** A run that was killed when its order was charged as confirmed. */
const payAndDie = async () => (await buyAndDie("sending")).service;

const chargesOf = async (run: Pick<Run, "account">) =>
  (await run.account.journal.readAll()).map(({ price, charged }) => ({ price, charged }));

describe("a killed run's order that was charged more than was confirmed", () => {
  test("has both amounts in the state and in the journal of the run that takes it over", async () => {
    const run = beginRun({ service: await overchargeAndDie() });
    const { state } = await run.buy();
    expect(state.purchases).toMatchObject([{ price: 7, charged: 10.5 }]);
    expect(await chargesOf(run)).toEqual([{ price: 7, charged: 10.5 }]);
    expect(run.service.calls.createOrder).toBe(1);
  });

  test("is told, and is the reason that this run buys nothing more", async () => {
    const run = beginRun({ service: await overchargeAndDie() });
    await run.plan();
    expect(run.log.warnings.join()).toMatch(
      /order 7000 of fleet: 7\.00 USD were confirmed, and the balance has fallen by 10\.50 USD since/,
    );
    const { code, message } = await failureOf(run.buy("other", elsewhere));
    expect(code).toBe("BUYING_STOPPED");
    expect(message).toContain("the balance has fallen by 10.50 USD");
    expect(run.service.calls.createOrder).toBe(1);
    await beginRun({ service: run.service }).buy("other", elsewhere);
    expect(run.service.calls.createOrder).toBe(2);
  });

  test("is weighed also where it is judged right before another purchase", async () => {
    const service = await overchargeAndDie();
    const run = beginRun({ service });
    expect((await failureOf(run.buy("other", elsewhere))).code).toBe("BUYING_STOPPED");
    expect(await chargesOf(run)).toEqual([{ price: 7, charged: 10.5 }]);
    expect(service.calls.createOrder).toBe(1);
  });

  test("counts against the monthly budget as it was charged", async () => {
    const service = await overchargeAndDie();
    await beginRun({ service }).plan();
    const run = beginRun({ service, settings: { monthlyBudget: 17 } });
    expect(await run.account.budget.beforeRun()).toMatchObject({ spent: 10.5 });
  });

  test("written down with the finding, so that it survives another death", async () => {
    const run = beginRun({ service: await overchargeAndDie() });
    const { replace } = run.journal.store;
    const placed: unknown[] = [];
    run.journal.store.replace = async (next) => {
      if (next.phase === "placed") placed.push(next);
      return replace(next);
    };
    await run.plan();
    expect(placed).toMatchObject([{ price: 7, charged: 10.5 }]);
  });
});

test("of two of one kind, the one that was charged more has the difference", async () => {
  const service = await overchargeAndDie();
  const later = beginRun({ service, besideOthers: true });
  await buyAndDie("sending", { run: later, name: "second", args: { goal: "second" } });
  const run = beginRun({ service });
  await failureOf(run.buy("other", elsewhere));
  expect(await chargesOf(run)).toEqual([
    { price: 7, charged: 10.5 },
    { price: 7, charged: undefined },
  ]);
});

test("one that was charged as confirmed is told by nothing, and stops nothing", async () => {
  const run = beginRun({ service: await payAndDie() });
  const { state } = await run.buy();
  expect(state.purchases[0]?.charged).toBeUndefined();
  await run.buy("other", elsewhere);
  expect(run.log.warnings).toEqual([]);
});

test("a balance that can't be read leaves the price as confirmed", async () => {
  const run = beginRun({ service: await overchargeAndDie() });
  run.service.before.getBalance = async () => {
    throw new Error("not now");
  };
  await run.plan();
  expect(await chargesOf(run)).toEqual([{ price: 7, charged: undefined }]);
});

describe("what else may have moved the balance since is not taken for the charge:", () => {
  /** Weighs what a killed run was charged after something else has happened. */
  async function weighAfter(happens: (service: FakeService) => unknown): Promise<string> {
    const service = await payAndDie();
    await happens(service);
    const run = beginRun({ service });
    const { state } = await run.buy();
    expect(state.purchases[0]?.charged).toBeUndefined();
    await run.buy("other", { ...elsewhere, quantity: 1 });
    return run.log.warnings.join();
  }

  test("a deposit", async () => {
    const told = await weighAfter((service) => {
      service.balance += 100;
    });
    expect(told).toContain("what was charged can't be told, because the balance has not fallen");
  });

  test("a deposit of less than the price", async () => {
    const told = await weighAfter((service) => {
      service.balance += 3;
    });
    expect(told).toContain("what was charged can't be told, because the balance has not fallen");
  });

  test("somebody else's order", async () => {
    const told = await weighAfter((service) => {
      service.balance -= 3;
      service.records.push(
        record("8000", 90, { country: "FRA", dateStart: "2026-03-01T00:00:30Z" }),
      );
    });
    expect(told).toContain("since then order 8000 began, which the journal does not know");
  });

  test("an automatic extension", async () => {
    const told = await weighAfter((service) => {
      service.balance -= 3;
      service.records.push(
        record("6000", 90, {
          ...{ dateStart: "2026-02-01T00:00:00Z", dateEnd: "2026-04-02T00:00:00Z" },
          extendInfo: { autoExtend: true, extendDays: 30 },
        }),
      );
    });
    expect(told).toContain("since then order 6000 may have been extended automatically");
  });

  test("another purchase of the journal", async () => {
    const service = await overchargeAndDie();
    await beginRun({ service, besideOthers: true }).buy("beside", elsewhere);
    const run = beginRun({ service });
    await run.plan();
    expect(await chargesOf(run)).toContainEqual({ price: 7, charged: 10.5 });
  });

  test("but an order from before, and one that renews only later, explain nothing", async () => {
    const service = await overchargeAndDie();
    service.records.push(
      record("6000", 90, {
        ...{ dateStart: "2026-02-15T00:00:00Z", dateEnd: "2026-03-17T00:00:00Z" },
        extendInfo: { autoExtend: true, extendDays: 30 },
      }),
    );
    const run = beginRun({ service });
    await run.plan();
    expect(await chargesOf(run)).toEqual([{ price: 7, charged: 10.5 }]);
  });
});

/** The phases of one `pulumi up` have processes of their own, and the engine has another port in each. */
const phaseOf = (phase: "preview" | "update"): RunIdentity => ({
  run: `127.0.0.1:${phase === "preview" ? 7001 : 7002}`,
  command: "up",
  commandId: "cli-1",
  phase: () => phase,
});

describe("191: where the preview inside `pulumi up` has found a killed run's charge out, its update", () => {
  /** Previews the program with the killed run's order and another one, and begins the update. */
  async function previewAndBegin() {
    const service = await overchargeAndDie();
    const preview = beginRun({ service, run: phaseOf("preview") });
    await preview.plan();
    await preview.plan("other", elsewhere);
    expect(preview.log.warnings).toHaveLength(1);
    await preview.account.journal.endRun();
    return beginRun({ service, run: phaseOf("update") });
  }

  test("buys nothing more, and tells why", async () => {
    const update = await previewAndBegin();
    const order = await update.plan();
    const other = await update.plan("other", elsewhere);
    expect(update.log.warnings).toEqual([
      expect.stringMatching(
        /^order 7000 of fleet: .* fallen by 10\.50 USD since; .*nothing more is/,
      ),
    ]);
    expect((await update.orders.create(order)).purchases).toMatchObject([{ charged: 10.5 }]);
    const { code, message } = await failureOf(update.orders.create(other));
    expect([code, message]).toEqual(["BUYING_STOPPED", expect.stringContaining("10.50 USD")]);
    expect(update.service.calls.createOrder).toBe(1);
  });

  test("buys nothing more either if another process of it has the other order", async () => {
    const update = await previewAndBegin();
    await update.plan();
    const beside = beginRun({
      service: update.service,
      run: phaseOf("update"),
      besideOthers: true,
    });
    expect((await failureOf(beside.buy("other", elsewhere))).code).toBe("BUYING_STOPPED");
  });

  test("goes on buying if it takes the order not over, for which the program asks no more", async () => {
    const update = await previewAndBegin();
    await update.buy("other", elsewhere);
    expect(update.service.calls.createOrder).toBe(2);
  });

  test("is the last one that stops: the next run has the order in its state", async () => {
    const update = await previewAndBegin();
    const inputs = await update.plan();
    const state = await update.orders.create(inputs);
    await update.account.journal.endRun();
    const next = beginRun({ service: update.service, run: { ...phaseOf("update"), run: "next" } });
    await next.orders.check(ownerOf("fleet"), inputs, given());
    await next.orders.diff(state, inputs, new Set());
    await next.buy("other", elsewhere);
    expect(next.log.warnings).toEqual([]);
  });

  test("stops no run after one that was told, and was then ended in the ordinary way", async () => {
    const update = await previewAndBegin();
    await update.orders.create(await update.plan());
    await update.account.journal.endRun();
    const next = beginRun({ service: update.service, run: { ...phaseOf("update"), run: "next" } });
    expect((await next.plan()).quote.effect).toBe("recover");
    await next.buy("other", elsewhere);
    expect(next.log.warnings).toEqual([]);
  });
});

type ExtensionRun = ReturnType<typeof beginExtensionRun>;

/** Its proxies have been there for a month. So they do not explain why the balance has fallen. */
function beginOnOldProxies(options: Parameters<typeof beginExtensionRun>[0] = {}): ExtensionRun {
  const run = beginExtensionRun(options);
  const dateStart = "2026-02-01T00:00:00Z";
  run.service.records = run.service.records.map((listed) => ({ ...listed, dateStart }));
  return run;
}

/** The first extension of a run, for 2.00 USD, is charged with 3.00 USD. */
function overchargeFirst({ service }: ExtensionRun): void {
  service.before.extend = async () => {
    delete service.before.extend;
    service.balance -= 1;
    return undefined;
  };
}

/** A run is killed in its first extension, which is charged with 1.00 USD more than its price. */
async function overchargeExtensionAndDie(
  killed = beginOnOldProxies(),
  pay = async ({ plan, extensions }: ExtensionRun): Promise<unknown> =>
    extensions.create(await plan()),
): Promise<FakeService> {
  const { replace } = killed.journal.store;
  killed.journal.store.replace = async () => {
    throw new Error("the process is gone");
  };
  overchargeFirst(killed);
  killed.die();
  await pay(killed).catch(() => undefined);
  killed.journal.store.replace = replace;
  expect(killed.service.calls.extend).toBeGreaterThan(0);
  return killed.service;
}

test("a killed run's extension is weighed alike", async () => {
  const run = beginExtensionRun({ service: await overchargeExtensionAndDie() });
  const { state } = await run.extend();
  expect(await chargesOf(run)).toEqual([{ price: 2, charged: 3 }]);
  expect(run.log.warnings.join()).toContain("2.00 USD were confirmed");
  expect(state.purchases).toMatchObject([{ price: 2, charged: 3 }]);
});

test("191: an update buys nothing more beside an extension whose charge its preview has found out", async () => {
  const service = await overchargeExtensionAndDie();
  const begin = (run: RunIdentity) => beginExtensionRun({ service, run });
  const pay = ({ account }: Pick<Run, "account">) =>
    account.spendLimit.assertMaySpend(ownerOf("other"), { price: 1, currency: "USD" });
  const preview = begin(phaseOf("preview"));
  await preview.plan();
  await preview.account.journal.endRun();

  const update = begin(phaseOf("update"));
  const { inputs, state } = await update.extend();
  expect(() => pay(update)).toThrow("the balance has fallen by 3.00 USD");
  expect(update.log.warnings).toHaveLength(1);
  await update.account.journal.endRun();

  const edited = { paidThrough: TWO_PERIODS };
  const shown = begin({ ...phaseOf("preview"), run: "shown", commandId: "cli-2" });
  await shown.plan(edited, inputs);
  await shown.account.journal.endRun();
  const next = begin({ ...phaseOf("update"), run: "next", commandId: "cli-2" });
  await next.extensions.update(state, await next.plan(edited, inputs));
  expect(() => pay(next)).not.toThrow();
  expect([...shown.log.warnings, ...next.log.warnings]).toEqual([]);
});

/** What the engine has kept of an extension: its inputs and its state. */
interface Kept {
  inputs?: CheckedExtension | undefined;
  state?: ExtensionState | undefined;
}

async function refresh({ extensions }: ExtensionRun, { inputs, state }: Kept): Promise<Kept> {
  if (state === undefined) return { inputs, state };
  const read = await extensions.read(state);
  return { inputs: read.drift ?? inputs, state: read.state };
}

/** One `pulumi up` of an extension: its preview and its update. Gives what the engine keeps, and why it failed. */
async function extendUp(
  service: FakeService,
  number: number,
  args: object,
  kept: Kept,
  refreshes: boolean,
): Promise<Kept & { failure?: string }> {
  const begin = (phase: "preview" | "update") =>
    beginExtensionRun({
      service,
      run: { ...phaseOf(phase), run: `${phase} ${number}`, commandId: `cli-${number}` },
    });
  const check = async (run: ExtensionRun) => {
    const found = refreshes ? await refresh(run, kept) : kept;
    return { found, planned: await run.plan(args, found.inputs) };
  };
  const preview = begin("preview");
  await check(preview);
  await preview.account.journal.endRun();
  const update = begin("update");
  const { found, planned } = await check(update);
  const before = found.state;
  const change = before && (await update.extensions.diff(before, planned, new Set()));
  if (change?.kind === "none") return { inputs: planned, state: before };
  const pay = before
    ? update.extensions.update(before, planned)
    : update.extensions.create(planned);
  const done = await pay.catch((error: Error) => error);
  await update.account.journal.endRun();
  if (!(done instanceof Error)) return { inputs: planned, state: done };
  const { message: failure } = done;
  const isSaved = done instanceof ExtensionUnfinishedError;
  return isSaved ? { inputs: planned, state: done.state, failure } : { ...found, failure };
}

describe("223: where a killed run has paid one of several extensions above its price, the next run saves it and stops, and the one after it goes on:", () => {
  test.each([[false], [true]])("a new resource, with a refresh: %s", async (refreshes) => {
    const args = { paidThrough: TWO_PERIODS };
    const service = await overchargeExtensionAndDie(undefined, async ({ plan, extensions }) =>
      extensions.create(await plan(args)),
    );
    const stopped = await extendUp(service, 2, args, {}, refreshes);
    expect(stopped.failure).toMatch(
      /^EXTENSION_INCOMPLETE: 1 extension of an earlier run is paid \(3\.00 USD\) and saved\. Then: BUYING_STOPPED/,
    );
    expect(stopped.state?.purchases).toMatchObject([{ price: 2, charged: 3 }]);
    expect(service.extensions).toHaveLength(1);
    const done = await extendUp(service, 3, args, stopped, refreshes);
    expect(done.failure).toBeUndefined();
    expect(done.state?.purchases).toMatchObject([{ price: 2, charged: 3 }, { price: 2 }]);
    const kept = await extendUp(service, 4, args, done, refreshes);
    expect([kept.failure, kept.inputs?.quote.effect]).toEqual([undefined, "none"]);
    expect(service.extensions).toHaveLength(2);
  });

  test.each([[false], [true]])("an edited resource, with a refresh: %s", async (refreshes) => {
    const before = beginOnOldProxies();
    const first = await before.extend();
    await before.account.journal.endRun();
    const args = { paidThrough: "2026-06-28" };
    const service = await overchargeExtensionAndDie(
      beginExtensionRun({ service: before.service }),
      async ({ plan, extensions }) =>
        extensions.update(first.state, await plan(args, first.inputs)),
    );
    const stopped = await extendUp(service, 2, args, first, refreshes);
    expect(stopped.failure).toContain("BUYING_STOPPED");
    expect(service.extensions).toHaveLength(2);
    const done = await extendUp(service, 3, args, stopped, refreshes);
    expect(done.failure).toBeUndefined();
    expect(done.state?.purchases.map(({ charged = 2 }) => charged)).toEqual([2, 3, 2]);
    expect(service.extensions).toHaveLength(3);
  });
});

test.each([[false], [true]])(
  "224: an extension that was charged more, and that the state has while the listing does not show it, stops no later run, with a refresh: %s",
  async (refreshes) => {
    const args = { paidThrough: TWO_PERIODS };
    const killed = beginOnOldProxies();
    const { service } = killed;
    const inputs = await killed.plan(args);
    overchargeFirst(killed);
    const before = service.records.map((listed) => ({ ...listed }));
    showInstead(service, "all", () => before);
    const failure = await failureOf(killed.extensions.create(inputs));
    if (!(failure instanceof ExtensionUnfinishedError)) throw failure;
    expect(failure.state.awaited).toBeDefined();
    killed.die();
    delete service.before.listProxies;
    const done = await extendUp(service, 2, args, { inputs, state: failure.state }, refreshes);
    expect(done.failure).toBeUndefined();
    expect(done.state?.purchases).toMatchObject([{ price: 2, charged: 3 }, { price: 2 }]);
    expect(service.extensions).toHaveLength(2);
  },
);
