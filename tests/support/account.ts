import { createClient } from "../../provider/client/index.ts";
import { neverCancelled } from "../../provider/core/account/cancellation.ts";
import {
  type AccountSettings,
  openAccount,
  type SpendingAccount,
} from "../../provider/core/account.ts";
import { createOrderLifecycle, type OrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import type { Clock, ProxyService } from "../../provider/core/ports.ts";
import {
  type JournalStore,
  type Locks,
  type RunIdentity,
  unknownRun,
} from "../../provider/core/ports.ts";
import { openFileJournal } from "../../provider/journals/file/open-journal.ts";
import type { Simulator } from "../../simulator/index.ts";
import { usualSettings } from "./usual-settings.ts";

const notInterposed: Interposition = { service: (real) => real, store: (real) => real };

/** With these settings, reads are repeated at once. */
const impatience = {
  random: () => 0,
  nowMs: () => performance.now(),
  sleep: async () => undefined,
};

/** One run of the provider on a simulator. It has real HTTP and a real journal, but no engine. */
export interface AccountRun {
  account: SpendingAccount;
  orders: OrderLifecycle;
  /** Every line that a user would see. */
  lines: string[];
  runId: string;
}

/** The parts of a run, and its settings. */
export interface AccountRunOptions {
  simulator: Simulator;
  journalDir: string;
  clock: Clock;
  settings?: Partial<AccountSettings>;
  /** The longest time for a call, in real time and not by the virtual clock. @default 2500 */
  callTimeoutMs?: number;
  /** @default files that heartbeats keep fresh */
  locks?: Locks;
  /** The folder of the program. @default "/project" */
  project?: string;
  /** The run of the engine that this provider serves. @default nothing is known of it */
  run?: RunIdentity;
  /** Replaces what stands between the provider and the services that it talks to. */
  interpose?: Interposition;
  /** Tells that a person has cancelled the run. @default never */
  cancelled?: AbortSignal;
}

/** What a test puts between a run and the outside. */
export interface Interposition {
  service(real: ProxyService): ProxyService;
  store(real: JournalStore): JournalStore;
}

/** Begins a run. */
export function beginAccountRun(options: AccountRunOptions): AccountRun {
  const { simulator, journalDir, clock, callTimeoutMs = 2_500, run = unknownRun } = options;
  const { baseUrl, apiKey } = simulator;
  const lines: string[] = [];
  const say = (message: string) => void lines.push(message);
  const parts = openFileJournal(
    { journalDir, baseUrl, apiKey, project: options.project ?? "/project", identity: run },
    clock,
  );
  const { locks = parts.locks } = options;
  const client = createClient({ baseUrl, apiKey, timeoutMs: callTimeoutMs, chance: impatience });
  const { service, store } = options.interpose ?? notInterposed;
  const account = openAccount({
    service: service(client),
    run,
    clock,
    log: { info: say, progress: say, warn: say },
    journal: { ...parts, locks, store: store(parts.store) },
    settings: { ...usualSettings, ...options.settings },
    cancelled: options.cancelled ?? neverCancelled,
  });
  return { account, orders: createOrderLifecycle(account), lines, runId: parts.runId };
}
