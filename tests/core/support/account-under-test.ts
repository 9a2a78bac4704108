import {
  type AccountSettings,
  openAccount,
  type SpendingAccount,
} from "../../../provider/core/account.ts";
import type { Clock, Log } from "../../../provider/core/ports.ts";
import {
  type JournalParts,
  type Presence,
  type RunIdentity,
  unknownRun,
} from "../../../provider/core/ports.ts";
import { nameOf } from "../../../provider/core/values/owner.ts";
import {
  type FileJournalPlace,
  openFileJournal,
} from "../../../provider/journals/file/file-journal.ts";
import { makeFolder } from "../../journals/file/folders.ts";
import { usualSettings } from "../../support/usual-settings.ts";
import { createFakeService, type FakeService, type FakeServiceOptions } from "./fake-service.ts";

/** A clock that moves on only when a caller waits or a test moves it. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** The machine sleeps: the time of day goes on, and `elapsedMs` stands still. */
  suspend(ms: number): void;
  /** Every wait, in milliseconds. */
  waits: number[];
}

/** A clock whose waits are over at once. `onWait` runs before each wait, with the number of waits so far. */
export function createManualClock(onWait: (waits: number) => void = () => undefined): ManualClock {
  const waits: number[] = [];
  let elapsedMs = 1_000;
  let suspendedMs = 0;
  return {
    waits,
    now: () => new Date(Date.UTC(2026, 2, 1) + elapsedMs + suspendedMs),
    elapsedMs: () => elapsedMs,
    async sleep(ms) {
      onWait(waits.length);
      waits.push(ms);
      elapsedMs += ms;
    },
    advance(ms) {
      elapsedMs += ms;
    },
    suspend(ms) {
      suspendedMs += ms;
    },
  };
}

/** A log that keeps its lines. */
export interface KeptLog extends Log {
  lines: string[];
  warnings: string[];
}

function createKeptLog(endsLast: boolean): KeptLog {
  const lines: string[] = [];
  const warnings: string[] = [];
  return {
    endsLast,
    lines,
    warnings,
    info: (message) => void lines.push(message),
    progress: (message) => void lines.push(message),
    remark: (owner, message) => void lines.push(`${nameOf(owner)}: ${message}`),
    warn: (message) => void warnings.push(message),
  };
}

/** The runs of one service that have not ended, and the folder of their journal. */
interface Machine {
  journalDir: string;
  alive: Set<string>;
  /** The ids of killed runs. The engine may have saved nothing of what they returned. */
  killed: Set<string>;
}

const machines = new WeakMap<FakeService, Machine>();

function machineOf(service: FakeService): Machine {
  const known = machines.get(service);
  if (known) return known;
  const machine = { journalDir: makeFolder(), alive: new Set<string>(), killed: new Set<string>() };
  machines.set(service, machine);
  return machine;
}

/** A journal in files with real locks. Only which runs are alive is decided by the test. */
function openJournalForTest(
  machine: Machine,
  clock: Clock,
  place: Partial<FileJournalPlace>,
): JournalParts {
  const { journalDir, alive, killed } = machine;
  const usual = { journalDir, baseUrl: "http://service.test", project: "/project" };
  const presence: Presence = {
    show: async () => undefined,
    hide: async () => undefined,
    isAlive: async (runId) => alive.has(runId),
    // Whoever was killed has no turn any more, also where its purchase is still seen as under way.
    isGone: async ({ runId }) => !alive.has(runId) || killed.has(runId),
    isShown: () => true,
  };
  const parts = openFileJournal({ ...usual, ...place, presence }, clock);
  alive.add(parts.runId);
  return {
    ...parts,
    runs: {
      ...parts.runs,
      hasEnded: async (runId) => !alive.has(runId) && !killed.has(runId),
    },
  };
}

const HALF_A_DAY_MS = 12 * 60 * 60_000;

/** If a test sets the service's clock to another day, this machine's clock goes to that day, too. */
function setRight(clock: ManualClock, service: FakeService, isOwn: boolean): ManualClock {
  const now = () => {
    const { now: told = clock.now() } = service;
    const apartMs = Math.abs(told.getTime() - clock.now().getTime());
    return isOwn || apartMs < HALF_A_DAY_MS ? clock.now() : told;
  };
  return { ...clock, now };
}

/** An account, and everything around it that a test controls. */
export interface AccountUnderTest {
  account: SpendingAccount;
  service: FakeService;
  clock: ManualClock;
  log: KeptLog;
  journal: JournalParts;
  /** Where the journal is, with those of other services. */
  journalDir: string;
  /** Kills the run. The engine has perhaps not saved what the run returned. */
  die(): void;
}

/** Opens an account on a fake service. If a service is used again, this is a later run on the same machine. */
export function openForTest(
  options: {
    settings?: Partial<AccountSettings>;
    service?: FakeService | FakeServiceOptions;
    onWait?: (waits: number) => void;
    /** The folder of the program. */
    project?: string;
    /** The address of the service. */
    baseUrl?: string;
    /** The account's key. @default all accounts count as one */
    apiKey?: string;
    /** The run of the engine that the provider serves. @default nothing is known of it */
    run?: RunIdentity;
    /** Whether the engine waits for the last words of the run. @default false */
    endsLast?: boolean;
    /** If true, the earlier runs go on. @default they have ended */
    besideOthers?: boolean;
    /** If true, this machine's clock stays as it is when a test sets the service's clock to another day. */
    ownClock?: boolean;
  } = {},
): AccountUnderTest {
  const { service: given = {} } = options;
  const service = "calls" in given ? given : createFakeService(given);
  const clock = setRight(createManualClock(options.onWait), service, options.ownClock ?? false);
  const log = createKeptLog(options.endsLast ?? false);
  const settings = { ...usualSettings, ...options.settings };
  const machine = machineOf(service);
  if (!options.besideOthers) machine.alive.clear();
  const { project = "/project", baseUrl = "http://service.test", run = unknownRun } = options;
  const key = options.apiKey === undefined ? {} : { apiKey: options.apiKey };
  const journal = openJournalForTest(machine, clock, { project, baseUrl, identity: run, ...key });
  const account = openAccount({ service, clock, log, settings, journal, run });
  const die = () => void machine.killed.add(journal.runId);
  return { account, service, clock, log, journal, journalDir: machine.journalDir, die };
}
