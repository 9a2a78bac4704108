import type { AccountInvariant, AccountOptions } from "./account/account-book.ts";
import { type SimulatedAccount, viewSimulatedAccount } from "./account/simulated-account.ts";
import { createApp } from "./api/app.ts";
import type { EndpointName } from "./api/endpoint-name.ts";
import type { RequestRecord } from "./api/request-journal.ts";
import type { TimeSpan } from "./clock.ts";
import type { FaultHandle, FaultRule } from "./faults/fault.ts";
import { type RunningServer, startServer } from "./http/server.ts";
import { readRecording } from "./likeness/recording-file.ts";
import { likeRecording } from "./likeness/seen-options.ts";
import { loadSeenOrders } from "./likeness/seen-orders.ts";
import { advanceService, createService, resetService, type Service } from "./service.ts";
import { resolveSettings, type SimulatorOptions } from "./settings.ts";
import { loadSnapshot, type Snapshot, saveSnapshot } from "./snapshot.ts";

/**
 * A running simulator. It is its own first account too. What is done through it, and not over HTTP, does not count as
 * a request.
 */
export interface Simulator extends SimulatedAccount {
  readonly baseUrl: string;
  /** The URL of the control API; undefined unless it was asked for. */
  readonly controlUrl: string | undefined;
  /**
   * A folder for the journal of a provider that uses this simulator. After a reset it is another one: order numbers begin
   * again, and the journal would take them for the old orders.
   */
  readonly journalDir: string;
  /** Another account of the same service. Throws a TypeError that names what is wrong or taken. */
  openAccount(options?: AccountOptions): SimulatedAccount;
  /** The service's time. The `Date` header of every answer tells it too. */
  now(): Date;
  /**
   * Moves the service's clock ahead of the clock that it follows (`now` of the options). What becomes due happens at
   * its own moment. Throws a TypeError that names what is negative, no number or no unit.
   */
  advance(span: TimeSpan): void;
  /** Since the start or the last reset; refused requests count too. */
  requestCounts(): Record<EndpointName, number>;
  /** The last 10,000 requests since the start or the last reset, in order of arrival. They hold no key. */
  requests(): readonly RequestRecord[];
  /** Forgets `requests()` too. */
  resetRequestCounts(): void;
  /** From now on calls meet the fault. Throws a TypeError that names the wrong field of a rule. */
  addFault(rule: FaultRule): FaultHandle;
  /** Calls that arrive from now on meet no fault. Late commits that are under way still happen. */
  clearFaults(): void;
  /** How often any fault has struck since the start or the last reset. */
  faultsHit(): number;
  /** From now on nobody can connect. Calls under way are answered, and then their connections close. */
  refuseConnections(): void;
  /** Undoes that, on the same port. Rejects if another program has taken the port. */
  acceptConnections(): Promise<void>;
  /** What must always be true of each account, and whether it is. */
  invariants(): AccountInvariant[];
  /**
   * All accounts and the clock, as plain data without keys. Throws while calls that were put off are not carried out
   * yet.
   */
  save(): Snapshot;
  /**
   * Replaces all accounts and the time by saved ones. Faults and requests stay. Accounts of the same name keep their
   * keys. Throws a TypeError that says what is wrong with a snapshot. Then nothing has changed.
   */
  load(snapshot: unknown): void;
  /** Resets everything to the start: first account, clock, faults, requests. */
  reset(): void;
  /** Closes the port and every connection, answered or not, and all live proxies. */
  stop(): Promise<void>;
}

/** Starts the service on a port of this machine, with one account. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const recording = options.like === undefined ? undefined : readRecording(options.like);
  const settings = resolveSettings(recording ? likeRecording(recording, options) : options);
  const service = createService(settings);
  if (recording) loadSeenOrders(service, recording);
  const { host, port, ownsProcess } = settings;
  const now = () => service.clock.now();
  const api = await startServer(createApp(service).fetch, { host, port, now, ownsProcess });
  const listeners = { api, control: await openControl(service, api) };
  return {
    baseUrl: api.url,
    controlUrl: listeners.control?.url,
    get journalDir() {
      return service.journalDir;
    },
    ...openAccounts(service),
    now,
    advance: (span) => advanceService(service, span),
    ...showRequests(service),
    ...faultRules(service),
    invariants: () => service.accounts.checkInvariants(),
    save: () => saveSnapshot(service),
    load: (snapshot) => loadSnapshot(service, snapshot),
    reset: () => resetService(service),
    ...connect(service, listeners),
  };
}

interface Listeners {
  api: RunningServer;
  control: RunningServer | undefined;
}

/** Loaded only when it is wanted: most tests change the simulator from within. */
async function openControl(
  service: Service,
  api: RunningServer,
): Promise<RunningServer | undefined> {
  const { clock, settings } = service;
  const { control, ownsProcess } = settings;
  if (control === undefined) return undefined;
  const { createControlApp } = await import("./control/app.ts");
  try {
    const { fetch } = createControlApp(service, api.url);
    return await startServer(fetch, { ...control, now: () => clock.now(), ownsProcess });
  } catch (error) {
    await api.close();
    throw error;
  }
}

function connect(
  service: Service,
  { api, control }: Listeners,
): Pick<Simulator, "refuseConnections" | "acceptConnections" | "stop"> {
  let stopping: Promise<unknown> | undefined;
  return {
    refuseConnections: () => {
      service.isRefusing = true;
      api.pause();
    },
    acceptConnections: async () => {
      if (stopping !== undefined) throw new Error("The simulator has been stopped");
      service.isRefusing = false;
      await api.resume();
    },
    stop: async () => {
      service.stopping.abort();
      stopping ??= Promise.all([api.close(), control?.close(), service.live?.stop()]);
      await stopping;
    },
  };
}

function openAccounts({ accounts }: Service): SimulatedAccount & Pick<Simulator, "openAccount"> {
  const { name, apiKey } = accounts.first;
  return {
    name,
    apiKey,
    ...viewSimulatedAccount(() => accounts.first),
    openAccount: (options) => {
      const { name, apiKey } = accounts.open(options);
      const current = () => {
        const account = accounts.findByName(name);
        if (account === undefined)
          throw new RangeError(`The simulator has no account "${name}" any more`);
        return account;
      };
      return { name, apiKey, ...viewSimulatedAccount(current) };
    },
  };
}

function showRequests({
  requests,
}: Service): Pick<Simulator, "requestCounts" | "requests" | "resetRequestCounts"> {
  return {
    requestCounts: () => requests.counts(),
    requests: () => requests.records(),
    resetRequestCounts: () => requests.reset(),
  };
}

function faultRules({
  faults,
}: Service): Pick<Simulator, "addFault" | "clearFaults" | "faultsHit"> {
  return {
    addFault: (rule) => faults.add(rule),
    clearFaults: () => faults.clear(),
    faultsHit: () => faults.hits(),
  };
}
