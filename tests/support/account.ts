import { createClient } from "../../provider/client/index.ts";
import { neverCancelled } from "../../provider/core/account/cancellation.ts";
import {
  type AccountSettings,
  openAccount,
  type SpendingAccount,
} from "../../provider/core/account.ts";
import type { DocumentStore } from "../../provider/core/journal/document-store.ts";
import { createOrderLifecycle, type OrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import type { Clock, ProxyService } from "../../provider/core/ports.ts";
import {
  type JournalParts,
  type JournalStore,
  type Presence,
  type RunIdentity,
  unknownRun,
} from "../../provider/core/ports.ts";
import {
  type FileJournalPlace,
  openFileJournal,
} from "../../provider/journals/file/file-journal.ts";
import type { Simulator } from "../../simulator/index.ts";
import { USUAL_DEADLINE_MS } from "./deadlines.ts";
import { usualSettings } from "./usual-settings.ts";

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
  /** The longest time for a call, in real time and not by the virtual clock. @default 20000 */
  callTimeoutMs?: number;
  /** Shows which runs go on. @default heartbeats of this machine */
  presence?: Presence;
  /** Opens the journal. @default as files of this machine */
  openJournal?: OpenJournal;
  /** The folder of the program. @default "/project" */
  project?: string;
  /** See `proxyrental:journalScope`. @default none */
  scope?: string;
  /** The run of the engine that this provider serves. @default nothing is known of it */
  run?: RunIdentity;
  /** See `AccountParts`. @default false */
  waitsForNotes?: boolean;
  /** Replaces what stands between the provider and the services that it talks to. */
  interpose?: Interposition;
  /** Tells that a person has cancelled the run. @default never */
  cancelled?: AbortSignal;
}

/** Opens the journal of one process. */
export type OpenJournal = (place: FileJournalPlace, clock: Clock) => JournalParts;

/** What a test puts between a run and the outside. */
export interface Interposition {
  service?(real: ProxyService): ProxyService;
  store?(real: JournalStore): JournalStore;
  documents?(real: DocumentStore): DocumentStore;
}

/** Begins a run. */
export function beginAccountRun(options: AccountRunOptions): AccountRun {
  const {
    simulator,
    journalDir,
    clock,
    callTimeoutMs = USUAL_DEADLINE_MS,
    run = unknownRun,
  } = options;
  const { baseUrl, apiKey } = simulator;
  const { interpose = {}, openJournal = openFileJournal } = options;
  const lines: string[] = [];
  const say = (message: string) => void lines.push(message);
  const parts = openJournal(
    {
      ...{ journalDir, baseUrl, apiKey, project: options.project ?? "/project", identity: run },
      ...(options.scope && { scope: options.scope }),
      ...(options.presence && { presence: options.presence }),
      ...(interpose.documents && { interpose: interpose.documents }),
    },
    clock,
  );
  const client = createClient({ baseUrl, apiKey, timeoutMs: callTimeoutMs, chance: impatience });
  const account = openAccount({
    service: interpose.service?.(client) ?? client,
    run,
    clock,
    log: { info: say, progress: say, remark: (_owner, line) => say(line), warn: say },
    journal: { ...parts, store: interpose.store?.(parts.store) ?? parts.store },
    settings: { ...usualSettings, ...options.settings },
    cancelled: options.cancelled ?? neverCancelled,
    waitsForNotes: options.waitsForNotes ?? false,
  });
  return { account, orders: createOrderLifecycle(account), lines, runId: parts.runId };
}
