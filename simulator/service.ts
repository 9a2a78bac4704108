import type { MiddlewareHandler } from "hono";
import { type ServiceError, serviceErrors } from "./rejection.ts";
import { type EndpointName, RequestCounts } from "./request-counts.ts";
import type { Settings } from "./settings.ts";
import { Store } from "./store.ts";

/** What all routes share. */
export interface Service {
  settings: Settings;
  apiKey: string;
  store: Store;
  counts: RequestCounts;
}

export function createService(settings: Settings): Service {
  const store = new Store(settings);
  const apiKey = settings.apiKey ?? store.identities.apiKey();
  return { settings, apiKey, store, counts: new RequestCounts() };
}

/** The account as it stands in answers; all null where the key belongs to none. */
export interface AccountView {
  balance: number | null;
  currency: string | null;
}

export function viewAccount({ store, settings }: Service): AccountView {
  return { balance: store.ledger.balance.toNumber(), currency: settings.currency };
}

const noAccount: AccountView = { balance: null, currency: null };

/** An endpoint's answer with `success: false` and its own fields emptied. */
type EmptyAnswer = (error: ServiceError, account: AccountView) => object;

export interface ServiceEnv {
  Variables: { emptyAnswer: (error: ServiceError) => object };
}

/**
 * Stands before every endpoint: counts the call, brings the account up to date and turns unknown keys away. The key comes before
 * everything else, so that no answer tells a stranger what would have been wrong besides.
 */
export function admit(
  service: Service,
  endpoint: EndpointName,
  emptyAnswer: EmptyAnswer,
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    service.counts.count(endpoint);
    if (c.req.param("apiKey") !== service.apiKey) {
      return c.json(emptyAnswer(serviceErrors.apiKey, noAccount), 200);
    }
    service.store.settle();
    c.set("emptyAnswer", (error) => emptyAnswer(error, viewAccount(service)));
    return next();
  };
}
