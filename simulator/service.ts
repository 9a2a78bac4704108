import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { Store } from "./account/account.ts";
import type { ServiceError } from "./api/rejection.ts";
import { Clock } from "./clock.ts";
import { FaultBook } from "./faults/fault-book.ts";
import { RequestLog } from "./request-log.ts";
import type { Settings } from "./settings.ts";

/** What all routes share. */
export interface Service {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly apiKey: string;
  readonly store: Store;
  readonly requests: RequestLog;
  readonly faults: FaultBook;
  /** Ends whatever waits. */
  readonly stopping: AbortController;
  /** No answer may keep its connection then: a call on it would not be refused. */
  isRefusing: boolean;
}

export function createService(settings: Settings): Service {
  const clock = new Clock(settings.now);
  const store = new Store(settings, clock);
  return {
    settings,
    clock,
    apiKey: settings.apiKey ?? store.identities.apiKey(),
    store,
    requests: new RequestLog(),
    faults: new FaultBook(settings.seed),
    stopping: new AbortController(),
    isRefusing: false,
  };
}

/** The account as it stands in answers; all null where the key belongs to none. */
export interface AccountView {
  balance: number | null;
  currency: string | null;
}

export function viewAccount({ store, settings }: Service): AccountView {
  return { balance: store.ledger.balance.toNumber(), currency: settings.currency };
}

export const noAccount: AccountView = { balance: null, currency: null };

export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: {
    emptyAnswer: (error: ServiceError) => object;
    /** Does what changes the account; a fault may have it done later, and then it throws. */
    commit: <T>(work: () => T) => T;
  };
}

/** One request on its way through the simulator. */
export type Call = Context<ServiceEnv>;
