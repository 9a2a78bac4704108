import { cwd } from "node:process";
import { createClient } from "../client/index.ts";
import { openAccount, type SpendingAccount } from "../core/account.ts";
import type { Clock, Log } from "../core/ports.ts";
import { type RunIdentity, unknownRun } from "../core/ports.ts";
import { nameOf } from "../core/values/owner.ts";
import { machineTime } from "../journals/machine-time.ts";
import { openJournalAt } from "../journals/open-journal.ts";
import { openCallRecord } from "./calls/call-file.ts";
import type { Settings } from "./settings.ts";

/** For a process that has no engine to tell. */
const printedLog: Log = {
  info: (message) => console.log(message),
  progress: (message) => console.log(message),
  remark: (owner, message) => console.log(`${nameOf(owner)}: ${message}`),
  warn: (message) => console.log(`warning: ${message}`),
};

/** What differs from host to host. */
interface HostParts {
  /** Folder of the program. @default this process's, because the engine runs a provider there */
  project?: string;
  /** @default this machine's */
  clock?: Clock;
  /** @default what is printed */
  log?: Log;
  /** @default never */
  cancelled?: AbortSignal;
  /** @default a run of which nothing is known */
  run?: RunIdentity;
  /** See `AccountParts`. @default false */
  waitsForNotes?: boolean;
}

/** Opens an account on the real service, with this machine's journal. */
export function openSystemAccount(
  settings: Settings,
  { log = printedLog, clock = machineTime, project = cwd(), ...parts }: HostParts = {},
): SpendingAccount {
  const { baseUrl, apiKey, timeoutMs, journalDir, previewBindsMs } = settings;
  const { sharedJournal: shared, journalScope: scope } = settings;
  const observe = openCallRecord(settings.calls, { apiKey, warn: (message) => log.warn(message) });
  const service = createClient({ baseUrl, apiKey, timeoutMs, observe });
  const identity = parts.run ?? unknownRun;
  const place = { journalDir, baseUrl, project, scope, apiKey, identity, previewBindsMs };
  const journal = openJournalAt({ ...place, shared }, clock);
  return openAccount({ service, clock, log, settings, journal, ...parts });
}
