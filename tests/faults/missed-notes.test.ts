import { describe, expect, test } from "vitest";
import { ServiceError } from "../../provider/client/errors.ts";
import { DeliveryPendingError } from "../../provider/core/order/apply/delivery.ts";
import { JournalError } from "../../provider/core/ports.ts";
import {
  adopt,
  afterOrdering,
  awayFor,
  type BoughtOrder,
  buy,
  buyPending,
  buysAnew,
  goOn,
  HOUR_MS,
  journalKinds,
  makeRuns,
  planAnew,
  readPhases,
  readPurchases,
  rename,
  type ScopedRuns,
  unwritten,
  upAgain,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";
import type { Interposition } from "../support/account.ts";

/** Buys an order whose answer, and all that follows, is never written down. */
const buyUnwritten = (runs: ScopedRuns, scope: string) =>
  buy(runs, scope, { interpose: unwritten });

describe.each(journalKinds)("115: an answer that was not written down in a %s journal", (kind) => {
  test("is written down by the next note of the run", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "", { interpose: awayFor(({ phase }) => phase === "placed") });
    expect(await readPurchases(runs)).toMatchObject([
      { phase: "returned", orderNumber: runs.simulator.orders()[0]?.orderNumber },
    ]);
  });

  test("also if it had arrived, and only the store's answer was lost", async () => {
    const runs = await makeRuns(kind);
    await buy(runs, "", {
      interpose: {
        store: (real) => ({
          ...real,
          async replace(next, ...rest) {
            await real.replace(next, ...rest);
            if (next.phase === "placed") throw new JournalError("unavailable", "no answer");
          },
        }),
      },
    });
    expect(await readPurchases(runs)).toMatchObject([{ phase: "returned" }]);
  });

  test("or by the end of the run", async () => {
    const runs = await makeRuns(kind);
    const shaky = { isAway: true };
    const interpose = awayFor(({ phase }) => phase !== "sending" && shaky.isAway);
    const run = await runs.begin("", { interpose });
    await run.orders.create(await planOrder(run, "fleet"));
    shaky.isAway = false;
    await run.account.journal.endRun();
    expect(await readPurchases(runs)).toMatchObject([{ phase: "returned" }]);
  });

  test("or by the next run that sees it in the state", async () => {
    const runs = await makeRuns(kind);
    const bought = await buyUnwritten(runs, "");
    expect(await readPurchases(runs)).toMatchObject([{ phase: "sending" }]);
    await goOn(await runs.begin(""), bought);
    const { orderNumber } = bought.state;
    expect(await readPurchases(runs)).toMatchObject([{ phase: "confirmed", orderNumber }]);
  });

  test("counts with what was charged for it", async () => {
    const runs = await makeRuns(kind);
    const rising = afterConfirming(() => runs.simulator.setPriceFactor("IPv4", "3"));
    const bought = await buy(runs, "", { interpose: { ...unwritten, ...rising } });
    const charged = bought.state.purchases[0]?.charged;
    expect(charged).toBe(21);
    await goOn(await runs.begin(""), bought);
    expect(await readPurchases(runs)).toMatchObject([{ price: 7, charged }]);
  });

  test("of a further order that did not arrive either: a state of before it buys nothing beside", async () => {
    const runs = await makeRuns(kind, {
      ...{ orderNumberDiffersFromOrderId: true, deliveryDelayMs: 8 * HOUR_MS },
    });
    let first = await buyPending(runs, "", {});
    runs.clock.advance(9 * HOUR_MS);
    first = await upAgain(runs, "", first);
    await goOn(await runs.begin(""), first);
    const grown = await grow(runs, first, unwritten);
    expect(grown.state.status).toBe("pendingDelivery");
    await grow(runs, grown);
    runs.clock.advance(10 * HOUR_MS);
    const { said } = await grow(runs, first);
    expect(said).toContain("it was bought for this resource, and the state does not have it");
    expect(said).toContain("find it in the listing, and take it over with a further ProxyOrder");
    expect(runs.simulator.orders()).toHaveLength(2);
  });

  test("is bought once although the resource is renamed then, and its state is lost", async () => {
    const runs = await makeRuns(kind);
    await rename(runs, "", await buyUnwritten(runs, ""), "armada");
    expect(await planAnew(runs, "", "armada")).toMatch(/an earlier run has bought/);
  });

  test("although its stack gets another scope then, and its state is lost", async () => {
    const runs = await makeRuns(kind);
    const bought = await buyUnwritten(runs, "test");
    await goOn(await runs.begin("staging"), bought);
    expect(await planAnew(runs, "staging")).toMatch(/an earlier run has bought/);
  });

  test("is in no other scope's way once its stack has one", async () => {
    const runs = await makeRuns(kind);
    const bought = await buyUnwritten(runs, "");
    await goOn(await runs.begin("staging"), bought);
    expect(await planAnew(runs, "production")).toBe("buy");
  });

  test("is released when its resource is deleted", async () => {
    const runs = await makeRuns(kind);
    const { state } = await buyUnwritten(runs, "");
    const run = await runs.begin("");
    await run.orders.delete(state);
    await run.account.journal.endRun();
    expect(await readPurchases(runs)).toMatchObject([
      { phase: "closed", closedBecause: "released" },
    ]);
  });

  test("does not open what a person has closed meanwhile", async () => {
    const runs = await makeRuns(kind);
    const closing = afterOrdering(async () => {
      const person = await runs.begin("");
      const [sent] = await person.account.journal.readAll();
      if (sent === undefined) throw new Error("nothing is sent");
      await person.account.journal.change(sent, { phase: "closed", closedBecause: "resolved" });
    });
    const away = awayFor(({ phase }) => phase === "placed");
    const run = await runs.begin("", { interpose: { ...away, ...closing } });
    await run.orders.create(await planOrder(run, "fleet"));
    runs.clock.advance(HOUR_MS);
    await run.account.journal.endRun();
    expect(await readPurchases(runs)).toMatchObject([
      { phase: "closed", closedBecause: "resolved" },
    ]);
  });

  test("is written down at the end of the run although its store has hung a moment before", async () => {
    const runs = await makeRuns(kind);
    const shaky = { isAway: false };
    const run = await runs.begin("", {
      interpose: {
        ...afterOrdering(() => {
          shaky.isAway = true;
        }),
        documents: (real) => ({
          ...real,
          async replace(...call) {
            if (!shaky.isAway) return real.replace(...call);
            runs.clock.advance(2_000);
            throw new JournalError("unavailable", "no answer");
          },
        }),
      },
    });
    await run.orders.create(await planOrder(run, "fleet"));
    shaky.isAway = false;
    await run.account.journal.endRun();
    expect(await readPurchases(runs)).toMatchObject([{ phase: "returned" }]);
  });

  test("does not make unknown what another run has found out since", async () => {
    const runs = await makeRuns(kind);
    const sender = await runs.begin("", {
      interpose: afterOrdering(async () => {
        runs.clock.advance(HOUR_MS);
        const next = await runs.begin("");
        await next.orders.create(await planOrder(next, "fleet"));
        await next.account.journal.endRun();
        throw new ServiceError({
          ...{ code: "SERVICE_TIMEOUT", outcome: "unknown", endpoint: "createOrder" },
          message: "no answer",
        });
      }),
    });
    const sent = sender.orders.create(await planOrder(sender, "fleet"));
    await expect(sent).rejects.toThrow(/ORDER_OUTCOME_UNKNOWN/);
    await sender.account.journal.endRun();
    expect(await readPurchases(runs)).toMatchObject([{ phase: "returned" }]);
  });

  describe("and what a state shows, while it can't be read,", () => {
    async function beginShaky(runs: ScopedRuns) {
      const shaky = { isAway: true };
      const run = await runs.begin("", {
        interpose: {
          store: (real) => ({
            ...real,
            async readAll() {
              if (shaky.isAway) throw new JournalError("unavailable", "the store is away");
              return real.readAll();
            },
          }),
        },
      });
      const end = async () => {
        shaky.isAway = false;
        await run.account.journal.endRun();
      };
      return { run, end };
    }

    test("is followed at the end of the run", async () => {
      const runs = await makeRuns(kind);
      const { checked, state } = await buy(runs, "");
      const { run, end } = await beginShaky(runs);
      const owner = checked.owner.replace(/fleet$/, "armada");
      await run.orders.diff(state, { ...checked, owner }, new Set());
      expect(run.lines.join()).toMatch(/the store is away; until another `pulumi up`/);
      await end();
      expect(await planAnew(runs, "", "armada")).toMatch(/an earlier run has bought/);
    });

    test("is released at the end of the run", async () => {
      const runs = await makeRuns(kind);
      const bought = await buy(runs, "");
      await goOn(await runs.begin(""), bought);
      const { run, end } = await beginShaky(runs);
      await run.orders.delete(bought.state);
      await end();
      expect(await readPurchases(runs)).toMatchObject([{ phase: "closed" }]);
    });
  });

  test.each([
    ["is written", false],
    ["can't be written", true],
  ])(
    "243: that a resource is renamed %s, and another stack adopts its order before the run goes on: it stays that one's",
    async (_what, isMissed) => {
      const runs = await makeRuns(kind);
      const { checked, state } = await buy(runs, "");
      let isAway = isMissed;
      const run = await runs.begin("", { interpose: awayFor(() => isAway) });
      const anew = { country: "DEU", allowReplacement: true, goal: "fleet" };
      const plan = await planOrder(run, "armada", anew, checked);
      expect((await run.orders.diff(state, plan, new Set())).kind).toBe("replace");
      isAway = false;
      await adopt(runs, "", "keeper", "4683731");
      await run.orders.create(await planOrder(run, "armada", anew));
      await run.orders.delete(state, state.owner);
      await run.account.journal.endRun();
      runs.clock.advance(HOUR_MS);
      expect(await readPhases(runs)).toEqual(["keeper returned", "armada returned"]);
      expect(await buysAnew(runs, "", "keeper")).toBe(0);
    },
  );
});

/** Something that happens between the confirmation of the price and the order. */
function afterConfirming(happen: () => unknown): Interposition {
  return {
    service: (real) => ({
      ...real,
      async createOrder(...call) {
        await happen();
        return real.createOrder(...call);
      },
    }),
  };
}

/** A run of a program that asks for two proxies more. */
async function grow(
  { begin, clock }: ScopedRuns,
  { checked, state }: BoughtOrder,
  interpose: Interposition = {},
): Promise<BoughtOrder & { said: string }> {
  const run = await begin("", { interpose });
  const wanted = await planOrder(run, "fleet", { quantity: 7 }, checked);
  await run.orders.diff(state, wanted, new Set());
  let said = "";
  const next = await run.orders.update(state, wanted).catch((failure: Error) => {
    said = failure.message;
    return failure instanceof DeliveryPendingError ? failure.state : state;
  });
  await run.account.journal.endRun();
  clock.advance(HOUR_MS);
  return { checked: wanted, state: next, said };
}
