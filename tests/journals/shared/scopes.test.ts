import { describe, expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { findSaved } from "../../../provider/core/order/recover/recover.ts";
import type { RunIdentity } from "../../../provider/core/ports.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { createMemoryStore } from "../../core/support/memory-store.ts";
import { startForTest } from "../../simulator/start.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { planOrder } from "./shared-run.ts";

const HOUR_MS = 3_600_000;

/** A part of `pulumi up`, or of `pulumi preview`. */
function identity(command: "preview" | "up", phase: "preview" | "update"): RunIdentity {
  return { run: undefined, command, commandId: undefined, phase: () => phase };
}

const applying = identity("up", "update");

/** Runs that share a journal. Their stacks have one name. On machines of their own, each is in another folder. */
async function makeRuns(kind: "shared" | "local") {
  const simulator = await startForTest();
  const clock = createVirtualClock();
  const raw = createMemoryStore(clock.now);
  const home = await makeTemporaryFolder();
  let machines = 0;
  const onMachine = async () => {
    machines += 1;
    return { journalDir: await makeTemporaryFolder(), project: `/checkout-${machines}` };
  };
  const begin = async (
    scope: string,
    { interpose = {}, run = applying }: { interpose?: Interposition; run?: RunIdentity } = {},
  ) =>
    beginAccountRun({
      ...{ simulator, clock, interpose, scope, run },
      ...(kind === "local" ? { journalDir: home } : await onMachine()),
      openJournal: (place, own) =>
        kind === "local"
          ? openFileJournal(place, own)
          : openSharedJournal({ documents: openDocuments(raw, own), isProbed: false }, place, own),
    });
  return { simulator, clock, begin };
}

type Runs = Awaited<ReturnType<typeof makeRuns>>;

/** Buys an order in a run that ends in the ordinary way, and gives its state. */
async function buy({ begin, clock }: Pick<Runs, "begin" | "clock">, scope: string) {
  const run = await begin(scope);
  const checked = await planOrder(run, "fleet");
  const state = await run.orders.create(checked);
  await run.account.journal.endRun();
  clock.advance(HOUR_MS);
  return { checked, state };
}

type Bought = Awaited<ReturnType<typeof buy>>;

/** Buys an order in a run that is killed before the engine has it. */
async function buyAndDie({ begin, clock }: Pick<Runs, "begin" | "clock">, scope: string) {
  const death = Promise.withResolvers<void>();
  const run = await begin(scope, {
    interpose: {
      store: (real) => ({
        ...real,
        async replace(next, ...rest) {
          await real.replace(next, ...rest);
          if (next.phase !== "returned") return;
          death.resolve();
          await new Promise(() => undefined);
        },
      }),
    },
  });
  run.orders.create(await planOrder(run, "fleet")).catch(death.reject);
  await death.promise;
  clock.advance(HOUR_MS);
}

/** A run that finds the order in its state, and has nothing to do. */
async function goOn(run: AccountRun, { checked, state }: Bought) {
  const again = await planOrder(run, "fleet", {}, checked);
  expect(again.quote.effect).toBe("none");
  await run.orders.diff(state, again, new Set());
  await run.account.journal.endRun();
}

describe.each(["shared", "local"] as const)("on a %s journal", (kind) => {
  test("two stacks of one name buy one order each, if each has a scope", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "staging");
    await buy(runs, "production");
    expect(runs.simulator.orders()).toHaveLength(2);
  });

  test("and none of them buys a second one after its state was lost", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "staging");
    await buy(runs, "production");
    for (const scope of ["staging", "production"]) {
      const again = await runs.begin(scope);
      const plan = await planOrder(again, "fleet");
      expect(plan.quote).toMatchObject({ effect: "recover", price: 0 });
      await again.orders.create(plan);
    }
    expect(runs.simulator.orders()).toHaveLength(2);
  });

  test("what a killed run has paid is its own stack's, in its own scope alone", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "staging");
    const other = await runs.begin("production");
    const elsewhere = await planOrder(other, "fleet", { goal: "something else" });
    expect(elsewhere.quote.effect).toBe("buy");
    await other.orders.create(elsewhere);
    const own = await runs.begin("staging");
    const plan = await planOrder(own, "fleet");
    expect(plan.quote).toMatchObject({ effect: "recover", price: 0 });
    await own.orders.create(plan);
    expect(runs.simulator.orders()).toHaveLength(2);
  });

  test("a run is not stopped by a purchase that a stack of another scope has made since it began", async () => {
    const runs = await makeRuns(kind);
    const first = await runs.begin("staging");
    const plan = await planOrder(first, "fleet");
    await buy(runs, "production");
    await first.orders.create(plan);
    expect(runs.simulator.orders()).toHaveLength(2);
  });

  test("what a preview of one scope has shown does not bind another one", async () => {
    const runs = await makeRuns(kind);
    const preview = await runs.begin("staging", { run: identity("preview", "preview") });
    await planOrder(preview, "fleet", { quantity: 1 });
    const other = await runs.begin("production");
    await other.orders.create(await planOrder(other, "fleet"));
    const own = await runs.begin("staging");
    const plan = await planOrder(own, "fleet");
    await expect(own.orders.create(plan)).rejects.toThrow(/the last preview .* showed/);
  });

  test("an order from before its stack had a scope stands in the way of all, until its stack has run with one", async () => {
    const runs = await makeRuns(kind);
    const before = await buy(runs, "");
    await expect(planOrder(await runs.begin("production"), "fleet")).rejects.toThrow(
      /a stack of this name without a journalScope has bought it.*give it a journalScope, too/,
    );
    await goOn(await runs.begin("staging"), before);
    await buy(runs, "production");
    expect(runs.simulator.orders()).toHaveLength(2);
  });

  test.each(["staging", ""])(
    "nor is anything bought beside it without a scope, by a run of scope '%s'",
    async (first) => {
      const runs = await makeRuns(kind);
      await buy(runs, first);
      await expect(buy(runs, first === "" ? "staging" : "")).rejects.toThrow(
        /if it is that one, set that|give it a journalScope, too/i,
      );
      expect(runs.simulator.orders()).toHaveLength(1);
    },
  );

  test.each(["", "staging"])(
    "a cancelled run without a scope buys nothing after one of scope '%s'",
    async (second) => {
      const runs = await makeRuns(kind);
      const cancelled = await runs.begin("");
      const plan = await planOrder(cancelled, "fleet");
      await buy(runs, second);
      await expect(cancelled.orders.create(plan)).rejects.toThrow(/was not sent/);
      expect(runs.simulator.orders()).toHaveLength(1);
    },
  );

  test("a state that was copied to another scope takes no order from the scope that bought it", async () => {
    const runs = await makeRuns(kind);
    await goOn(await runs.begin("production"), await buy(runs, "staging"));
    await expect(planOrder(await runs.begin("staging"), "fleet")).rejects.toThrow(
      /the engine shows no state that has it/,
    );
  });

  test.each([
    ["its state was never read again", async () => undefined],
    [
      "its state was seen to have it",
      async (runs: Runs, bought: Bought) => goOn(await runs.begin(""), bought),
    ],
  ])(
    "an order from before that a scope has taken over is in no other scope's way: %s",
    async (_what, settle) => {
      const runs = await makeRuns(kind);
      const bought = await buy(runs, "");
      await settle(runs, bought);
      const { state } = bought;
      const run = await runs.begin("staging");
      const adopting = { adoptOrderNumber: state.orderNumber };
      const checked = await planOrder(run, "fleet", adopting);
      const taken = await run.orders.create(checked);
      await run.account.journal.endRun();
      const next = await runs.begin("staging");
      const again = await planOrder(next, "fleet", adopting, checked);
      await next.orders.diff(taken, again, new Set());
      await next.account.journal.endRun();
      await buy(runs, "production");
      expect(runs.simulator.orders()).toHaveLength(2);
    },
  );

  test.each(["test", ""])(
    "an order of scope '%s' is released by its deletion in another one",
    async (former) => {
      const runs = await makeRuns(kind);
      const { state } = await buy(runs, former);
      const run = await runs.begin("staging");
      await run.orders.delete(state);
      await run.account.journal.endRun();
      expect((await run.account.journal.readAll()).map(({ phase }) => phase)).toEqual(["closed"]);
    },
  );

  test("an order that was renamed in a former scope is released by its deletion", async () => {
    const runs = await makeRuns(kind);
    const { checked, state } = await buy(runs, "test");
    const renaming = await runs.begin("test");
    const owner = state.owner.replace(/fleet$/, "renamed");
    await renaming.orders.diff(state, { ...checked, owner }, new Set());
    await renaming.account.journal.endRun();
    const run = await runs.begin("staging");
    // The engine keeps the outputs of a renamed resource.
    await run.orders.delete(state);
    await run.account.journal.endRun();
    expect((await run.account.journal.readAll()).map(({ phase }) => phase)).toEqual(["closed"]);
  });

  test.each([
    ["without a scope", "", "staging"],
    ["of another scope", "test", "staging"],
    ["with a scope, where none is set any more", "test", ""],
  ])("a purchase %s counts for the scope of the state that has it", async (_what, former, next) => {
    const runs = await makeRuns(kind);
    const bought = await buy(runs, former);
    await goOn(await runs.begin(next), bought);
    await expect(planOrder(await runs.begin(next), "fleet")).rejects.toThrow(
      /the engine shows no state that has it/,
    );
    expect(runs.simulator.orders()).toHaveLength(1);
  });

  test("a plan of a scope does not take an order from before for its own", async () => {
    const runs = await makeRuns(kind);
    const before = await buy(runs, "");
    await goOn(await runs.begin(""), before);
    const { account: own } = await runs.begin("");
    expect(await findSaved(own, before.checked)).toMatchObject({ phase: "confirmed" });
    const { account: other } = await runs.begin("staging");
    expect(await findSaved(other, before.checked)).toBeUndefined();
  });

  test.each([
    ["", "staging", /was bought by fleet .*with the journalScope none.*Nothing was imported/],
    ["staging", "", /was bought by fleet .*with the journalScope staging.*Nothing was imported/],
    ["staging", "production", /was bought by fleet .*staging\|.*Nothing was imported/],
  ])("an order of scope '%s' is not imported in scope '%s'", async (former, next, refusal) => {
    const runs = await makeRuns(kind);
    const { state } = await buy(runs, former);
    const importOrder = async (scope: string) =>
      (await runs.begin(scope)).orders.import(state.owner, state.orderNumber);
    await expect(importOrder(next)).rejects.toThrow(refusal);
    expect((await importOrder(former)).state.orderIds).toEqual(state.orderIds);
  });

  test("an order that a killed run has paid before its stack had a scope is left to a person", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    await expect(planOrder(await runs.begin("production"), "fleet")).rejects.toThrow(
      /order \d+ and did not finish: .*without a journalScope/,
    );
  });
});

test("what a killed run has paid is its stack's, from any folder of any machine", async () => {
  const runs = await makeRuns("shared");
  await buyAndDie(runs, "staging");
  const next = await runs.begin("staging");
  const plan = await planOrder(next, "fleet");
  expect(plan.quote).toMatchObject({ effect: "recover", price: 0 });
  await next.orders.create(plan);
  expect(runs.simulator.orders()).toHaveLength(1);
});

test("what a killed run has paid for the same is named, and not bought beside it", async () => {
  const runs = await makeRuns("shared");
  await buyAndDie(runs, "staging");
  const other = await runs.begin("production");
  const plan = await planOrder(other, "fleet");
  await expect(other.orders.create(plan)).rejects.toThrow(
    /order \d+ .* was bought for staging\|org\/urn:pulumi:dev::fleet::/,
  );
  expect(runs.simulator.orders()).toHaveLength(1);
});
