import { expect, test } from "vitest";
import type { CheckedOrder } from "../../../../provider/core/order/model/state.ts";
import { beginRun, given, ownerOf } from "../../support/orders-under-test.ts";

test("whether another run goes on is found out while nobody has the turn, and all who ask wait together", async () => {
  const theirs = beginRun();
  const { service } = theirs;
  await theirs.buy("theirs");
  const run = beginRun({ service, besideOthers: true });
  const planned: CheckedOrder[] = [];
  for (const name of ["a", "b", "c"]) {
    const owner = ownerOf(name).replace("dev", "prod");
    const { checked } = await run.orders.check(owner, undefined, given());
    planned.push(checked as CheckedOrder);
  }
  const { locks } = run.journal;
  const { withAccount, doesRunGoOn } = locks;
  let inTurn = false;
  const asked: boolean[] = [];
  let answering = 0;
  let mostAtOnce = 0;
  locks.withAccount = (times, work) =>
    withAccount(times, async (turn) => {
      inTurn = true;
      return work(turn).finally(() => {
        inTurn = false;
      });
    });
  locks.doesRunGoOn = async (runId) => {
    asked.push(inTurn);
    answering += 1;
    mostAtOnce = Math.max(mostAtOnce, answering);
    await new Promise((resolve) => setTimeout(resolve, 50));
    answering -= 1;
    return doesRunGoOn(runId);
  };
  await Promise.all(planned.map((one) => run.orders.create(one)));
  expect(service.orders).toHaveLength(4);
  expect(asked).toEqual([false, false, false]);
  expect(mostAtOnce).toBe(3);
});
