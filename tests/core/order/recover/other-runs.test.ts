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
  const { doesRunGoOn } = locks;
  const asked: string[] = [];
  const allAsk = Promise.withResolvers<void>();
  locks.doesRunGoOn = async (runId) => {
    asked.push(runId);
    if (asked.length === planned.length) allAsk.resolve();
    // Nobody is told before all have asked: who waited with the turn would hold up the others for ever.
    await allAsk.promise;
    return doesRunGoOn(runId);
  };
  await Promise.all(planned.map((one) => run.orders.create(one)));
  expect(service.orders).toHaveLength(4);
  expect(asked).toHaveLength(3);
});
