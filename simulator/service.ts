import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountBook } from "./account/account-book.ts";
import { RequestJournal } from "./api/request-journal.ts";
import { Clock, type TimeSpan } from "./clock.ts";
import { FaultBook } from "./faults/fault-book.ts";
import { forecast } from "./faults/weather.ts";
import { LiveProxies } from "./live/live-proxies.ts";
import type { Settings } from "./settings.ts";

/** All that a simulator is made of, behind its two servers. */
export interface Service {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly accounts: AccountBook;
  /** Undefined if proxies are only entries of a listing. */
  readonly live: LiveProxies | undefined;
  readonly requests: RequestJournal;
  readonly faults: FaultBook;
  /** How often something has happened that the page may want to show. */
  readonly changes: { count: number };
  /**
   * A folder for the journal of a provider that uses these accounts. Order numbers begin again with another simulator
   * and after a reset. An older journal would take them for the old orders.
   */
  journalDir: string;
  /** Ends everything that waits. */
  readonly stopping: AbortController;
  /** Then no answer may keep its connection: a call on it would not be refused. */
  isRefusing: boolean;
}

export function createService(settings: Settings): Service {
  const clock = new Clock(settings.now);
  const live = settings.live ? new LiveProxies(() => accounts.settle()) : undefined;
  const accounts: AccountBook = new AccountBook(settings, clock, live);
  return {
    settings,
    clock,
    accounts,
    live,
    requests: new RequestJournal((text) => accounts.redactKeys(text)),
    changes: { count: 0 },
    faults: new FaultBook(settings.seed, forecast(settings)),
    journalDir: nameJournalDir(),
    stopping: new AbortController(),
    isRefusing: false,
  };
}

/** Throws a TypeError that names what makes no sense. Then the clock has not moved. */
export function advanceService({ clock, accounts, live }: Service, span: TimeSpan): void {
  clock.advance(span);
  // Everything else may wait for the next request. But a client in a tunnel of a proxy that has ended sends none.
  if (live !== undefined) accounts.settle();
}

/**
 * Resets everything to the start, except the number of the next request. Calls under way end with the accounts that
 * they began with.
 */
export function resetService(service: Service): void {
  const { accounts, clock, faults, requests } = service;
  service.journalDir = nameJournalDir();
  clock.reset();
  accounts.reset();
  faults.reset();
  requests.reset();
}

function nameJournalDir(): string {
  return join(tmpdir(), `proxyrental-journal-${randomUUID()}`);
}
