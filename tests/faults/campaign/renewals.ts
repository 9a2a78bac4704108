import type { RunReport } from "./engine.ts";
import type { Tenant } from "./tenant.ts";

/** The addresses that renew against what the program declares, or do not renew. */
export function findAgainstProgram({ program, autoExtensions, stack, account }: Tenant): string[] {
  const present = [...autoExtensions.values()].filter(({ of }) => program.has(of));
  const wanted = new Map(
    present.flatMap(({ of, autoExtend }) =>
      (stack.resources.get(of)?.outputs.proxies ?? []).map((one) => [one.ipAddressIp, autoExtend]),
    ),
  );
  return account
    .proxies()
    .filter(({ ip, autoExtend, state }) => {
      const asked = wanted.get(ip);
      return asked !== undefined && state !== "expired" && autoExtend !== asked;
    })
    .map(
      ({ ip, autoExtend }) =>
        `${ip} ${autoExtend ? "renews" : "does not renew"}, against the program`,
    );
}

/** The addresses that still renew after their auto-extension was removed with success. */
export function findStillRenewing(
  { account, stack }: Tenant,
  { switchedOff }: Pick<RunReport, "switchedOff">,
): string[] {
  const owned = addressesOf([...stack.autoExtensions.values()].map(({ outputs }) => outputs));
  const removed = addressesOf(switchedOff);
  return account
    .proxies()
    .filter(
      ({ ip, autoExtend, state }) =>
        autoExtend && state !== "expired" && removed.has(ip) && !owned.has(ip),
    )
    .map(({ ip }) => `${ip} renews, and the auto-extension of it was removed`);
}

/**
 * The addresses that renew because a stack other than this one says so, as far as states tell.
 * @param unrecorded orders that were bought with a journal that is lost: whose they are now, docs/limits.md promises nothing
 */
export function findRenewingElsewhere(
  { account, stack }: Tenant,
  others: readonly Tenant[],
  unrecorded: ReadonlySet<string>,
): ReadonlySet<string> {
  const own = addressesOf([...stack.autoExtensions.values()].map(({ outputs }) => outputs));
  const renewed = addressesOf(
    others
      .filter((other) => other.account.apiKey === account.apiKey)
      .flatMap((other) => [...other.stack.autoExtensions.values()])
      .map(({ outputs }) => outputs)
      .filter(({ autoExtend }) => autoExtend),
  );
  const on = account
    .proxies()
    .filter(({ autoExtend, state }) => autoExtend && state === "listed")
    .filter(({ orderId }) => !unrecorded.has(orderId));
  return new Set(on.map(({ ip }) => ip).filter((ip) => renewed.has(ip) && !own.has(ip)));
}

/** Of the addresses that another stack had renewed before a run, those that the run has switched off. */
export function findSwitchedOff({ account }: Tenant, renewing: ReadonlySet<string>): string[] {
  return account
    .proxies()
    .filter(({ ip, autoExtend, state }) => !autoExtend && state === "listed" && renewing.has(ip))
    .map(({ ip }) => `${ip} does not renew any more, and another stack declares it`);
}

function addressesOf(
  states: readonly { proxies: readonly { ipAddressIp: string }[] }[],
): ReadonlySet<string> {
  return new Set(states.flatMap(({ proxies }) => proxies.map(({ ipAddressIp }) => ipAddressIp)));
}
