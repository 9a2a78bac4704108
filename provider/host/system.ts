import { cwd } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../client/index.ts";
import { type Account, openAccount } from "../core/account.ts";
import { openFileJournal } from "../core/journal/files.ts";
import { type RunIdentity, unknownRun } from "../core/run-identity.ts";
import type { Clock, Log } from "../core/service.ts";
import type { Settings } from "./settings.ts";

/** Time as this machine tells it. */
export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: async (ms) => {
    await sleep(ms);
  },
};

/** What a dynamic provider's process prints, the engine shows as info messages of the stack. */
const printedLog: Log = {
  info: (message) => console.log(message),
  progress: (message) => console.log(message),
  warn: (message) => console.log(`warning: ${message}`),
};

/** What differs from host to host. */
interface HostParts {
  /** @default what is printed */
  log?: Log;
  /** @default never */
  cancelled?: AbortSignal;
  /** @default one of which nothing is known */
  run?: RunIdentity;
}

/** Those of this process. */
const accounts: Account[] = [];

/**
 * Opens an account on the real service, the real clock and this machine's journal. The engine runs a provider in
 * the folder of the program, wherever the CLI was called.
 */
export function openSystemAccount(
  settings: Settings,
  { log = printedLog, ...parts }: HostParts = {},
): Account {
  const { baseUrl, apiKey, timeoutMs, journalDir } = settings;
  const service = createClient({ baseUrl, apiKey, timeoutMs });
  const place = { journalDir, baseUrl, project: cwd(), apiKey, identity: parts.run ?? unknownRun };
  const journal = openFileJournal(place, systemClock);
  const account = openAccount({ service, clock: systemClock, log, settings, journal, ...parts });
  accounts.push(account);
  return account;
}

/** To be called when the engine ends this process in order: it has had every answer, and goes on without us. */
export async function endAccounts(): Promise<void> {
  await Promise.allSettled(accounts.map(({ journal }) => journal.endRun()));
}
