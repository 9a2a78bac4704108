import { setTimeout as wait } from "node:timers/promises";
import type { MiddlewareHandler } from "hono";
import type { Fault } from "../faults/fault.ts";
import { carryOutAmidFaults } from "../faults/fault-effects.ts";
import type { EndpointName } from "../request-log.ts";
import {
  type AccountView,
  noAccount,
  type Service,
  type ServiceEnv,
  viewAccount,
} from "../service.ts";
import { type ServiceError, serviceErrors } from "./rejection.ts";

/** An endpoint's answer with `success: false` and its own fields emptied. */
type EmptyAnswer = (error: ServiceError, account: AccountView) => object;

/** These happen to an account, and an unknown key has none; all others happen to a connection, whoever calls. */
const accountKinds: readonly Fault["kind"][] = ["answer", "foreignOrder", "lateCommit", "refuse"];

/**
 * Stands before every endpoint: counts the call, lets it meet its faults, brings the account up to date and turns unknown keys
 * away. The key comes before everything else in the call, so that no answer tells a stranger what would have been wrong besides.
 */
export function admit(
  service: Service,
  endpoint: EndpointName,
  emptyAnswer: EmptyAnswer,
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    c.env.outgoing.once("close", service.requests.begin(endpoint));
    const isKnown = c.req.param("apiKey") === service.apiKey;
    const met = service.faults
      .meet(endpoint)
      .filter(({ fault }) => isKnown || !accountKinds.includes(fault.kind));
    await holdBack(service);
    c.set("emptyAnswer", (error) => {
      const hasAccount = isKnown && error.code !== serviceErrors.apiKey.code;
      return emptyAnswer(error, hasAccount ? viewAccount(service) : noAccount);
    });
    c.set("commit", (work) => work());
    await carryOutAmidFaults(c, service, met, async () => {
      if (isKnown) {
        service.store.settle();
        await next();
      } else {
        c.res = c.json(c.get("emptyAnswer")(serviceErrors.apiKey), 200);
      }
    });
  };
}

/** A stop ends the wait with an error, so that nothing is charged by requests that nobody waits for any more. */
async function holdBack({ settings, stopping }: Service): Promise<void> {
  const { latencyMs } = settings;
  if (latencyMs > 0) await wait(latencyMs, undefined, { signal: stopping.signal });
}
