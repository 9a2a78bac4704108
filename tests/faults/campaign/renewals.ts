import type { SimulatedProxy } from "../../../simulator/index.ts";
import type { RunReport } from "./engine.ts";
import { ofAccount, type Tenant } from "./tenant.ts";

/** The addresses that renew against what the program declares, or do not renew, as far as a run can see them. */
export function findAgainstProgram(tenant: Tenant): string[] {
  const { program, autoExtensions, stack, account, switchedByHand, maybeOff } = tenant;
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
      if (asked === undefined || state === "expired" || autoExtend === asked) return false;
      return !switchedByHand.has(ip) && (autoExtend || !maybeOff.has(ip));
    })
    .map(
      ({ ip, autoExtend }) =>
        `${ip} ${autoExtend ? "renews" : "does not renew"}, against the program`,
    );
}

/** A person switches the automatic extension of proxies in the account of a stack. Any other stack of it may have them, too. */
export function switchByHand(
  { tenants }: { tenants: readonly Tenant[] },
  { account }: Tenant,
  proxies: readonly SimulatedProxy[],
  autoExtend: boolean,
): void {
  for (const { switchedByHand } of ofAccount(tenants, account))
    for (const { ip } of proxies) switchedByHand.add(ip);
  const ids = proxies.map(({ ipAddressId }) => ipAddressId);
  if (ids.length > 0) account.setAutoExtension(ids, autoExtend, 30);
}

/** Forgets why addresses may be unseen: a run has looked at all of them, and nothing was in its way. */
export function noteSeen({ switchedByHand, maybeOff }: Tenant): void {
  switchedByHand.clear();
  maybeOff.clear();
}

/** Notes that what the state has as on may be off: a run was cut off, or the state is an earlier one. */
export function noteMaybeOff({ stack, maybeOff }: Tenant): void {
  const states = [...stack.autoExtensions.values()].map(({ outputs }) => outputs);
  for (const ip of addressesOf(states)) maybeOff.add(ip);
}

/**
 * Notes the same of what another stack may let go while this one takes it over: an order that changed hands, whose automatic
 * extension is the other one's, too; or one whose journal is lost, so that nobody can tell who has it (docs/limits.md).
 */
export function noteMaybeLetGo(
  { account, heirs, maybeOff }: Tenant,
  unrecorded: ReadonlySet<string>,
): void {
  for (const { ip, orderId, orderNumber } of account.proxies()) {
    if (unrecorded.has(orderId) || heirs.has(orderNumber)) maybeOff.add(ip);
  }
}

/**
 * The addresses that still renew after their auto-extension was removed with success.
 * @param renewedElsewhere what another stack may have switched on after that, because it declares it
 */
export function findStillRenewing(
  { account, stack, switchedByHand }: Tenant,
  { switchedOff }: Pick<RunReport, "switchedOff">,
  renewedElsewhere: ReadonlySet<string>,
): string[] {
  const owned = addressesOf([...stack.autoExtensions.values()].map(({ outputs }) => outputs));
  const removed = addressesOf(switchedOff);
  return account
    .proxies()
    .filter(({ autoExtend, state }) => autoExtend && state !== "expired")
    .filter(({ ip }) => removed.has(ip) && !owned.has(ip))
    .filter(({ ip }) => !switchedByHand.has(ip) && !renewedElsewhere.has(ip))
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
    ofAccount(others, account)
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

/**
 * The addresses that a run of another stack, which goes on with this one, may have switched on. What it takes over may not be
 * in its state yet.
 */
export function findRenewedMeanwhile(
  tenant: Tenant,
  others: readonly Tenant[],
  unrecorded: ReadonlySet<string>,
): ReadonlySet<string> {
  const { account, heirs } = tenant;
  const handedOver = account.proxies().filter(({ orderNumber }) => heirs.has(orderNumber));
  const renewing = findRenewingElsewhere(tenant, others, unrecorded);
  return new Set([...renewing, ...handedOver.map(({ ip }) => ip)]);
}

/**
 * Of the addresses that another stack had renewed before a run, those that the run has switched off unasked.
 * @param readOthers reads the names of the orders that the journal has for other stacks: only of those can a run know it
 */
export async function findSwitchedOff(
  { account, stack }: Tenant,
  renewing: ReadonlySet<string>,
  readOthers: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const own = addressesOf([...stack.autoExtensions.values()].map(({ outputs }) => outputs));
  const off = account
    .proxies()
    .filter(({ autoExtend, state }) => !autoExtend && state === "listed")
    .filter(({ ip }) => renewing.has(ip) && !own.has(ip));
  if (off.length === 0) return [];
  const others = await readOthers();
  return off
    .filter(({ orderId }) => others.has(orderId))
    .map(({ ip }) => `${ip} does not renew any more, and another stack declares it`);
}

function addressesOf(
  states: readonly { proxies: readonly { ipAddressIp: string }[] }[],
): ReadonlySet<string> {
  return new Set(states.flatMap(({ proxies }) => proxies.map(({ ipAddressIp }) => ipAddressIp)));
}
