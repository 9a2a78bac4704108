import { describe, expect, test } from "vitest";
import type { ProxyService } from "../../provider/core/ports.ts";
import {
  adopt,
  afterOrdering,
  awayFor,
  buy,
  buyAndDie,
  buysAnew,
  goOn,
  HOUR_MS,
  journalKinds,
  makeRuns,
  orderAtOnce,
  orderByHand,
  readPurchases,
  type ScopedRuns,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";
import type { Interposition } from "../support/account.ts";

/** A person names a listed order, and the journal has a purchase that it may be: it is that one only if it can be no other. */
describe.each(journalKinds)("124: with a %s journal", (kind) => {
  test("a killed run's order is listed beside a person's smaller one, which is adopted: ours is bought once", async () => {
    const runs = await makeRuns(kind);
    await sendAndDieBeside(runs, {}, 3);
    const theirs = runs.simulator.orders()[1]?.orderId ?? "";
    const adopted = await adopt(runs, "", "fleet", theirs, { quantity: 3 });
    expect(adopted.state.purchases).toEqual([]);
    const run = await runs.begin("");
    await run.orders.delete(adopted.state);
    await run.account.journal.endRun();
    expect(await buysAnew(runs, "")).toBe(0);
  });

  test("the same with a person's order of the same size, which is imported", async () => {
    const runs = await makeRuns(kind);
    const owner = await sendAndDieBeside(runs, {}, 5);
    const theirs = runs.simulator.orders()[1]?.orderId ?? "";
    const run = await runs.begin("");
    const { inputs, state } = await run.orders.import(owner, theirs);
    await run.account.journal.endRun();
    await goOn(await runs.begin(""), { checked: inputs, state });
    const names = (await readPurchases(runs)).flatMap(({ orderIds = [] }) => orderIds);
    expect(names).not.toContain(theirs);
  });

  test("a person's order that is paid for fewer days is not a killed run's, and ends as it is listed", async () => {
    const runs = await makeRuns(kind);
    await sendAndDieBeside(runs, { rentPeriodDays: 60 }, 5);
    const theirs = runs.simulator.orders()[1]?.orderId ?? "";
    const { state } = await adopt(runs, "", "fleet", theirs);
    runs.clock.advance(31 * 24 * HOUR_MS);
    const run = await runs.begin("");
    expect(await run.orders.read(state)).toEqual({ kind: "gone" });
  });

  test("a number that is listed as a later order of another country tells nothing of the purchase that has it", async () => {
    const runs = await makeRuns(kind, { orderNumberDiffersFromOrderId: true });
    await buyAndDie(runs, "");
    const [purchase] = await readPurchases(runs);
    const number = purchase?.orderNumber ?? "";
    await orderByHand(runs, 5, "DEU");
    const interpose = listing("DEU", number);
    const run = await runs.begin("", { interpose });
    const named = { adoptOrderNumber: number, country: "DEU" };
    await run.orders.create(await planOrder(run, "keeper", named));
    await run.account.journal.endRun();
    runs.clock.advance(HOUR_MS);
    const later = await runs.begin("", { interpose });
    const planned = planOrder(later, "fleet").then(({ quote }) => quote.effect);
    await expect(planned.catch(() => "refused")).resolves.not.toBe("buy");
  });

  test("a purchase is known by its name although the API key was changed since", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "");
    const { journal } = (await runs.begin("")).account;
    const [purchase] = await journal.readAll();
    if (purchase) await journal.change(purchase, { account: "another" } as object);
    const { state } = await adopt(runs, "", "keeper", "4683731");
    expect(state.purchases).toHaveLength(1);
  });

  test("a purchase whose run goes on is left to it", async () => {
    const runs = await makeRuns(kind);
    const answered = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    const going = await runs.begin("", {
      interpose: afterOrdering(async () => {
        await orderAtOnce(runs, 5, "USA");
        sent.resolve();
        await answered.promise;
      }),
    });
    const bought = going.orders.create(await planOrder(going, "fleet"));
    await sent.promise;
    const [ours, theirs] = runs.simulator.orders();
    await adopt(runs, "", "fleet", theirs?.orderId ?? "");
    answered.resolve();
    await bought;
    expect(await readPurchases(runs)).toMatchObject([{ orderNumber: ours?.orderId }]);
  });
});

/** The inputs of a resource that has taken an order over name its purchase. So a plan knows that the state has it. */
describe.each(journalKinds)("125: with a %s journal", (kind) => {
  test("a lost order is imported, and the next run asks for twice as many: the rest is bought", async () => {
    const runs = await makeRuns(kind);
    await buyAndDie(runs, "");
    const [purchase] = await readPurchases(runs);
    const run = await runs.begin("");
    const imported = await run.orders.import(purchase?.owner ?? "", "4683731");
    await run.account.journal.endRun();
    const { inputs: checked, state } = imported;
    expect(await topUp(runs, { checked, state })).toBe("topUp");
  });

  test.each(["adopted", "imported"])(
    "the same of one that was %s while the journal's store was away",
    async (how) => {
      const runs = await makeRuns(kind);
      await buyAndDie(runs, "");
      const [purchase] = await readPurchases(runs);
      const away = awayFor(({ holders }) => holders !== undefined);
      const run = await runs.begin("", { interpose: away });
      const checked = await planOrder(run, "fleet", { adoptOrderNumber: "4683731" });
      const { inputs, state } =
        how === "adopted"
          ? { inputs: checked, state: await run.orders.create(checked) }
          : await run.orders.import(purchase?.owner ?? "", "4683731");
      expect(await topUp(runs, { checked: inputs, state })).toBe("topUp");
    },
  );
});

/** What the next run does that asks for ten. */
async function topUp(
  { begin, clock }: ScopedRuns,
  { checked, state }: Parameters<typeof goOn>[1],
): Promise<string> {
  clock.advance(HOUR_MS);
  const run = await begin("");
  const wanted = await planOrder(run, "fleet", { quantity: 10 }, checked);
  await run.orders.diff(state, wanted, new Set());
  const next = await run.orders.update(state, wanted);
  expect(new Set(next.orderIds).size).toBe(2);
  return wanted.quote.effect;
}

/** A run is killed before it hears its answer; right then a person orders, too. Gives the owner. */
async function sendAndDieBeside(runs: ScopedRuns, args: object, quantity: number): Promise<string> {
  const death = Promise.withResolvers<void>();
  const run = await runs.begin("", {
    interpose: afterOrdering(async () => {
      await orderAtOnce(runs, quantity, "USA");
      death.resolve();
      await new Promise(() => undefined);
    }),
  });
  const checked = await planOrder(run, "fleet", args);
  run.orders.create(checked).catch(death.reject);
  await death.promise;
  runs.clock.advance(HOUR_MS);
  return checked.owner;
}

/** The service lists all proxies of a country under one order id. */
function listing(country: string, orderId: string): Interposition {
  return {
    service: (real): ProxyService => ({
      ...real,
      async listProxies(request) {
        const page = await real.listProxies(request);
        const content = page.content.map((one) =>
          one.country === country ? { ...one, orderId } : one,
        );
        return { ...page, content };
      },
    }),
  };
}
