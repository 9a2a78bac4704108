import type { AccountSettings } from "../../../provider/core/account.ts";
import {
  type AutoExtensionLifecycle,
  createAutoExtensionLifecycle,
} from "../../../provider/core/auto-extension/lifecycle.ts";
import {
  createExtensionLifecycle,
  type ExtensionLifecycle,
} from "../../../provider/core/extension/lifecycle.ts";
import type { Journal } from "../../../provider/core/journal/journal.ts";
import type { OrderLifecycle } from "../../../provider/core/order/lifecycle.ts";
import type { Clock, Presence, RunIdentity } from "../../../provider/core/ports.ts";
import type { Simulator } from "../../../simulator/index.ts";
import { beginAccountRun, type Interposition, type OpenJournal } from "../../support/account.ts";

/** One process of the provider, as the engine sees it. */
export interface ProviderProcess {
  orders: OrderLifecycle;
  extensions: ExtensionLifecycle;
  autoExtensions: AutoExtensionLifecycle;
  /** Every line that a person would see. */
  lines: readonly string[];
  runId: string;
  journal: Journal;
}

/** What a process is started with. */
export interface ProcessStart {
  simulator: Simulator;
  apiKey: string;
  journalDir: string;
  clock: Clock;
  presence: Presence;
  openJournal: OpenJournal;
  /** Folder of the program. */
  project: string;
  /** See `proxyrental:journalScope`; "" if there is none. */
  scope: string;
  run: RunIdentity;
  settings: Partial<AccountSettings>;
  /** See `AccountParts`. @default false */
  waitsForNotes?: boolean;
  interpose?: Interposition;
}

/** In real time. It is so long that even a busy machine never gives up a call of a schedule. */
const CALL_TIMEOUT_MS = 30_000;

/** Begins a process. This is the only function of the campaign that starts the provider. */
export function beginProcess(start: ProcessStart): ProviderProcess {
  const { simulator, apiKey, interpose, ...rest } = start;
  const { account, orders, lines, runId } = beginAccountRun({
    simulator: { ...simulator, apiKey },
    callTimeoutMs: CALL_TIMEOUT_MS,
    ...rest,
    ...(interpose && { interpose }),
  });
  return {
    ...{ orders, lines, runId, journal: account.journal },
    extensions: createExtensionLifecycle(account),
    autoExtensions: createAutoExtensionLifecycle(account),
  };
}
