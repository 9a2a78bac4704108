import { AccountBook } from "./account/account-book.ts";
import { RequestJournal } from "./api/request-journal.ts";
import { Clock } from "./clock.ts";
import { FaultBook } from "./faults/fault-book.ts";
import { forecast } from "./faults/weather.ts";
import type { Settings } from "./settings.ts";

/** All that a simulator is made of, behind its doors. */
export interface Service {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly accounts: AccountBook;
  readonly requests: RequestJournal;
  readonly faults: FaultBook;
  /** How often something has happened that a looker-on may want to see. */
  readonly changes: { count: number };
  /** Ends whatever waits. */
  readonly stopping: AbortController;
  /** No answer may keep its connection then: a call on it would not be refused. */
  isRefusing: boolean;
}

export function createService(settings: Settings): Service {
  const clock = new Clock(settings.now);
  const accounts = new AccountBook(settings, clock);
  return {
    settings,
    clock,
    accounts,
    requests: new RequestJournal((text) => accounts.redactKeys(text)),
    changes: { count: 0 },
    faults: new FaultBook(settings.seed, forecast(settings)),
    stopping: new AbortController(),
    isRefusing: false,
  };
}

/** Everything as at the start, except the number of the next request. Calls under way end with what they began with. */
export function resetService({ accounts, clock, faults, requests }: Service): void {
  clock.reset();
  accounts.reset();
  faults.reset();
  requests.reset();
}
