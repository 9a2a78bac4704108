import { expect, test } from "vitest";
import { JournalError } from "../../provider/core/ports.ts";
import {
  adopt,
  before,
  buy,
  countRenewing,
  goOn,
  journalKinds,
  makeRuns,
  ownTwice,
  resize,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

const FIRST = "4683731";
const SECOND = "4683732";

const away = () => {
  throw new JournalError("unavailable", "the store is away");
};

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
      interpose: { store: (real) => before(real, "replace", away) },
    });
    const next = await planOrder(run, "fleet", { quantity: 1 }, fleet.checked);
    await run.orders.diff(fleet.state, next, new Set());
    const failure = await run.orders.update(fleet.state, next).then(
      () => "",
      ({ message }: Error) => message,
    );
    const said = `${failure}\n${run.lines.join("\n")}`;
    expect(failure).toContain("the state stays as it is");
    const isTold = /(is|are|may be) (now )?off/.test(said);
    expect(countRenewing(runs) === 7 || isTold).toBe(true);
  },
);

test.each(journalKinds)(
  "261: with a %s journal, a resource lets a part of its own order go, and the journal can't be read after that: what it says tells that proxies that stay in its state are off",
  async (kind) => {
    for (const first of [3, 4, 5, 6, 7, 8, 9]) {
      const runs = await makeRuns(kind);
      const fleet = await buy(runs, "");
      await goOn(await runs.begin(""), fleet);
      await switchOn(runs, FIRST);
      let reads = 0;
      const run = await runs.begin("", {
        interpose: {
          store: (real) =>
            before(real, "readAll", () => {
              reads += 1;
              if (reads >= first) away();
            }),
        },
      });
      const next = await planOrder(run, "fleet", { quantity: 3 }, fleet.checked);
      await run.orders.diff(fleet.state, next, new Set());
      const failure = await run.orders.update(fleet.state, next).then(
        () => "",
        ({ message }: Error) => message,
      );
      const said = `${failure}\n${run.lines.join("\n")}`;
      if (failure === "") continue;
      if (!/(is|are|may be) (now )?off/.test(said))
        expect([first, countRenewing(runs)]).toEqual([first, 5]);
    }
  },
);

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
        store: (real) => before(real, "readAll", away),
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
    const isTold = run.lines.join().includes("its auto-extension may be off now");
    expect(countRenewing(runs) === 5 || isTold).toBe(true);
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
      interpose: { store: (real) => before(real, "readAll", away) },
    });
    const next = await planOrder(run, "fleet", { quantity: 5 }, smaller.checked);
    expect(next.quote.effect).toBe("none");
    await run.orders.diff(smaller.state, next, new Set());
    await run.orders.update(smaller.state, next);
  },
);
