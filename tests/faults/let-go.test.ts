import { describe, expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import {
  adopt,
  type BoughtOrder,
  before,
  buy,
  buyAndDie,
  buysAnew,
  countRenewing,
  goOn,
  HOUR_MS,
  importOrder,
  journalKinds,
  make,
  makeRuns,
  onceListed,
  onceSwitching,
  ownTwice,
  planAnew,
  readPhases,
  remove,
  rename,
  type ScopedRuns,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { ownerCalled, planOrder } from "../journals/shared/shared-run.ts";
import type { Interposition } from "../support/account.ts";

const FIRST = "4683731";

/** Whatever way an order came to its resource: once that is deleted, the order is off, closed, and may be bought anew. */
describe.each(journalKinds)("126: with a %s journal", (kind) => {
  async function expectLetGo(runs: ScopedRuns, name = "fleet"): Promise<void> {
    expect(countRenewing(runs)).toBe(0);
    expect(await readPhases(runs)).toEqual([`${name} closed`]);
    expect(await planAnew(runs, "")).toBe("buy");
  }

  test.each([
    ["placed", "is seen", true],
    ["placed", "is deleted at once", false],
    ["returned", "is seen", true],
    ["returned", "is deleted at once", false],
  ] as const)(
    "a run is killed when its order is %s; the order is recovered, and %s",
    async (at, _what, isSeen) => {
      const runs = await makeRuns(kind);
      await buyAndDie(runs, "", { at });
      const fleet = await recover(runs);
      await switchOn(runs, FIRST);
      if (isSeen) await goOn(await runs.begin(""), fleet);
      await remove(runs, "", fleet);
      await expectLetGo(runs);
    },
  );

  test("a recovery is killed as well: either of the two states may be the engine's", async () => {
    for (const which of [0, 1]) {
      const runs = await makeRuns(kind);
      await buyAndDie(runs, "");
      const states = [await recover(runs, false), await recover(runs, false)];
      await switchOn(runs, FIRST);
      await remove(runs, "", states[which] as BoughtOrder);
      await expectLetGo(runs);
    }
  });

  test.each([1, 2])("a state is lost, and its order adopted, %i times", async (times) => {
    const runs = await makeRuns(kind);
    await buy(runs, "");
    await switchOn(runs, FIRST);
    for (let i = 0; i < times; i += 1) {
      const fleet = await adopt(runs, "", "fleet", FIRST);
      await goOn(await runs.begin(""), fleet);
      if (i === times - 1) await remove(runs, "", fleet);
    }
    await expectLetGo(runs);
  });

  test.each([
    ["bought", 1],
    ["bought", 2],
    ["recovered", 1],
  ])("an order was %s, its state lost, and the order imported %i times", async (how, times) => {
    const runs = await makeRuns(kind);
    if (how === "bought") await buy(runs, "");
    else await buyAndDie(runs, "");
    if (how === "recovered") await goOn(await runs.begin(""), await recover(runs));
    await switchOn(runs, FIRST);
    for (let i = 0; i < times; i += 1) {
      const imported = await importOrder(runs, ownerCalled("fleet"), FIRST);
      await goOn(await runs.begin(""), imported);
      if (i === times - 1) await remove(runs, "", imported);
    }
    await expectLetGo(runs);
  });

  test.each(["fleet", "armada"])(
    "an order that was let go is imported as %s by mistake, and deleted at once",
    async (name) => {
      const runs = await makeRuns(kind);
      await remove(runs, "", await buy(runs, ""));
      await switchOn(runs, FIRST);
      await remove(runs, "", await importOrder(runs, ownerCalled(name), FIRST));
      await expectLetGo(runs);
    },
  );

  test("a recovered order is renamed, and its state deleted under its former name", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    const fleet = await recover(runs);
    await switchOn(runs, FIRST);
    await rename(runs, "", fleet, "armada");
    await remove(runs, "", fleet);
    await expectLetGo(runs, "armada");
  });

  test.each(["says", "does not say"])(
    "a resource is renamed and replaced in one run; the engine %s the former name of what it deletes",
    async (what) => {
      const runs = await makeRuns(kind);
      const { checked, state } = await buy(runs, "");
      await switchOn(runs, FIRST);
      const run = await runs.begin("");
      const anew = { country: "DEU", allowReplacement: true, goal: "fleet" };
      const plan = await planOrder(run, "armada", anew, checked);
      expect((await run.orders.diff(state, plan, new Set())).kind).toBe("replace");
      await run.orders.create(await planOrder(run, "armada", anew));
      await run.orders.delete(state, what === "says" ? state.owner : undefined);
      await run.account.journal.endRun();
      expect(countRenewing(runs)).toBe(0);
      expect(await readPhases(runs)).toEqual(["armada closed", "armada returned"]);
    },
  );

  test.each([
    ["a stack", ":dev::", ":prod::"],
    ["a resource", /fleet$/, "armada"],
  ])("%s is renamed by the engine, and destroyed before another run", async (_what, from, to) => {
    const runs = await makeRuns(kind);
    const { state } = await buy(runs, "");
    await switchOn(runs, FIRST);
    const run = await runs.begin("");
    await run.orders.delete(state, state.owner.replace(from, to));
    await run.account.journal.endRun();
    await expectLetGo(runs);
  });

  test("a state is followed while the journal can't be read, and deleted in the same run", async () => {
    const runs = await makeRuns(kind);
    const { checked, state } = await buy(runs, "");
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
    isAway = true;
    await run.orders.diff(state, checked, new Set()).catch(() => undefined);
    isAway = false;
    await run.orders.delete(state);
    await run.account.journal.endRun();
    await expectLetGo(runs);
  });

  test("a mistaken adoption and its former owner are both deleted, each in a run of its own", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    await remove(runs, "", fleet);
    await remove(runs, "", keeper);
    await expectLetGo(runs, "keeper");
  });

  test("a former owner is deleted twice: what the new owner has goes on", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    await adopt(runs, "", "keeper", FIRST);
    for (let i = 0; i < 2; i += 1) await remove(runs, "", fleet);
    expect(countRenewing(runs)).toBe(5);
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
  });

  test("233: an order is taken over while its former owner is deleted, and that is deleted once more: it goes on", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await remove(
      runs,
      "",
      fleet,
      onceListed(() => adopt(runs, "", "keeper", FIRST)),
    );
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
    await switchOn(runs, FIRST);
    await remove(runs, "", fleet);
    expect(countRenewing(runs)).toBe(5);
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
    expect(await planAnew(runs, "", "keeper")).toContain("has bought 5 IPv4 proxies");
  });

  test("237: the same, and it extends itself: whoever deletes it says who has taken it over", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    const run = await runs.begin("", {
      interpose: onceListed(() => adopt(runs, "", "keeper", FIRST)),
    });
    await run.orders.delete(fleet.state);
    await run.account.journal.endRun();
    expect(run.lines.join()).toContain(
      "keeper has taken order 4683731 over, or a part of it back, while that was let go: its auto-extension may be off now",
    );
    expect(await readPhases(runs)).toEqual(["keeper returned"]);
  });

  test("242: the buyer's state is put back after it was deleted, and deleted again: what the new owner has goes on", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    await switchOn(runs, FIRST);
    await adopt(runs, "", "keeper", FIRST);
    for (let i = 0; i < 2; i += 1) {
      await remove(runs, "", fleet);
      expect(countRenewing(runs)).toBe(5);
      expect(await readPhases(runs)).toEqual(["keeper returned"]);
      if (i === 0) await goOn(await runs.begin(""), fleet);
    }
    expect(await buysAnew(runs, "", "keeper", { goal: "fleet" })).toBe(0);
  });

  test("an adoption was never saved, and its order is in the former owner's state: others may buy", async () => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    const cut = await runs.begin("");
    await cut.orders.create(await planOrder(cut, "keeper", { adoptOrderNumber: FIRST }));
    runs.clock.advance(HOUR_MS);
    await goOn(await runs.begin(""), fleet);
    expect(await buysAnew(runs, "", "other", { goal: "fleet" })).toBe(1);
  });
});

/** The next run takes over what a killed one has bought. It may be killed, too, when the engine has saved that. */
function recover(runs: ScopedRuns, endsInOrder = true): Promise<BoughtOrder> {
  return make(runs, "", "recover", { endsInOrder });
}

describe.each(journalKinds)("248: a resource takes an order over, with a %s journal", (kind) => {
  /** These happen one after the other, before each of the first writes of a run. */
  const beforeWrites = (happen: (() => Promise<unknown>)[]): Interposition => ({
    store: (real) => before(real, "replace", () => happen.shift()?.()),
  });

  async function takeOver(runs: ScopedRuns, interpose: Interposition): Promise<string> {
    const run = await runs.begin("", { interpose });
    await run.orders.create(await planOrder(run, "late", { adoptOrderNumber: FIRST }));
    await run.account.journal.endRun();
    runs.clock.advance(HOUR_MS);
    return run.lines.join("\n");
  }

  test("two others write first; its state is lost: nothing is bought again", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    await adopt(runs, "", "third", FIRST);
    const others = [
      async () => goOn(await runs.begin(""), fleet),
      async () => goOn(await runs.begin(""), keeper, "keeper"),
    ];
    await takeOver(runs, beforeWrites(others));
    expect(await buysAnew(runs, "", "late", { goal: "fleet" })).toBe(0);
  });

  test("two others let it go first: the journal has it for the last one", async () => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    const said = await takeOver(
      runs,
      beforeWrites([keeper, fleet].map((one) => () => remove(runs, "", one))),
    );
    expect(await readPhases(runs)).toEqual(["late returned"]);
    expect(said).toContain("order 4683731 was let go while late took it over");
  });

  test("a part of it is let go meanwhile: its former owner says so", async () => {
    const runs = await makeRuns(kind);
    const { checked, state } = await buy(runs, "");
    await switchOn(runs, FIRST);
    const interpose = onceSwitching(() => adopt(runs, "", "keeper", FIRST));
    const run = await runs.begin("", { interpose });
    const next = await planOrder(run, "fleet", { quantity: 3 }, checked);
    await run.orders.diff(state, next, new Set());
    await run.orders.update(state, next);
    expect(run.lines.join()).toContain(
      "keeper has taken order 4683731 over, or a part of it back, while that was let go",
    );
  });
});
