import { setTimeout as wait } from "node:timers/promises";
import type { MiddlewareHandler } from "hono";
import { faultConditions } from "../faults/fault-conditions.ts";
import { carryOutAmidFaults } from "../faults/fault-effects.ts";
import type { Service } from "../service.ts";
import { type AccountView, type ApiEnv, answer, noAccount, viewAccount } from "./call.ts";
import type { EndpointName } from "./endpoint-name.ts";
import { type ServiceError, serviceErrors } from "./rejection.ts";

/** Makes an endpoint's answer with `success: false` and empty fields. */
type EmptyAnswer = (error: ServiceError, account: AccountView) => object;

/**
 * Comes before every endpoint. It counts the call, applies its faults, brings the account up to date and refuses
 * unknown keys. The key is checked first, so that no answer tells a stranger what else is wrong.
 */
export function admit(
  service: Service,
  endpoint: EndpointName,
  emptyAnswer: EmptyAnswer,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const request = c.get("request");
    service.requests.count(request, endpoint);
    const account = service.accounts.findByKey(c.req.param("apiKey"));
    request.account = account?.name;
    const met = service.faults
      .meet(endpoint, (fault) => void request.faults.push(fault.kind))
      .filter(({ fault }) => account !== undefined || !faultConditions[fault.kind].needsAccount);
    await holdBack(service);
    c.set("emptyAnswer", (error) => {
      const hasAccount = account !== undefined && error.code !== serviceErrors.apiKey.code;
      return emptyAnswer(error, hasAccount ? viewAccount(account) : noAccount);
    });
    c.set("commit", (work) => work());
    if (account !== undefined) c.set("account", account);
    await carryOutAmidFaults(c, service, met, async () => {
      account?.settle();
      if (account !== undefined) await next();
      else c.res = answer(c, c.get("emptyAnswer")(serviceErrors.apiKey));
    });
  };
}

/** A stop ends the wait with an error, so that requests that nobody waits for are not charged. */
async function holdBack({ settings, stopping }: Service): Promise<void> {
  const { latencyMs } = settings;
  if (latencyMs > 0) await wait(latencyMs, undefined, { signal: stopping.signal });
}
