import { describe, expect, test } from "vitest";
import { failureOf } from "../core/support/orders-under-test.ts";
import {
  adopt,
  buy,
  countRenewing,
  goOn,
  journalAway,
  journalKinds,
  makeRuns,
  ownTwice,
  readPhases,
  remove,
  resize,
  resizeIn,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

const FIRST = "4683731";

const SECOND = "4683732";

describe.each(journalKinds)("254: two resources have one order, with a %s journal", (kind) => {
  test.each([3, 4, 5, 6, 7])(
    "one lets a part go while the journal can't be read once (reading %i): the other one has all of it",
    async (one) => {
      const { runs, fleet } = await ownTwice(kind, FIRST);
      const run = await runs.begin("", {
        interpose: journalAway("readAll", (read) => read === one),
      });
      await resizeIn(run, fleet, 3);
      expect(countRenewing(runs)).toBe(5);
    },
  );

  test.each([1, 2, 3, 4, 5, 6])(
    "261: one is to let a part go, and the journal can't be read from reading %i on: it lets nothing go without knowing who has it, and does so when it can",
    async (first) => {
      const { runs, fleet } = await ownTwice(kind, FIRST);
      const run = await runs.begin("", {
        interpose: journalAway("readAll", (read) => read >= first),
      });
      expect((await failureOf(resizeIn(run, fleet, 3))).code).toBe("JOURNAL_UNAVAILABLE");
      expect(countRenewing(runs)).toBe(5);
      const left = await resize(runs, "", fleet, 3);
      expect(left.state.ipAddressIds).toHaveLength(3);
      expect(countRenewing(runs)).toBe(5);
    },
  );

  test.each([1, 2, 3, 4, 5])(
    "one is deleted while the journal can't be read once (reading %i): the other one has it",
    async (one) => {
      const { runs, fleet } = await ownTwice(kind, FIRST);
      await remove(
        runs,
        "",
        fleet,
        journalAway("readAll", (read) => read === one),
      );
      expect(countRenewing(runs)).toBe(5);
      expect(await readPhases(runs)).toEqual(["keeper confirmed"]);
    },
  );
});

test.each(journalKinds)(
  "257: with a %s journal, one of two owners is to let a part go and can't write that down: it lets nothing go, whoever is deleted meanwhile, and does so when it can",
  async (kind) => {
    const { runs, fleet, keeper } = await ownTwice(kind, FIRST);
    const run = await runs.begin("", {
      interpose: journalAway("replace"),
    });
    const failure = await failureOf(resizeIn(run, fleet, 3));
    expect(failure.code).toBe("JOURNAL_UNAVAILABLE");
    expect(failure.message).toContain("who else has proxies of order 4683731");
    expect(countRenewing(runs)).toBe(5);
    await remove(runs, "", keeper);
    expect(countRenewing(runs)).toBe(5);
    await resize(runs, "", fleet, 3);
    expect(countRenewing(runs)).toBe(3);
  },
);

test.each(journalKinds)(
  "261: with a %s journal that can't be read, one of two owners is deleted: it says that the other one's proxies may be off",
  async (kind) => {
    const { runs, fleet } = await ownTwice(kind, FIRST);
    const run = await runs.begin("", {
      interpose: journalAway("readAll"),
    });
    await run.orders.delete(fleet.state);
    expect(countRenewing(runs)).toBe(0);
    expect(run.lines.join()).toContain(
      "if another resource has it, too, its auto-extension may be off now",
    );
  },
);

test.each(journalKinds)(
  "261: with a %s journal, a resource lets a shared order and one of its own go and can't write that down: what it says tells that proxies that stay in its state are off",
  async (kind) => {
    const runs = await makeRuns(kind);
    const fleet = await resize(runs, "", await buy(runs, ""), 7);
    const keeper = await adopt(runs, "", "keeper", SECOND, { quantity: 2 });
    for (const order of [FIRST, SECOND]) await switchOn(runs, order);
    await goOn(await runs.begin(""), keeper, "keeper", { quantity: 2 });
    await goOn(await runs.begin(""), fleet, "fleet", { quantity: 7 });
    const run = await runs.begin("", {
      interpose: journalAway("replace"),
    });
    const failure = await failureOf(resizeIn(run, fleet, 1));
    expect(failure.message).toContain("the state stays as it is");
    expect(failure.message).toContain("may be off by now");
    expect(countRenewing(runs)).toBe(2);
  },
);

describe.each(journalKinds)("261: with a %s journal", (kind) => {
  test.each([3, 4, 5, 6])(
    "a resource lets a part of its own order go, and the journal can't be read from reading %i on: what it says tells that proxies that stay in its state may be off",
    async (first) => {
      const runs = await makeRuns(kind);
      const fleet = await buy(runs, "");
      await goOn(await runs.begin(""), fleet);
      await switchOn(runs, FIRST);
      const run = await runs.begin("", {
        interpose: journalAway("readAll", (read) => read >= first),
      });
      const failure = await failureOf(resizeIn(run, fleet, 3));
      expect(failure.message).toContain("may be off by now");
    },
  );
});

test.each(journalKinds)(
  "261: with a %s journal that can't be read, one of two owners is deleted while the listing is behind with the flags: it says that the other one's proxies may be off",
  async (kind) => {
    const { runs, fleet } = await ownTwice(kind, FIRST);
    const refresh = await runs.begin("");
    const found = await refresh.orders.read(fleet.state);
    await refresh.account.journal.endRun();
    if (found.kind !== "present") throw new Error(found.kind);
    const run = await runs.begin("", {
      interpose: {
        ...journalAway("readAll"),
        service: (real) => ({
          ...real,
          async listProxies(...call) {
            const page = await real.listProxies(...call);
            const content = page.content.map((row) => ({
              ...row,
              extendInfo: { autoExtend: false, extendDays: 0 },
            }));
            return { ...page, content };
          },
        }),
      },
    });
    await run.orders.delete(found.state);
    expect(countRenewing(runs)).toBe(0);
    expect(run.lines.join()).toContain("its auto-extension may be off now");
  },
);

test.each(journalKinds)(
  "261: with a %s journal that can't be read, a resource that nobody shares takes back what it has let go: nothing is bought, so it goes on",
  async (kind) => {
    const runs = await makeRuns(kind);
    const fleet = await buy(runs, "");
    const smaller = await resize(runs, "", fleet, 3);
    await goOn(await runs.begin(""), smaller, "fleet", { quantity: 3 });
    const run = await runs.begin("", {
      interpose: journalAway("readAll"),
    });
    const next = await planOrder(run, "fleet", { quantity: 5 }, smaller.checked);
    expect(next.quote.effect).toBe("none");
    await run.orders.diff(smaller.state, next, new Set());
    const { ipAddressIds } = await run.orders.update(smaller.state, next);
    expect(ipAddressIds).toHaveLength(5);
  },
);
