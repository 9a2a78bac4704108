import type { ProxyRecord } from "../../client/index.ts";
import { findProxy, toKnown } from "../proxies/address.ts";
import type { AutoExtensionArgs } from "./args.ts";
import {
  type AutoExtensionQuote,
  type AutoExtensionState,
  declaredOf,
  type ExtendedProxy,
  type FormerAutoExtension,
  parseFormerAutoExtension,
} from "./state.ts";

/**
 * Compares what is recorded with the listing. One proxy that is not as the program asked makes the whole resource
 * drift, in every read. When all are as it asked again, that is drift too. A quote is for the flags that the program asked
 * for: it goes with them, and comes back with them.
 */
export function reconcile(
  state: AutoExtensionState,
  records: readonly ProxyRecord[],
): { state: AutoExtensionState; drift?: FormerAutoExtension } {
  const isSeen = (id: string) => state.proxies.some(({ ipAddressId }) => ipAddressId === id);
  const unseen = state.ipAddressIds.filter((id) => !isSeen(id));
  const found = [
    ...state.proxies.map((proxy) => ({ proxy, record: findProxy(records, toKnown(proxy)) })),
    // Proxies that were to be off, and were not listed yet when the flags were switched.
    ...records
      .filter(({ ipAddressId }) => unseen.includes(ipAddressId))
      .map((record) => ({ proxy: toExtendedProxy(record), record })),
  ];
  const proxies = found.map(({ proxy, record }) => (record ? toExtendedProxy(record) : proxy));
  const stillUnseen = unseen.filter((id) => !proxies.some((proxy) => proxy.ipAddressId === id));
  const declared = declaredOf(state);
  const deviating = found.find(({ record }) => record && deviates(declared, record))?.record;
  const flags = flagsOf(deviating, declared);
  const isAsDeclared =
    flags.autoExtend === declared.autoExtend && flags.rentPeriodDays === declared.rentPeriodDays;
  // The listing has been asked. If it does not show what was to be switched on, that is drift.
  const { leftOff: _, ...rest } = state;
  const fresh = {
    ...rest,
    ...(isAsDeclared ? declared : { ...flags, quote: quoteOfFound(flags), declared }),
    proxies,
    ipAddressIds: [...proxies.map(({ ipAddressId }) => ipAddressId), ...stillUnseen],
  };
  const isHealed =
    fresh.autoExtend !== state.autoExtend || fresh.rentPeriodDays !== state.rentPeriodDays;
  if (deviating === undefined && !isHealed) return { state: fresh };
  const { quote, ...args } = parseFormerAutoExtension(fresh);
  // Without a quote the next check asks for the price, also if the program follows what was found.
  return { state: fresh, drift: isAsDeclared ? { ...args, quote } : args };
}

/** The listing tells no price. */
function quoteOfFound({ autoExtend }: Flags): AutoExtensionQuote {
  return { effect: autoExtend ? "autoExtend" : "none" };
}

type Flags = Pick<AutoExtensionArgs, "autoExtend" | "rentPeriodDays">;

/** The flags of the whole resource, by a proxy that deviates. */
function flagsOf(deviating: ProxyRecord | undefined, { autoExtend, rentPeriodDays }: Flags): Flags {
  if (deviating === undefined) return { autoExtend, rentPeriodDays };
  const { extendInfo } = deviating;
  // A service that says "on", but not for how many days, must not make the state unreadable.
  const saysDays = extendInfo.autoExtend && extendInfo.extendDays > 0;
  return {
    autoExtend: extendInfo.autoExtend,
    rentPeriodDays: saysDays ? extendInfo.extendDays : rentPeriodDays,
  };
}

/** Whether a proxy is not as wanted. The days of one that is not extended mean nothing. */
export function deviates(wanted: Flags, { extendInfo }: ProxyRecord): boolean {
  if (extendInfo.autoExtend !== wanted.autoExtend) return true;
  return wanted.autoExtend && extendInfo.extendDays !== wanted.rentPeriodDays;
}

/** What is recorded of a listed proxy. */
export function toExtendedProxy({ extendInfo, ...record }: ProxyRecord): ExtendedProxy {
  const { ipAddressId, ipAddressIp, httpsPort, orderId } = record;
  return { ipAddressId, ipAddressIp, httpsPort, orderId, ...extendInfo };
}
