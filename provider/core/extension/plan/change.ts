import type { Places } from "../model/proxies.ts";
import { type CheckedExtension, type ExtensionState, findShort } from "../model/state.ts";

/** What a diff finds. */
export type ExtensionChange =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: ["proxyType"] };

/**
 * What an edit means. Ids that the service has changed are no edit: addresses and orders count. The length of a period,
 * promo code and cap matter only when something is paid.
 */
export function planExtensionChange(
  state: ExtensionState,
  wanted: Partial<CheckedExtension>,
  unknown: ReadonlySet<string>,
): ExtensionChange {
  if (wanted.proxyType !== undefined && wanted.proxyType !== state.proxyType) {
    return { kind: "replace", properties: ["proxyType"] };
  }
  const same =
    unknown.size === 0 &&
    wanted.quote?.effect === "none" &&
    wanted.paidThrough === state.paidThrough &&
    sameProxies(state, wanted) &&
    !isUnfinished(state);
  return same ? { kind: "none" } : { kind: "update" };
}

/** Whether a part of what was declared was not paid, or not seen as paid, when it was last looked at. */
function isUnfinished(state: ExtensionState): boolean {
  return state.awaited !== undefined || findShort(state, state.proxies).length > 0;
}

/** By id, or by address and order: one of the two may have changed since it was recorded. */
function sameProxies(state: ExtensionState, wanted: Partial<CheckedExtension>): boolean {
  const { ipAddressIds = [], addresses = {}, orders = {} } = wanted;
  const namesIn =
    ({ addresses, orders = {} }: Places) =>
    (id: string) =>
      addresses[id] ? [id, `${addresses[id]} of ${orders[id]}`] : [id];
  const [namesNow, namesBefore] = [namesIn({ addresses, orders }), namesIn(state)];
  const known = new Set(Object.keys(state.addresses).flatMap(namesBefore));
  const named = new Set(ipAddressIds.flatMap(namesNow));
  return (
    ipAddressIds.every((id) => namesNow(id).some((name) => known.has(name))) &&
    state.proxies.every(({ ipAddressId }) =>
      namesBefore(ipAddressId).some((name) => named.has(name)),
    )
  );
}
