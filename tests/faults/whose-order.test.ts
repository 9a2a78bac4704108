import { describe, expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import {
  adopt,
  type BoughtOrder,
  buy,
  buyAndDie,
  buyPending,
  buysAnew,
  countRenewing,
  goOn,
  HOUR_MS,
  journalKinds,
  make,
  makeRuns,
  planAnew,
  readPhases,
  remove,
  rename,
  resize,
  type ScopedRuns,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

const FIRST = "4683731";

const runOrLater = ["in the same run", "in a later run"];

/** An order is handed from one resource to another, and their names change: only states tell who has it. */
describe.each(journalKinds)("122: with a %s journal", (kind) => {
  test.each(runOrLater)(
    "an order is adopted after a rename, and the renamed resource is deleted %s",
    async (when) => {
      const runs = await makeRuns(kind);
      const fleet = await buy(runs, "");
      await switchOn(runs, FIRST);
      // The engine keeps the outputs as they are, so the state says `fleet`.
      await rename(runs, "", fleet, "armada");
      const keeper = await adoptAndDelete(runs, when, fleet);
      expect(countRenewing(runs)).toBe(5);
      await goOn(await runs.begin(""), keeper, "keeper");
      expect(await buysAnew(runs, "", "keeper")).toBe(0);
    },
  );

  test("a refresh of the renamed resource does not name it as the new owner", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await rename(runs, "", fleet, "armada");
    await adopt(runs, "", "keeper", FIRST);
    const run = await runs.begin("");
    const found = await run.orders.read(fleet.state);
    expect(found.kind === "present" && nameOf(found.state.owner)).toBe("armada");
  });

  test.each(runOrLater)(
    "a renamed order is moved to the other host, its former state deleted %s",
    async (when) => {
      const runs = await makeRuns(kind);
      const fleet = await buy(runs, "");
      await switchOn(runs, FIRST);
      await rename(runs, "", fleet, "armada");
      const moved = onOtherHost(fleet.state.owner.replace(/fleet$/, "armada"));
      await moveTo(runs, moved, fleet, when);
      expect(countRenewing(runs)).toBe(5);
      expect(await readPhases(runs)).not.toContain("armada closed");
    },
  );

  test("an order is moved to the other host and back: it is not bought again, nor left on when it is deleted", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const { owner } = fleet.state;
    const there = await moveTo(runs, onOtherHost(owner), fleet, "in a later run");
    const back = await moveTo(runs, owner, there, "in a later run");
    expect(countRenewing(runs)).toBe(5);
    expect(await buysAnew(runs, "")).toBe(0);
    await remove(runs, "", back);
    expect(countRenewing(runs)).toBe(0);
  });

  describe("the new owner gets the name of the former one", () => {
    async function swap(runs: ScopedRuns): Promise<BoughtOrder> {
      const fleet = await buy(runs, "");
      await switchOn(runs, FIRST);
      const keeper = await adopt(runs, "", "keeper", FIRST, { goal: "fleet" });
      await remove(runs, "", fleet);
      await goOn(await runs.begin(""), keeper);
      return keeper;
    }

    test("its order is not bought again", async () => {
      const runs = await makeRuns(kind);
      await swap(runs);
      expect(await planAnew(runs, "")).toContain("has bought 5 IPv4 proxies");
    });

    test("its automatic extension is switched off when it is deleted", async () => {
      const runs = await makeRuns(kind);
      await remove(runs, "", await swap(runs));
      expect(countRenewing(runs)).toBe(0);
      expect(await readPhases(runs)).toEqual(["fleet closed"]);
    });

    test("a refresh knows it, and another resource may have its former name", async () => {
      const runs = await makeRuns(kind);
      const keeper = await swap(runs);
      const run = await runs.begin("");
      await run.orders.read(keeper.state);
      expect((await planOrder(run, "keeper", { country: "DEU" })).quote.effect).toBe("buy");
    });
  });

  test("an adoption by mistake is undone by a delete: the former owner goes on with its order", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const keeper = await adopt(runs, "", "keeper", FIRST);
    const run = await runs.begin("");
    await run.orders.diff(fleet.state, await planOrder(run, "fleet", {}, fleet.checked), new Set());
    await run.orders.delete(keeper.state);
    await run.account.journal.endRun();
    expect(countRenewing(runs)).toBe(5);
    expect(await readPhases(runs)).toEqual(["fleet confirmed"]);
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("the same where the run that deletes the new owner does not meet the former one", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), fleet);
    await remove(runs, "", keeper);
    expect(countRenewing(runs)).toBe(5);
    expect(await readPhases(runs)).toEqual(["fleet confirmed"]);
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("a former owner that was taken out of the state keeps no order: the new owner's delete lets it go", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "");
    await switchOn(runs, FIRST);
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), keeper, "keeper");
    expect(await planAnew(runs, "")).toBe("buy");
    await remove(runs, "", keeper);
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual(["keeper closed"]);
  });

  test("an adoption that is taken out of the state is not seen any more: the former owner goes on", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), keeper, "keeper");
    for (let i = 0; i < 2; i += 1) await goOn(await runs.begin(""), fleet);
    expect(await buysAnew(runs, "")).toBe(0);
    await remove(runs, "", fleet);
    expect(await buysAnew(runs, "", "fleet")).toBe(1);
  });

  test("a run is killed before the engine saves the adoption: the former owner goes on", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await adoptAndDie(runs);
    for (let i = 0; i < 2; i += 1) await goOn(await runs.begin(""), fleet);
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("the same, of an order of a run that was killed: its resource does not buy it again", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    await adoptAndDie(runs);
    expect(await buysAnew(runs, "")).toBe(0);
    expect(await buysAnew(runs, "", "fleet", { goal: "another" })).toBe(0);
  });

  test.each([
    ["production", "staging"],
    ["", ""],
    ["", "staging"],
    ["production", ""],
  ])(
    "a stack of the scope %j is destroyed after one of the same names, of %j, has adopted its order",
    async (former, scope) => {
      const runs = await makeRuns(kind);
      const fleet = await buy(runs, former);
      await switchOn(runs, FIRST);
      await goOn(await runs.begin(scope), await adopt(runs, scope, "fleet", FIRST));
      await remove(runs, former, fleet);
      expect(countRenewing(runs)).toBe(5);
      expect(await buysAnew(runs, scope)).toBe(0);
    },
  );

  test("a mistaken adoption is deleted twice: its first delete was not saved", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), fleet);
    for (let i = 0; i < 2; i += 1) await remove(runs, "", keeper);
    expect(await readPhases(runs)).toEqual(["fleet confirmed"]);
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("an adoption that was never saved is taken back, and its stack destroyed", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    await adoptAndDie(runs);
    await goOn(await runs.begin(""), fleet);
    await remove(runs, "", fleet);
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual(["keeper closed"]);
  });

  test("a former state and the new owner are deleted in one run: the living state has its order", async () => {
    const runs = await makeRuns(kind);
    const former = await make(runs, "", "buy", { endsInOrder: false });
    await switchOn(runs, FIRST);
    const cut = await runs.begin("");
    const state = await cut.orders.create(await planOrder(cut, "fleet"));
    runs.clock.advance(HOUR_MS);
    const keeper = await adopt(runs, "", "keeper", FIRST);
    const run = await runs.begin("");
    await run.orders.diff(state, await planOrder(run, "fleet", {}, former.checked), new Set());
    await run.orders.delete(former.state);
    await run.orders.delete(keeper.state);
    expect(countRenewing(runs)).toBe(5);
  });

  test("a resource that adopts its order anew keeps it if its former state is deleted first", async () => {
    const runs = await makeRuns(kind);
    const { checked, state } = await adopt(runs, "", "fleet", await buyAndLose(runs));
    await switchOn(runs, FIRST);
    await goOn(await runs.begin(""), { checked, state });
    const run = await runs.begin("");
    // By --target-replace, with deleteBeforeReplace: the engine gives no former inputs.
    const anew = await planOrder(run, "fleet", { adoptOrderNumber: FIRST });
    await run.orders.delete(state);
    await run.orders.create(anew);
    expect(countRenewing(runs)).toBe(5);
  });

  test("two processes of a run replace a resource by its own order: the former state lets it alone", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const [making, deleting] = [await runs.begin(""), await runs.begin("")];
    const state = await making.orders.create(
      await planOrder(making, "fleet", { adoptOrderNumber: FIRST }),
    );
    await making.account.journal.endRun();
    await deleting.orders.delete(fleet.state);
    await deleting.account.journal.endRun();
    expect(state.purchases).toHaveLength(1);
    expect(countRenewing(runs)).toBe(5);
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("another process writes about a purchase while it is given: it is given all the same", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    let isFirst = true;
    const run = await runs.begin("", {
      interpose: {
        store: (real) => ({
          ...real,
          async replace(next, ...rest) {
            if (next.holders && isFirst) {
              isFirst = false;
              await goOn(await runs.begin(""), fleet);
            }
            await real.replace(next, ...rest);
          },
        }),
      },
    });
    await run.orders.create(await planOrder(run, "keeper", { adoptOrderNumber: FIRST }));
    await run.account.journal.endRun();
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
    expect(await buysAnew(runs, "", "keeper")).toBe(0);
  });

  test("a stack is renamed, and the engine names its states: a replaced order and a deleted one are let go", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const owner = fleet.checked.owner.replace(":dev::", ":prod::");
    const run = await runs.begin("");
    await run.orders.diff(fleet.state, { ...fleet.checked, owner }, new Set());
    expect(await run.orders.read(fleet.state, owner)).toMatchObject({ state: { owner } });
    await run.orders.delete(fleet.state, owner);
    await run.account.journal.endRun();
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual(["fleet closed"]);
  });

  test("a resource asks for more although another one has an order that was bought by the same request", async () => {
    const runs = await makeRuns(kind);
    const former = await buy(runs, "");
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await remove(runs, "", former);
    const fleet = await buy(runs, "");
    const run = await runs.begin("");
    await run.orders.diff(
      keeper.state,
      await planOrder(run, "keeper", {}, keeper.checked),
      new Set(),
    );
    const more = await planOrder(run, "fleet", { quantity: 10 }, fleet.checked);
    expect(more.quote.effect).toBe("topUp");
  });

  test("an adoption that its run has saved stands in nobody's way", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    await adopt(runs, "", "keeper", FIRST);
    expect(await buysAnew(runs, "")).toBe(1);
  });

  test("a plan of the former owner whose state is lost waits until the run meets the new owner, or is refused", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await goOn(await runs.begin(""), keeper, "keeper");
    await goOn(await runs.begin(""), fleet);
    expect(await planAnew(runs, "")).toContain("another resource has taken it over");
    const run = await runs.begin("");
    const planned = planOrder(run, "fleet");
    const same = await planOrder(run, "keeper", {}, keeper.checked);
    await run.orders.diff(keeper.state, same, new Set());
    expect((await planned).quote.effect).toBe("buy");
  });

  test("a resource whose order was given away buys one of its own, and each is let go by itself", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    const keeper = await adopt(runs, "", "keeper", FIRST);
    await remove(runs, "", fleet);
    const another = await buy(runs, "");
    for (const { orderNumber } of [fleet.state, another.state]) await switchOn(runs, orderNumber);
    await remove(runs, "", another);
    expect(countRenewing(runs)).toBe(5);
    await remove(runs, "", keeper);
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual(["keeper closed", "fleet closed"]);
  });

  test("a smaller quantity of the former owner leaves the new owner's automatic extension on", async () => {
    const runs = await makeRuns(kind);
    const fleet = await resize(runs, "", await buy(runs, ""), 8);
    await switchOn(runs, FIRST);
    await adopt(runs, "", "keeper", FIRST);
    const { state } = await resize(runs, "", fleet, 3);
    expect(new Set(state.released.map(({ orderId }) => orderId))).toEqual(new Set([FIRST]));
    expect(countRenewing(runs)).toBe(5);
  });

  test("a resource takes back its first order, whose request it has made again: the second is let go", async () => {
    const runs = await makeRuns(kind);
    await remove(runs, "", await buy(runs, ""));
    const second = await buy(runs, "");
    await switchOn(runs, second.state.orderNumber);
    const run = await runs.begin("");
    const adopting = { adoptOrderNumber: FIRST };
    const checked = await planOrder(run, "fleet", adopting, second.checked);
    expect((await run.orders.diff(second.state, checked, new Set())).kind).toBe("replace");
    await run.orders.create(await planOrder(run, "fleet", adopting));
    await run.orders.delete(second.state);
    expect(countRenewing(runs)).toBe(0);
  });

  test("a state that was put back to before an adoption of its own order is let go as any other", async () => {
    const runs = await makeRuns(kind);
    const before = await buy(runs, "");
    await switchOn(runs, FIRST);
    await adopt(runs, "", "fleet", FIRST);
    await goOn(await runs.begin(""), before);
    await remove(runs, "", before);
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual(["fleet closed"]);
  });

  test("the engine replaces a resource, and is cut off when its order was recovered: a later run lets the former state go", async () => {
    const runs = await makeRuns(kind);
    const former = await make(runs, "", "buy", { endsInOrder: false });
    await switchOn(runs, FIRST);
    const cut = await runs.begin("");
    const checked = await planOrder(cut, "fleet");
    expect(checked.quote.effect).toBe("recover");
    const state = await cut.orders.create(checked);
    runs.clock.advance(HOUR_MS);
    const run = await runs.begin("");
    await run.orders.diff(state, await planOrder(run, "fleet", {}, checked), new Set());
    await run.orders.delete(former.state);
    await run.account.journal.endRun();
    expect(countRenewing(runs)).toBe(5);
    expect(await readPhases(runs)).toEqual(["fleet confirmed"]);
  });

  test("the same where the journal can't be read any more when the former state is deleted", async () => {
    const runs = await makeRuns(kind);
    const former = await make(runs, "", "buy", { endsInOrder: false });
    await switchOn(runs, FIRST);
    const { checked, state } = await make(runs, "", "recover", { endsInOrder: false });
    let isAway = false;
    const run = await runs.begin("", {
      interpose: {
        store: (real) => ({
          ...real,
          async readAll() {
            if (isAway) throw new JournalError("unavailable", "the store is away");
            return real.readAll();
          },
        }),
      },
    });
    await run.orders.diff(state, await planOrder(run, "fleet", {}, checked), new Set());
    isAway = true;
    await run.orders.delete(former.state);
    expect(countRenewing(runs)).toBe(5);
  });

  test("an adoption is refused if its run has met the order in another resource's state since it was planned", async () => {
    const runs = await makeRuns(kind);
    const fleet = await resize(runs, "", await buy(runs, ""), 8);
    const run = await runs.begin("");
    const same = await planOrder(run, "fleet", { quantity: 8 }, fleet.checked);
    const plan = await planOrder(run, "keeper", { adoptOrderNumber: FIRST });
    await run.orders.diff(fleet.state, same, new Set());
    await expect(run.orders.create(plan)).rejects.toThrow(/fleet owns already/);
  });

  test("a delete that leaves all orders to others says of none that it is let go", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await adopt(runs, "", "keeper", FIRST);
    const run = await runs.begin("");
    await run.orders.delete(fleet.state);
    expect(run.lines.filter((line) => line.includes(FIRST))).toEqual([
      expect.stringContaining(`order ${FIRST} is left to keeper`),
    ]);
  });

  test("one run recovers a further order, and then another resource names it", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await resizeAndDie(runs, fleet);
    const run = await runs.begin("");
    const more = await planOrder(run, "fleet", { quantity: 8 }, fleet.checked);
    expect(more.quote.effect).toBe("recover");
    await run.orders.diff(fleet.state, more, new Set());
    const { purchases } = await run.orders.update(fleet.state, more);
    const adoptOrderNumber = purchases[1]?.orderNumber;
    await expect(planOrder(run, "keeper", { adoptOrderNumber, quantity: 3 })).rejects.toThrow(
      /fleet owns already/,
    );
  });

  test("one run recovers an order for its resource and adopts it for another: one of them has it", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    const run = await runs.begin("");
    const plans = [
      await planOrder(run, "fleet"),
      await planOrder(run, "keeper", { adoptOrderNumber: FIRST }),
    ];
    expect(plans.map(({ quote }) => quote.effect)).toEqual(["recover", "adopt"]);
    const made = await Promise.allSettled(plans.map((plan) => run.orders.create(plan)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

/** A state has an order whose purchase was closed. */
describe.each(journalKinds)("123: with a %s journal", (kind) => {
  test("one that was deleted by mistake, and imported, is not bought again", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await remove(runs, "", fleet);
    const run = await runs.begin("");
    const { inputs, state } = await run.orders.import(fleet.state.owner, FIRST);
    await run.account.journal.endRun();
    await goOn(await runs.begin(""), { checked: inputs, state });
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("one that was deleted before its resource adopted it is not bought again", async () => {
    const late = { orderNumberDiffersFromOrderId: true, deliveryDelayMs: 200_000 };
    const runs = await makeRuns(kind, late);
    const waiting = await buyPending(runs, "", {});
    const adoptOrderNumber = runs.simulator.orders()[0]?.orderId ?? "";
    const run = await runs.begin("");
    await planOrder(run, "fleet", { adoptOrderNumber }, waiting.checked);
    await run.orders.delete(waiting.state);
    const checked = await planOrder(run, "fleet", { adoptOrderNumber });
    const state = await run.orders.create(checked);
    await run.account.journal.endRun();
    await goOn(await runs.begin(""), { checked, state });
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("one that the release before closed when it was adopted is not bought again", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "");
    const { checked, state } = await adopt(runs, "", "fleet", FIRST);
    await closeAll(runs);
    for (let i = 0; i < 2; i += 1) {
      await goOn(await runs.begin(""), { checked, state: { ...state, purchases: [] } });
    }
    expect(await readPhases(runs)).toEqual(["fleet confirmed"]);
    expect(await buysAnew(runs, "")).toBe(0);
  });
});

function onOtherHost(owner: string): string {
  return owner.replace("::proxyrental:", "::pulumi-nodejs:dynamic/proxyrental:");
}

/** The keeper takes an order over, and its former owner is deleted. */
async function adoptAndDelete(
  runs: ScopedRuns,
  when: string,
  { state: former }: BoughtOrder,
): Promise<BoughtOrder> {
  let run = await runs.begin("");
  const adopting = { adoptOrderNumber: FIRST };
  const checked = await planOrder(run, "keeper", adopting);
  const state = await run.orders.create(checked);
  if (when === "in a later run") {
    await run.account.journal.endRun();
    runs.clock.advance(HOUR_MS);
    run = await runs.begin("");
    await run.orders.diff(state, await planOrder(run, "keeper", adopting, checked), new Set());
  }
  await run.orders.delete(former);
  await run.account.journal.endRun();
  runs.clock.advance(HOUR_MS);
  return { checked, state };
}

/** An order whose state is lost. Gives its number. */
async function buyAndLose(runs: ScopedRuns): Promise<string> {
  return (await buy(runs, "")).state.orderNumber;
}

/** A run that is killed before the engine has the further order that it bought. */
async function resizeAndDie(
  { begin, clock }: ScopedRuns,
  { checked, state }: BoughtOrder,
): Promise<void> {
  const run = await begin("");
  await run.orders.update(state, await planOrder(run, "fleet", { quantity: 8 }, checked));
  clock.advance(HOUR_MS);
}

/** The keeper takes an order over in a run that is killed before the engine saves that. */
async function adoptAndDie({ begin, clock }: ScopedRuns): Promise<void> {
  const run = await begin("");
  await run.orders.create(
    await planOrder(run, "keeper", { adoptOrderNumber: FIRST, goal: "fleet" }),
  );
  clock.advance(HOUR_MS);
}

/** The stack moves to the other host: it imports the order there, and deletes the former resource. */
async function moveTo(
  runs: ScopedRuns,
  owner: string,
  { state: former }: BoughtOrder,
  when: string,
): Promise<BoughtOrder> {
  let run = await runs.begin("");
  const { inputs, state } = await run.orders.import(owner, FIRST);
  await run.orders.diff(state, inputs, new Set());
  if (when === "in a later run") {
    await run.account.journal.endRun();
    runs.clock.advance(HOUR_MS);
    run = await runs.begin("");
    await run.orders.diff(state, inputs, new Set());
  }
  await run.orders.delete(former);
  await run.account.journal.endRun();
  runs.clock.advance(HOUR_MS);
  return { checked: inputs, state };
}

async function closeAll({ begin }: ScopedRuns): Promise<void> {
  const { journal } = (await begin("")).account;
  for (const purchase of await journal.readAll()) {
    await journal.change(purchase, { phase: "closed", closedBecause: "resolved" });
  }
  await journal.endRun();
}
