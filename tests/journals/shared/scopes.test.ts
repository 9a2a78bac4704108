import { describe, expect, test } from "vitest";
import { findSaved } from "../../../provider/core/order/recover/recover.ts";
import {
  awayFor,
  type BoughtOrder,
  buy,
  buyAndDie,
  countRenewing,
  goOn,
  journalKinds,
  makeRuns,
  orderByHand,
  planAnew,
  previewing,
  readPurchases,
  rename,
  type ScopedRuns,
  sendAndDie,
  switchOn,
} from "./scoped-runs.ts";
import { planOrder } from "./shared-run.ts";

describe.each(journalKinds)("on a %s journal", (kind) => {
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
    const preview = await runs.begin("staging", { run: previewing });
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
      async (runs: ScopedRuns, bought: BoughtOrder) => goOn(await runs.begin(""), bought),
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
    const bought = await buy(runs, "test");
    await rename(runs, "test", bought, "renamed");
    const run = await runs.begin("staging");
    // The engine keeps the outputs of a renamed resource.
    await run.orders.delete(bought.state);
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
    ["", "staging", /was bought by fleet .*without a journalScope.*Nothing was imported/],
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

  test("an order that was imported counts for the scope that its stack gets later", async () => {
    const runs = await makeRuns(kind);
    const { state } = await buy(runs, "");
    const importing = await runs.begin("");
    const imported = await importing.orders.import(state.owner, state.orderNumber);
    await importing.account.journal.endRun();
    const run = await runs.begin("staging");
    await run.orders.diff(imported.state, imported.inputs, new Set());
    await run.account.journal.endRun();
    expect(await planAnew(runs, "production")).toBe("buy");
  });

  test("an order that was imported follows its resource to another name", async () => {
    const runs = await makeRuns(kind);
    const { state } = await buy(runs, "");
    const importing = await runs.begin("");
    const imported = await importing.orders.import(state.owner, state.orderNumber);
    await importing.account.journal.endRun();
    await switchOn(runs, state.orderNumber);
    await rename(runs, "", { checked: imported.inputs, state: imported.state }, "armada");
    expect(await planAnew(runs, "", "armada")).toMatch(/an earlier run has bought/);
    await (await runs.begin("")).orders.delete(imported.state);
    expect(countRenewing(runs)).toBe(0);
  });

  test("an order of another scope is not imported by a resource of the other host either", async () => {
    const runs = await makeRuns(kind);
    const type = "pulumi-nodejs:dynamic/proxyrental:ProxyOrder";
    const checked = await planOrder(await runs.begin("staging"), "fleet");
    const owner = checked.owner.replace("proxyrental:ProxyOrder", type);
    const run = await runs.begin("staging");
    const { orderNumber } = await run.orders.create({ ...checked, owner });
    await run.account.journal.endRun();
    await expect((await runs.begin("")).orders.import(checked.owner, orderNumber)).rejects.toThrow(
      /Nothing was imported/,
    );
  });

  test.each([
    ["staging", "", /was bought by fleet .*with the journalScope staging/],
    ["", "staging", /was bought by fleet .*without a journalScope/],
    ["staging", "production", /was bought by fleet .*staging\|/],
  ])(
    "an adoption of an order of scope '%s' in scope '%s' says whose it is",
    async (former, next, said) => {
      const runs = await makeRuns(kind);
      const bought = await buy(runs, former);
      await goOn(await runs.begin(former), bought);
      const run = await runs.begin(next);
      await planOrder(run, "fleet", { adoptOrderNumber: bought.state.orderNumber });
      expect(run.lines.join("\n")).toMatch(said);
    },
  );

  test.each([
    ["staging", ""],
    ["", "production"],
    ["staging", "production"],
  ])(
    "what a killed run of scope '%s' may have bought is not closed by an adoption in scope '%s'",
    async (theirs, ours) => {
      const runs = await makeRuns(kind);
      await sendAndDie(runs, theirs);
      runs.clock.advance(1000);
      const orderNumber = await orderByHand(runs, 5, "USA");
      const run = await runs.begin(ours);
      await run.orders.create(await planOrder(run, "fleet", { adoptOrderNumber: orderNumber }));
      await run.account.journal.endRun();
      expect((await readPurchases(runs)).map(({ phase }) => phase)).not.toContain("closed");
      expect(await planAnew(runs, theirs)).not.toBe("buy");
    },
  );

  test.each([
    ["", "staging"],
    ["staging", ""],
    ["staging", "production"],
  ])(
    "a preview of scope '%s' binds although a stack of scope '%s' buys meanwhile",
    async (ours, theirs) => {
      const runs = await makeRuns(kind);
      const preview = await runs.begin(ours, { run: previewing });
      await planOrder(preview, "fleet", { quantity: 1 });
      await preview.account.journal.putAway();
      runs.clock.advance(60_000);
      await buy(runs, theirs, { quantity: 1 });
      const run = await runs.begin(ours);
      const plan = await planOrder(run, "other", { country: "DEU", quantity: 3 });
      await expect(run.orders.create(plan)).rejects.toThrow(/the last preview .* showed/);
    },
  );

  test("a purchase counts for a new scope although another process of the run writes about it at the same time", async () => {
    const runs = await makeRuns(kind);
    const bought = await buy(runs, "test");
    const run = await runs.begin("staging");
    await run.account.journal.readAtBeginning();
    const beside = await runs.begin("staging");
    const { owner, purchases } = bought.state;
    for (const known of purchases)
      await beside.account.journal.confirmPurchase({ owner, proxyType: "IPv4" }, known);
    await beside.account.journal.endRun();
    await goOn(run, bought);
    expect((await readPurchases(runs))[0]?.scopes).toEqual(["test", "staging"]);
    expect(await planAnew(runs, "staging")).not.toBe("buy");
  });

  test("also if it could not be written down at first, or else the run says so", async () => {
    const runs = await makeRuns(kind);
    const bought = await buy(runs, "test");
    const shaky = { isAway: true };
    const run = await runs.begin("staging", { interpose: awayFor(() => shaky.isAway) });
    const again = await planOrder(run, "fleet", {}, bought.checked);
    await run.orders.diff(bought.state, again, new Set());
    await run.orders.diff(bought.state, again, new Set());
    expect(run.lines).toHaveLength(1);
    expect(run.lines[0]).toMatch(
      /the store is away; until another `pulumi up` writes it down, the journal knows orders by their former names/,
    );
    shaky.isAway = false;
    await run.account.journal.endRun();
    expect((await readPurchases(runs))[0]?.scopes).toEqual(["test", "staging"]);
  });

  test("a run without a scope is not told to take over what a killed run of a scope has paid", async () => {
    const runs = await makeRuns(kind);
    const own = await buy(runs, "former");
    await goOn(await runs.begin("former"), own);
    await buyAndDie(runs, "staging");
    const run = await runs.begin("");
    await goOn(run, own);
    const told = run.lines.join("\n");
    expect(told).toMatch(/a stack of this name with the journalScope staging has bought it/);
    expect(told).not.toMatch(/You can take it over/);
  });

  test.each([
    ["", "staging"],
    ["staging", ""],
  ])("a resource may name the order that it has (scope '%s', then '%s')", async (former, next) => {
    const runs = await makeRuns(kind);
    const { checked, state } = await buy(runs, former);
    await goOn(await runs.begin(former), { checked, state });
    const run = await runs.begin(next);
    const adopting = { adoptOrderNumber: state.orderNumber };
    const plan = await planOrder(run, "fleet", adopting, checked);
    expect(plan.quote.effect).toBe("adopt");
    expect(run.lines.join()).not.toContain("was bought by");
  });

  test.each([
    ["", "staging"],
    ["staging", ""],
  ])(
    "an own order that was adopted ends with its resource (scope '%s', then '%s')",
    async (former, next) => {
      const runs = await makeRuns(kind);
      const bought = await buy(runs, former);
      await goOn(await runs.begin(former), bought);
      const adopting = await runs.begin(former);
      const { orderNumber } = bought.state;
      const plan = await planOrder(adopting, "fleet", { adoptOrderNumber: orderNumber });
      const state = await adopting.orders.create(plan);
      await adopting.account.journal.endRun();
      await switchOn(runs, orderNumber);
      const run = await runs.begin(next);
      await run.orders.delete(state);
      expect(countRenewing(runs)).toBe(0);
    },
  );

  test("what stands in the way of a further order is told with its scope", async () => {
    const runs = await makeRuns(kind);
    const own = await buy(runs, "former");
    await goOn(await runs.begin("former"), own);
    await goOn(await runs.begin("staging"), await buy(runs, "staging"));
    const run = await runs.begin("");
    const plan = await planOrder(run, "fleet", { quantity: 8 }, own.checked);
    await run.orders.diff(own.state, plan, new Set());
    await expect(run.orders.update(own.state, plan)).rejects.toThrow(
      /with the journalScope staging has bought it.*if it is that one, set that/,
    );
  });

  test("an order that a killed run has paid before its stack had a scope is left to a person", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    await expect(planOrder(await runs.begin("production"), "fleet")).rejects.toThrow(
      /order \d+ and has not finished: .*without a journalScope/,
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
    /bought .* for staging\|org\/urn:pulumi:dev::fleet::.* as order \d+/,
  );
  expect(runs.simulator.orders()).toHaveLength(1);
});
