import { describe, expect, test } from "vitest";
import {
  type BoughtOrder,
  buy,
  buyAndDie,
  buyPending,
  countRenewing,
  goOn,
  journalKinds,
  makeRuns,
  orderByHand,
  planAnew,
  readPurchases,
  type ScopedRuns,
  tells,
  upAgain,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";

describe.each(journalKinds)("120: one number is told for two orders (%s journal)", (kind) => {
  test.each(["returned", "placed"] as const)(
    "the one whose run was killed when it was %s is recovered beside the other",
    async (at) => {
      const runs = await makeRuns(kind, listedOtherwise);
      const keeper = await buyKeeper(runs);
      await buyAndDie(runs, "", { at, interpose: tells("N1") });
      expect(await planBeside(runs, keeper)).toBe("recover");
    },
  );

  test("the one whose state was lost is not bought again beside the other", async () => {
    const runs = await makeRuns(kind, listedOtherwise);
    const keeper = await buyKeeper(runs);
    const bought = await buy(runs, "", { interpose: tells("N1") });
    await goOn(await runs.begin(""), bought);
    expect(await planBeside(runs, keeper)).toContain("has bought 5 IPv4 proxies");
  });

  test("the one that is deleted renews no more, and the other does", async () => {
    const runs = await makeRuns(kind, listedOtherwise);
    const keeper = await buyKeeper(runs);
    const { state } = await buy(runs, "", { interpose: tells("N1") });
    const { service } = (await runs.begin("")).account;
    const ipAddressIds = [...keeper.state.ipAddressIds, ...state.ipAddressIds];
    const flags = { proxyType: "IPv4", rentPeriodDays: 30, autoExtend: true } as const;
    await service.setAutoExtension({ ...flags, ipAddressIds });
    const run = await runs.begin("");
    await run.orders.read(keeper.state);
    await run.orders.delete(state);
    await run.account.journal.endRun();
    expect(runs.simulator.proxies().filter(({ autoExtend }) => autoExtend)).toMatchObject(
      keeper.state.ipAddressIds.map((ipAddressId) => ({ ipAddressId })),
    );
    expect(countRenewing(runs)).toBe(5);
  });

  test("each of two alike is delivered to its own resource", async () => {
    const runs = await makeRuns(kind, { ...listedOtherwise, deliveryDelayMs: 200_000 });
    const first = await buyPending(runs, "", tells("N1"), "keeper");
    const second = await buyPending(runs, "", tells("N1"));
    const delivered = [await upAgain(runs, "", first, "keeper"), await upAgain(runs, "", second)];
    const listed = runs.simulator.orders().map(({ orderId }) => [orderId]);
    expect(delivered.map(({ state }) => state.orderIds)).toEqual(listed);
  });
});

describe.each(journalKinds)(
  "121: the number that was told is an older order's (%s journal)",
  (kind) => {
    test("that one in foreignOrders does not give ours away", async () => {
      const runs = await makeRuns(kind);
      const { older, foreignOrders } = await buyWithNumberOf(runs);
      expect(older).toBe("4683731");
      const run = await runs.begin("", { settings: { foreignOrders } });
      const plan = planOrder(run, "fleet");
      await expect(plan).rejects.toThrow('adoptOrderNumber: "4683732"');
    });

    test("the advice names ours, and whoever follows it has ours", async () => {
      const runs = await makeRuns(kind);
      await buyWithNumberOf(runs);
      const said = await planAnew(runs, "");
      const [, adoptOrderNumber] = /adoptOrderNumber: "(.+?)"/.exec(said) ?? [];
      expect(adoptOrderNumber).toBe("4683732");
      expect(said).toContain("list 4683732 in proxyrental:foreignOrders");
      const run = await runs.begin("");
      const state = await run.orders.create(await planOrder(run, "fleet", { adoptOrderNumber }));
      expect(state.orderIds).toEqual(["4683732"]);
      await run.account.journal.endRun();
      expect((await readPurchases(runs)).map(({ phase }) => phase)).toEqual(["returned"]);
    });
  },
);

describe.each(journalKinds)("121: an order that a killed run has paid (%s journal)", (kind) => {
  test("is named by its listed id, where its number is an older order's", async () => {
    const runs = await makeRuns(kind);
    const older = await orderByHand(runs, 3, "USA");
    const other = await buy(runs, "", { name: "other", country: "DEU" });
    await buyAndDie(runs, "", { interpose: tells(older) });
    const run = await runs.begin("");
    await planOrder(run, "armada", { goal: "fleet" });
    await run.orders.delete(other.state);
    await run.account.journal.endRun();
    const advice = run.lines.filter((line) => line.includes("adoptOrderNumber"));
    expect(advice.length).toBeGreaterThan(1);
    for (const line of advice) expect(line).toContain('adoptOrderNumber: "4683733"');
  });
});

const listedOtherwise = { orderNumberDiffersFromOrderId: true };

/** Another resource's order, of the same type in another country. */
const buyKeeper = (runs: ScopedRuns) =>
  buy(runs, "", { name: "keeper", country: "DEU", interpose: tells("N1") });

/** What a run that sees the other resource in its state plans for the one that has none. */
async function planBeside(runs: ScopedRuns, { checked, state }: BoughtOrder): Promise<string> {
  const run = await runs.begin("");
  const again = await planOrder(run, "keeper", { country: "DEU" }, checked);
  await run.orders.diff(state, again, new Set());
  return planOrder(run, "fleet").then(
    ({ quote }) => quote.effect,
    ({ message }: Error) => message,
  );
}

/** An order that is told the number of one that a person has made, and whose state is lost after a run has seen it. */
async function buyWithNumberOf(
  runs: ScopedRuns,
): Promise<{ older: string; foreignOrders: Set<string> }> {
  const older = await orderByHand(runs, 3, "USA");
  await goOn(await runs.begin(""), await buy(runs, "", { interpose: tells(older) }));
  return { older, foreignOrders: new Set([older]) };
}
