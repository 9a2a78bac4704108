import type { CheckedOrder } from "../../../provider/core/order/model/state.ts";
import type { Simulator, SimulatorOptions } from "../../../simulator/index.ts";
import { startForTest } from "../../simulator/start.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../../support/account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { given, ownerOf } from "./orders-under-test.ts";

/** A run that a person may cancel. */
export interface CancellableRun extends AccountRun {
  cancel(): void;
  /** Plans an order. No check may fail. */
  plan(name: string, args?: object): Promise<CheckedOrder>;
  phases(): Promise<string[]>;
}

/** A simulator, the journal of its account, and a way to begin runs on both. */
export interface Stage {
  simulator: Simulator;
  clock: VirtualClock;
  beginRun(interpose?: Interposition): CancellableRun;
}

/** Makes a stage that ends with the test. */
export async function setStage(options: SimulatorOptions = {}): Promise<Stage> {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now, ...options });
  const journalDir = await makeTemporaryFolder();
  return {
    simulator,
    clock,
    beginRun(interpose) {
      const cancellation = new AbortController();
      const { signal: cancelled } = cancellation;
      const run = beginAccountRun({
        ...{ simulator, journalDir, clock, cancelled },
        ...(interpose && { interpose }),
      });
      return {
        ...run,
        cancel: () => cancellation.abort(),
        async plan(name, args = {}) {
          const checked = await run.orders.check(ownerOf(name), undefined, given(args));
          if (checked.failures.length > 0) throw new Error(JSON.stringify(checked.failures));
          // No check fails and all arguments are known, so the checked order is complete.
          return checked.checked as CheckedOrder;
        },
        phases: async () => (await run.account.journal.readAll()).map(({ phase }) => phase),
      };
    },
  };
}
