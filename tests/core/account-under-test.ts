import { type Account, type AccountSettings, openAccount } from "../../provider/core/account.ts";
import type { Clock, Log } from "../../provider/core/service.ts";
import { createFakeService, type FakeService, type FakeServiceOptions } from "./fake-service.ts";

/** Time that moves on only when somebody waits, or is told to. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Every wait, in milliseconds. */
  waits: number[];
}

/** A clock whose waits are over at once. `onWait` runs before each, with the number of waits so far. */
export function createManualClock(onWait: (waits: number) => void = () => undefined): ManualClock {
  const waits: number[] = [];
  let elapsedMs = 1_000;
  return {
    waits,
    now: () => new Date(Date.UTC(2026, 2, 1) + elapsedMs),
    elapsedMs: () => elapsedMs,
    async sleep(ms) {
      onWait(waits.length);
      waits.push(ms);
      elapsedMs += ms;
    },
    advance(ms) {
      elapsedMs += ms;
    },
  };
}

/** A log that keeps its lines. */
export interface KeptLog extends Log {
  lines: string[];
  warnings: string[];
}

function createKeptLog(): KeptLog {
  const lines: string[] = [];
  const warnings: string[] = [];
  return {
    lines,
    warnings,
    info: (message) => void lines.push(message),
    warn: (message) => void warnings.push(message),
  };
}

/** An account with everything around it in the test's hand. */
export interface AccountUnderTest {
  account: Account;
  service: FakeService;
  clock: ManualClock;
  log: KeptLog;
}

/** Opens an account on a fake service; the same service again stands for another run. */
export function openForTest(
  options: {
    settings?: Partial<AccountSettings>;
    service?: FakeService | FakeServiceOptions;
    onWait?: (waits: number) => void;
  } = {},
): AccountUnderTest {
  const { service: given = {} } = options;
  const service = "calls" in given ? given : createFakeService(given);
  const clock = createManualClock(options.onWait);
  const log = createKeptLog();
  const settings: AccountSettings = {
    maxSpend: undefined,
    showBalance: true,
    goneOrders: new Set(),
    onDeleteFailure: "fail",
    ...options.settings,
  };
  return { account: openAccount({ service, clock, log, settings }), service, clock, log };
}
