import type { ProxyRecord } from "../../client/index.ts";
import type { AutoExtensionArgs } from "./args.ts";
import {
  type AutoExtensionState,
  type CheckedAutoExtension,
  type ExtendedProxy,
  readCheckedAutoExtension,
} from "./state.ts";

/** Holds what is recorded against the listing. Any proxy that deviates is drift of the whole. */
export function reconcile(
  state: AutoExtensionState,
  records: readonly ProxyRecord[],
): { state: AutoExtensionState; drift?: CheckedAutoExtension } {
  const found = state.proxies.map((proxy) => ({ proxy, record: findRecord(proxy, records) }));
  const proxies = found.map(({ proxy, record }) => (record ? toExtendedProxy(record) : proxy));
  const fresh = {
    ...state,
    proxies,
    ipAddressIds: proxies.map((proxy) => proxy.ipAddressId),
  };
  const deviating = found.find(({ record }) => record && deviates(state, record))?.record;
  if (deviating === undefined) return { state: fresh };
  const { autoExtend, extendDays } = deviating.extendInfo;
  const drifted = {
    ...fresh,
    autoExtend,
    // A service that says "on" and not for how long must not make the state unreadable.
    rentPeriodDays: autoExtend && extendDays > 0 ? extendDays : state.rentPeriodDays,
  };
  return { state: drifted, drift: readCheckedAutoExtension(drifted) };
}

/** Whether a proxy is not as wanted. The days of one that is not extended mean nothing. */
export function deviates(
  wanted: Pick<AutoExtensionArgs, "autoExtend" | "rentPeriodDays">,
  { extendInfo }: ProxyRecord,
): boolean {
  if (extendInfo.autoExtend !== wanted.autoExtend) return true;
  return wanted.autoExtend && extendInfo.extendDays !== wanted.rentPeriodDays;
}

/** Finds a proxy by id; and if the service has changed that, by address and port. */
export function findRecord(
  proxy: ExtendedProxy,
  records: readonly ProxyRecord[],
): ProxyRecord | undefined {
  return (
    records.find((record) => record.ipAddressId === proxy.ipAddressId) ??
    records.find(
      (record) =>
        record.ipAddressIp === proxy.ipAddressIp &&
        proxy.httpsPort !== undefined &&
        record.httpsPort === proxy.httpsPort,
    )
  );
}

/** What is recorded of a listed proxy. */
export function toExtendedProxy({ extendInfo, ...record }: ProxyRecord): ExtendedProxy {
  const { ipAddressId, ipAddressIp, httpsPort } = record;
  return { ipAddressId, ipAddressIp, httpsPort, ...extendInfo };
}
