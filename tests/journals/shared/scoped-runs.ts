import { openDocuments } from "../../../provider/core/journal/documents.ts";
import type { CheckedOrder, OrderState } from "../../../provider/core/order/model/state.ts";
import { JournalError, type RunIdentity } from "../../../provider/core/ports.ts";
import type { Intent } from "../../../provider/core/records/intent.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import type { Simulator } from "../../../simulator/index.ts";
import { createMemoryStore, type MemoryStore } from "../../core/support/memory-store.ts";
import { startForTest } from "../../simulator/start.ts";
import { type AccountRun, beginAccountRun, type Interposition } from "../../support/account.ts";
import { nobodyElse } from "../../support/presence.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";
import { planOrder } from "./shared-run.ts";

export const HOUR_MS = 3_600_000;

/** The journals that runs may have together. */
export const journalKinds = ["shared", "local"] as const;

/** A part of `pulumi up`, or of `pulumi preview`. */
function identity(command: "preview" | "up", phase: "preview" | "update"): RunIdentity {
  return { run: undefined, command, commandId: undefined, phase: () => phase };
}

export const previewing = identity("preview", "preview");

const applying = identity("up", "update");

interface RunOptions {
  interpose?: Interposition;
  run?: RunIdentity;
}

/** Runs of stacks of one name that share an account and a journal. */
export interface ScopedRuns {
  simulator: Simulator;
  clock: VirtualClock;
  /** The store of a shared journal. */
  raw: MemoryStore;
  /** Begins a run of the stack of this `journalScope`. */
  begin(scope: string, options?: RunOptions): Promise<AccountRun>;
}

/** Makes runs that share a journal. If that is in a store, each run is on a machine and in a folder of its own. */
export async function makeRuns(kind: (typeof journalKinds)[number]): Promise<ScopedRuns> {
  const clock = createVirtualClock();
  const simulator = await startForTest({ now: clock.now });
  const raw = createMemoryStore(clock.now);
  const home = await makeTemporaryFolder();
  let machines = 0;
  const onMachine = async () => {
    machines += 1;
    return { journalDir: await makeTemporaryFolder(), project: `/checkout-${machines}` };
  };
  return {
    ...{ simulator, clock, raw },
    begin: async (scope, { interpose = {}, run = applying } = {}) =>
      beginAccountRun({
        ...{ simulator, clock, interpose, scope, run },
        // All runs are in one process, so a killed one would seem to go on.
        ...(kind === "local" ? { journalDir: home, presence: nobodyElse } : await onMachine()),
        openJournal: (place, own) =>
          kind === "local"
            ? openFileJournal(place, own)
            : openSharedJournal(
                { documents: openDocuments(raw, own), isProbed: false },
                place,
                own,
              ),
      }),
  };
}

/** An order as the engine knows it. */
export interface BoughtOrder {
  checked: CheckedOrder;
  state: OrderState;
}

/** Buys an order in a run that ends in the ordinary way. */
export async function buy(
  { begin, clock }: ScopedRuns,
  scope: string,
  {
    name = "fleet",
    interpose = {},
    ...args
  }: Pick<RunOptions, "interpose"> & {
    name?: string;
    quantity?: number;
  } = {},
): Promise<BoughtOrder> {
  const run = await begin(scope, { interpose });
  const checked = await planOrder(run, name, args);
  const state = await run.orders.create(checked);
  await run.account.journal.endRun();
  clock.advance(HOUR_MS);
  return { checked, state };
}

/** Buys an order in a run that is killed before the engine has it. */
export async function buyAndDie({ begin, clock }: ScopedRuns, scope: string): Promise<void> {
  const death = Promise.withResolvers<void>();
  const run = await begin(scope, {
    interpose: {
      store: (real) => ({
        ...real,
        async replace(next, ...rest) {
          await real.replace(next, ...rest);
          if (next.phase !== "returned") return;
          death.resolve();
          await new Promise(() => undefined);
        },
      }),
    },
  });
  run.orders.create(await planOrder(run, "fleet")).catch(death.reject);
  await death.promise;
  clock.advance(HOUR_MS);
}

/** A run that finds the order in its state, and has nothing to do. */
export async function goOn(
  run: AccountRun,
  { checked, state }: BoughtOrder,
  name = "fleet",
): Promise<void> {
  const again = await planOrder(run, name, {}, checked);
  if (again.quote.effect !== "none") throw new Error(`it would ${again.quote.effect}`);
  await run.orders.diff(state, again, new Set());
  await run.account.journal.endRun();
}

/** What a run of the stack plans whose state is lost, or why it plans nothing. */
export async function planAnew(
  { begin, clock }: ScopedRuns,
  scope: string,
  name = "fleet",
): Promise<string> {
  clock.advance(HOUR_MS);
  return planOrder(await begin(scope), name).then(
    ({ quote }) => quote.effect,
    ({ message }: Error) => message,
  );
}

/** All purchases, as a run without a scope sees them. */
export async function readPurchases({ begin }: ScopedRuns): Promise<Intent[]> {
  return (await begin("")).account.journal.readAll();
}

/** The store is away while these are written, and back a moment later. */
export function awayFor(isMissed: (next: Intent) => boolean): Interposition {
  return {
    store: (real) => ({
      ...real,
      async replace(next, ...rest) {
        if (isMissed(next)) throw new JournalError("unavailable", "the store is away");
        await real.replace(next, ...rest);
      },
    }),
  };
}
