import { expect, test } from "vitest";
import { makeSharedJournal, planOrder } from "./shared-run.ts";

/** docs/never-twice.md says so. */
test.each([
  [1, 8, 8],
  [11, 18, 53],
])(
  "a run with %i orders asks a shared journal at most %i times to plan, and %i times to buy",
  async (count, toPlan, toBuy) => {
    const { beginRun, questions } = await makeSharedJournal();
    // The first run probes the store.
    const probing = beginRun();
    await probing.orders.create(await planOrder(probing, "probing", { country: "DEU" }));
    await probing.account.journal.endRun();

    const run = beginRun();
    const names = Array.from({ length: count }, (_, index) => `order-${index}`);
    const before = questions();
    const planned = [];
    for (const name of names) planned.push(await planOrder(run, name));
    const bought = questions();
    await Promise.all(planned.map((one) => run.orders.create(one)));
    expect(bought - before).toBeLessThanOrEqual(toPlan);
    expect(questions() - bought).toBeLessThanOrEqual(toBuy);
  },
);
