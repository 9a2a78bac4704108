import { createClient } from "../../provider/client/index.ts";
import { type Account, type AccountSettings, openAccount } from "../../provider/core/account.ts";
import { openFileJournal } from "../../provider/core/journal/files.ts";
import { createOrderLifecycle, type OrderLifecycle } from "../../provider/core/order/lifecycle.ts";
import type { Clock } from "../../provider/core/service.ts";
import type { Simulator } from "../../simulator/index.ts";

/** One run of the provider on a simulator: real HTTP and a real journal, no engine. */
export interface AccountRun {
  account: Account;
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
  /** How long a call may take in real time, whatever the clock says. @default 1000 */
  callTimeoutMs?: number;
  /** The runs that go on, by the test's will. @default by their heartbeats */
  alive?: Set<string>;
  /** Folder of the program. @default "/project" */
  project?: string;
}

/** Begins a run. */
export function beginAccountRun(options: AccountRunOptions): AccountRun {
  const { simulator, journalDir, clock, alive, callTimeoutMs = 1_000 } = options;
  const { baseUrl, apiKey } = simulator;
  const lines: string[] = [];
  const say = (message: string) => void lines.push(message);
  const parts = openFileJournal(
    { journalDir, baseUrl, project: options.project ?? "/project" },
    clock,
  );
  alive?.add(parts.runId);
  const locks = alive
    ? { ...parts.locks, isRunAlive: async (runId: string) => alive.has(runId) }
    : parts.locks;
  const account = openAccount({
    service: createClient({ baseUrl, apiKey, timeoutMs: callTimeoutMs }),
    clock,
    log: { info: say, warn: say },
    journal: { ...parts, locks },
    settings: {
      maxSpend: undefined,
      showBalance: true,
      goneOrders: new Set(),
      foreignOrders: new Set(),
      lookBackMinutes: 30,
      onDeleteFailure: "fail",
      timeoutMs: 30_000,
      settlingMs: 60_000,
      ...options.settings,
    },
  });
  return { account, orders: createOrderLifecycle(account), lines, runId: parts.runId };
}
