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

/** Reads are repeated at once. */
const impatience = {
  random: () => 0,
  nowMs: () => performance.now(),
  sleep: async () => undefined,
};

/** One run of the provider on a simulator: real HTTP and a real journal, no engine. */
export interface AccountRun {
  account: SpendingAccount;
  orders: OrderLifecycle;
  /** Every line that a person would see. */
  lines: string[];
  runId: string;
}

/** What a run is made of. */
export interface AccountRunOptions {
  simulator: Simulator;
  journalDir: string;
  clock: Clock;
  settings?: Partial<AccountSettings>;
  /** How long a call may take in real time, whatever the clock says. @default 2500 */
  callTimeoutMs?: number;
  /** @default files, kept fresh by heartbeats */
  locks?: Locks;
  /** Folder of the program. @default "/project" */
  project?: string;
  /** Which run of the engine is served. @default nothing is known of it */
  run?: RunIdentity;
  /** Stands between the provider and what it talks to. */
  interpose?: Interposition;
  /** Says when a person has cancelled the run. @default never */
  cancelled?: AbortSignal;
}

/** What stands between a run and the world. */
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
