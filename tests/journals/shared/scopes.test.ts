import { expect, test } from "vitest";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import { createMemoryStore } from "../../core/support/memory-store.ts";
import { startForTest } from "../../simulator/start.ts";
import { beginAccountRun, type Interposition } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { planOrder } from "./shared-run.ts";

/** Runs on machines of their own, each in another folder, that share a journal. Their stacks have one name. */
async function makeMachines() {
  const simulator = await startForTest();
  const clock = createVirtualClock();
  const raw = createMemoryStore(clock.now);
  let machines = 0;
  const begin = async (scope: string, interpose: Interposition = {}) => {
    machines += 1;
    return beginAccountRun({
      ...{ simulator, clock, interpose, journalDir: await makeTemporaryFolder() },
      project: `/checkout-${machines}`,
      openJournal: (place, own) =>
        openSharedJournal(
          { documents: openDocuments(raw, own), scope, isProbed: false },
          place,
          own,
        ),
    });
  };
  return { simulator, clock, begin };
}

/** Buys an order in a run that is killed before the engine has it. */
async function buyAndDie({ begin }: Awaited<ReturnType<typeof makeMachines>>, scope: string) {
  const death = Promise.withResolvers<void>();
  const run = await begin(scope, {
    store: (real) => ({
      ...real,
      async replace(next, ...rest) {
        await real.replace(next, ...rest);
        if (next.phase !== "returned") return;
        death.resolve();
        await new Promise(() => undefined);
      },
    }),
  });
  run.orders.create(await planOrder(run, "fleet")).catch(death.reject);
  await death.promise;
}

const HOUR_MS = 3_600_000;

test("what a killed run has paid is its stack's, from any folder of any machine", async () => {
  const machines = await makeMachines();
  await buyAndDie(machines, "staging");
  machines.clock.advance(HOUR_MS);
  const next = await machines.begin("staging");
  const plan = await planOrder(next, "fleet");
  expect(plan.quote).toMatchObject({ effect: "recover", price: 0 });
  await next.orders.create(plan);
  expect(machines.simulator.orders()).toHaveLength(1);
});

test("a stack of the same name in another scope buys nothing instead of it, and is told where it was bought", async () => {
  const machines = await makeMachines();
  await buyAndDie(machines, "staging");
  machines.clock.advance(HOUR_MS);
  const other = await machines.begin("production");
  await expect(planOrder(other, "fleet")).rejects.toThrow(/order \d+ and did not finish/);
  expect(machines.simulator.orders()).toHaveLength(1);
});
