import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import { createClient } from "../../provider/client/index.ts";
import { openAccount } from "../../provider/core/account.ts";
import { createOrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import type { CheckedOrder, OrderState } from "../../provider/core/order/model/state.ts";
import type { JournalParts } from "../../provider/core/ports.ts";
import type { Intent } from "../../provider/core/records/intent.ts";
import { openFileJournal } from "../../provider/journals/file/file-journal.ts";
import { parseJournalUrl } from "../../provider/journals/journal-url.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import { openJournalAt } from "../../provider/journals/open-journal.ts";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { startForTest } from "../simulator/start.ts";
import { nobodyElse } from "../support/presence.ts";
import { findLeaks, secretsOf } from "../support/secrecy.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { usualSettings } from "../support/usual-settings.ts";
import { type Outcome, type RunOptions, runCli } from "./command.ts";

const PROJECT = "/home/a/fleet";

/** A run of the provider: it can plan and buy. */
export interface Run {
  check(name?: string, args?: object): ReturnType<ReturnType<typeof createOrderLifecycle>["check"]>;
  buy(name?: string, args?: object): Promise<OrderState>;
  /** Reads an order that is in the state, as a refresh does, and writes down what that confirms. */
  read(state: OrderState): Promise<unknown>;
}

/** A machine with an account on the simulator, and its own journal. */
export interface Machine {
  simulator: Simulator;
  journalDir: string;
  /** The environment of the provider and of the tool. */
  env: Record<string, string>;
  /**
   * Begins a run, which the engine never ends. If `isAlive` is not set, other runs see that its process is gone, as far as
   * anybody can see that.
   */
  beginRun(options?: {
    isAlive?: boolean;
    /** The URL of another journal than the machine's. */
    journal?: string;
    /** Its `journalScope`. */
    scope?: string;
  }): Run;
  /** Runs the tool with that environment. */
  cli(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** The output of `journal list --json`. */
  list(...flags: string[]): Promise<Intent[]>;
}

/** The owner of a resource by this name. */
export function ownerOf(name: string): string {
  return `org/urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/proxyrental:ProxyOrder::${name}`;
}

/** A journal that is named by its URL. */
export interface NamedJournal {
  url: string;
  /** The credentials that its store reads. */
  env?: Record<string, string>;
}

/**
 * Makes a machine that ends with the test. At the end the tool's output is searched for the key and passwords.
 * @param journal @default a folder of its own
 */
export async function startMachine(
  options: SimulatorOptions = {},
  journal?: NamedJournal,
): Promise<Machine> {
  const simulator = await startForTest(options);
  const journalDir = await makeTemporaryFolder();
  const { baseUrl, apiKey } = simulator;
  const env: Record<string, string> = {
    PROXYRENTAL_BASE_URL: baseUrl,
    PROXYRENTAL_API_KEY: apiKey,
    ...(journal === undefined
      ? { PROXYRENTAL_JOURNAL_DIR: journalDir }
      : { PROXYRENTAL_JOURNAL: journal.url, ...journal.env }),
  };
  const url = journal?.url ?? pathToFileURL(journalDir).href;
  const secrets = new Set([...secretsOf(simulator), ...Object.values(journal?.env ?? {})]);
  const said: [string, string][] = [];
  const cli: Machine["cli"] = async (args, given = {}) => {
    const outcome = await runCli(args, { ...given, env: { ...env, ...given.env } });
    said.push([args.join(" "), outcome.stdout + outcome.stderr]);
    return outcome;
  };
  onTestFinished(() => expect(findLeaks(secrets, said)).toEqual([]));
  return {
    simulator,
    journalDir,
    env,
    cli,
    beginRun: ({ isAlive = false, journal: own = url, scope = "" } = {}) =>
      beginRun(simulator, openHere(own, simulator, { journalDir, isAlive, scope })),
    async list(...flags) {
      const { stdout } = await cli(["journal", "list", "--json", ...flags]);
      return JSON.parse(stdout);
    },
  };
}

/** The journal of a new process of this machine. */
function openHere(
  url: string,
  { baseUrl, apiKey }: Simulator,
  { journalDir, isAlive, scope }: { journalDir: string; isAlive: boolean; scope: string },
): JournalParts {
  const location = parseJournalUrl(url);
  const folder = location.kind === "file" ? location.folder : journalDir;
  const place = { journalDir: folder, baseUrl, apiKey, project: PROJECT, scope };
  if (location.kind !== "file") {
    return openJournalAt({ ...place, shared: location }, machineTime);
  }
  // Without a heartbeat, other runs think that the run's process was killed.
  return openFileJournal(isAlive ? place : { ...place, presence: nobodyElse }, machineTime);
}

function beginRun({ baseUrl, apiKey }: Simulator, journal: JournalParts): Run {
  const service = createClient({ baseUrl, apiKey, timeoutMs: 5_000 });
  onTestFinished(() => service.close());
  const account = openAccount({
    service,
    clock: machineTime,
    log: {
      info: () => undefined,
      progress: () => undefined,
      remark: () => undefined,
      warn: () => undefined,
    },
    journal,
    settings: { ...usualSettings, timeoutMs: 5_000, settlingMs: 300 },
  });
  const orders = createOrderLifecycle(account);
  const check: Run["check"] = (name = "fleet", args = {}) =>
    orders.check(ownerOf(name), undefined, {
      known: { ...fiveProxies, ...args },
      unknown: new Set(),
    });
  return {
    check,
    async read(state) {
      const found = await orders.read(state);
      await account.journal.putAway();
      return found;
    },
    async buy(name, args) {
      const { checked, failures } = await check(name, args);
      if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
      return orders.create(checked);
    },
  };
}

const fiveProxies = {
  proxyType: "IPv4",
  country: "USA",
  quantity: 5,
  rentPeriodDays: 30,
  goal: "price comparison",
};

/** The plan of a check that must succeed. */
export async function planOf(run: Run, name?: string, args?: object): Promise<CheckedOrder> {
  const { checked, failures } = await run.check(name, args);
  if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures)}`);
  // No check fails and all arguments are known, so the checked order is complete.
  return checked as CheckedOrder;
}

/** Loses the answer to the next order while another buyer buys the same. Nobody can tell which order is whose. */
export async function buyWithRival({ simulator, beginRun: begin }: Machine): Promise<string> {
  const item = { proxyType: "IPv4", country: "USA", quantity: 5, rentPeriodDays: 30 } as const;
  const rules = [
    simulator.addFault({
      endpoint: "createOrder",
      phase: "before",
      fault: { kind: "foreignOrder", item },
    }),
    simulator.addFault({ endpoint: "createOrder", phase: "after", fault: { kind: "reset" } }),
  ];
  const failure = await begin()
    .buy()
    .catch((error: unknown) => error);
  for (const rule of rules) rule.remove();
  return String(failure);
}

/** Loses the next order before it is placed. The balance also changes otherwise, so nobody can tell what happened. */
export async function loseWithoutTrace({ simulator, beginRun: begin }: Machine): Promise<string> {
  const rules = [
    simulator.addFault({
      endpoint: "createOrder",
      phase: "before",
      fault: { kind: "act", run: () => simulator.setBalance("123.45") },
    }),
    simulator.addFault({ endpoint: "createOrder", phase: "before", fault: { kind: "reset" } }),
  ];
  const failure = await begin()
    .buy()
    .catch((error: unknown) => error);
  for (const rule of rules) rule.remove();
  return String(failure);
}
