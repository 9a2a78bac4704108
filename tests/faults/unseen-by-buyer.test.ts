import { describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../simulator/index.ts";
import {
  adopt,
  type BoughtOrder,
  before,
  buyPending,
  countRenewing,
  goOn,
  HOUR_MS,
  journalKinds,
  makeRuns,
  onceSwitching,
  remove,
  resize,
  slow,
  switchOn,
} from "../journals/shared/scoped-runs.ts";
import { planOrder } from "../journals/shared/shared-run.ts";
import type { AccountRun } from "../support/account.ts";

/** The buyer has seen none of its proxies. Another resource has taken the order over, and a run has met both. */
async function unseen(kind: (typeof journalKinds)[number], options: SimulatorOptions) {
  const runs = await makeRuns(kind, options);
  const fleet = await buyPending(runs, "", {});
  runs.clock.advance(HOUR_MS);
  const keeper = await adopt(runs, "", "keeper", fleet.state.orderNumber);
  const number = runs.simulator.orders()[0]?.orderNumber ?? "";
  await switchOn(runs, number);
  await goOn(await runs.begin(""), keeper, "keeper");
  const meets = await runs.begin("");
  const plan = await planOrder(meets, "fleet", {}, fleet.checked);
  await meets.orders.diff(fleet.state, plan, new Set());
  await meets.account.journal.endRun();
  return { runs, number, fleet, keeper };
}

describe.each(journalKinds)("262: with a %s journal", (kind) => {
  describe.each([
    ["", slow],
    [
      ", and that is not listed as it was numbered",
      { ...slow, orderNumberDiffersFromOrderId: true },
    ],
  ])("of an order its buyer has seen nothing%s", (_what, options) => {
    /** Deletes the buyer. Something else happens once, when it has been said to whom its order is left. */
    async function removeBuyer(
      { runs, fleet }: Awaited<ReturnType<typeof unseen>>,
      happen: () => Promise<unknown>,
    ): Promise<AccountRun> {
      let isDone = false;
      const run: AccountRun = await runs.begin("", {
        interpose: {
          store: (real) =>
            before(real, "replace", async () => {
              if (isDone || !run.lines.join().includes("is left to keeper")) return;
              isDone = true;
              await happen();
            }),
        },
      });
      await run.orders.delete(fleet.state);
      await run.account.journal.endRun();
      expect(isDone).toBe(true);
      return run;
    }

    test("the other owner is deleted, then the buyer: nothing extends itself any more", async () => {
      const { runs, fleet, keeper } = await unseen(kind, options);
      await remove(runs, "", keeper);
      await remove(runs, "", fleet);
      expect(countRenewing(runs)).toBe(0);
    });

    test("both are deleted at once: nothing extends itself any more", async () => {
      const scene = await unseen(kind, options);
      await removeBuyer(scene, () => remove(scene.runs, "", scene.keeper));
      expect(countRenewing(scene.runs)).toBe(0);
    });

    test("the other owner lets a part go while the buyer is deleted: the rest is on", async () => {
      const scene = await unseen(kind, options);
      const { runs, keeper } = scene;
      let left: BoughtOrder | undefined;
      await removeBuyer(scene, async () => {
        left = await resize(runs, "", keeper, 3, "keeper");
      });
      const on = runs.simulator.proxies().filter(({ autoExtend }) => autoExtend);
      expect(on.map(({ ipAddressId }) => ipAddressId).toSorted()).toEqual(
        left?.state.ipAddressIds.toSorted(),
      );
    });

    test("the other owner takes a part back while the buyer is deleted: that one says so", async () => {
      const { runs, number, fleet, keeper } = await unseen(kind, options);
      const smaller = await resize(runs, "", keeper, 3, "keeper");
      await goOn(await runs.begin(""), smaller, "keeper", { quantity: 3 });
      await switchOn(runs, number);
      const interpose = onceSwitching(() => resize(runs, "", smaller, 5, "keeper"));
      const run = await runs.begin("", { interpose });
      await run.orders.delete(fleet.state);
      expect(countRenewing(runs)).toBe(3);
      expect(run.lines.join()).toContain("or a part of it back, while that was let go");
    });
  });
});
