import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { explainServiceError, ProxyRentalError } from "../errors.ts";
import type { GivenInputs, InputFailure } from "../inputs.ts";
import { formatMoney } from "../money.ts";
import { type AutoExtensionArgs, isComplete, readAutoExtensionArgs, sameProxies } from "./args.ts";
import {
  type AutoExtensionQuote,
  type AutoExtensionState,
  type CheckedAutoExtension,
  type ExtendedProxy,
  readAutoExtensionState,
  readCheckedAutoExtension,
  recordAutoExtension,
} from "./state.ts";
import { switchAutoExtension } from "./switch.ts";

/** What a check comes to: inputs for preview and policies; or what is wrong with them. */
export interface AutoExtensionCheck {
  checked: Partial<CheckedAutoExtension>;
  failures: InputFailure[];
}

/** What a diff finds. */
export type AutoExtensionChange =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: ["proxyType"] };

/** What an engine may ask of an auto-extension. Nothing here spends; the service charges later. */
export interface AutoExtensionLifecycle {
  check(owner: string, oldInputs: unknown, given: GivenInputs): Promise<AutoExtensionCheck>;
  diff(
    oldOutputs: unknown,
    wanted: Partial<CheckedAutoExtension>,
    unknown: GivenInputs["unknown"],
  ): AutoExtensionChange;
  create(checked: unknown): Promise<AutoExtensionState>;
  read(outputs: unknown): Promise<{ state: AutoExtensionState; drift?: CheckedAutoExtension }>;
  update(oldOutputs: unknown, checked: unknown): Promise<AutoExtensionState>;
  delete(outputs: unknown): Promise<void>;
}

/** Makes the lifecycle of an account's auto-extensions. */
export function createAutoExtensionLifecycle(account: Account): AutoExtensionLifecycle {
  return {
    async check(owner, oldInputs, given) {
      const before = oldInputs === undefined ? undefined : readCheckedAutoExtension(oldInputs);
      const { args, failures } = readAutoExtensionArgs(given);
      if (failures.length > 0) return { checked: { ...args, owner }, failures };
      if (!isComplete(args, given)) {
        return { checked: { ...args, owner, quote: { effect: "unknown" } }, failures };
      }
      const quote =
        before && isSame(before, args) ? before.quote : await quoteCycle(account, owner, args);
      return { checked: { ...args, owner, quote }, failures };
    },

    diff(oldOutputs, wanted, unknown) {
      const state = readAutoExtensionState(oldOutputs);
      if (wanted.proxyType !== undefined && wanted.proxyType !== state.proxyType) {
        return { kind: "replace", properties: ["proxyType"] };
      }
      return unknown.size === 0 && isSame(state, wanted) ? { kind: "none" } : { kind: "update" };
    },

    create: (checked) => apply(account, readCheckedAutoExtension(checked), []),

    async read(outputs) {
      const state = readAutoExtensionState(outputs);
      const { records } = await account.listing.recent(state.proxyType).catch(rethrow);
      return reconcile(state, records);
    },

    async update(oldOutputs, checked) {
      const state = readAutoExtensionState(oldOutputs);
      return apply(account, readCheckedAutoExtension(checked), state.proxies);
    },

    async delete(outputs) {
      const state = readAutoExtensionState(outputs);
      const { settings, log } = account;
      try {
        await switchOff(account, state, state.proxies);
      } catch (error) {
        if (settings.onDeleteFailure === "fail") throw error;
        log.warn(`auto-extension is abandoned although it may still be on: ${error}`);
      }
    },
  };
}

/** What one extension of all these proxies would cost today. Too little money now is no obstacle yet. */
async function quoteCycle(
  { service, log }: Account,
  owner: string,
  args: AutoExtensionArgs,
): Promise<AutoExtensionQuote> {
  if (!args.autoExtend) return { effect: "none" };
  const { price, currency, warnings } = await service.calculateExtension(args).catch(rethrow);
  const name = owner.slice(owner.lastIndexOf("::") + 2);
  if (price === null) return { effect: "autoExtend" };
  log.info(
    `${name}: ${args.ipAddressIds.length} proxies will be extended by ${args.rentPeriodDays} days each time they end, for ${formatMoney(price, currency)} a time at today's price`,
  );
  for (const { code, message } of warnings) {
    log.warn(`${name}: at present an extension would not go through: code ${code}, "${message}"`);
  }
  return { effect: "autoExtend", pricePerCycle: price, currency };
}

function isSame(before: CheckedAutoExtension, after: Partial<CheckedAutoExtension>): boolean {
  return (
    before.proxyType === after.proxyType &&
    before.rentPeriodDays === after.rentPeriodDays &&
    before.autoExtend === after.autoExtend &&
    sameProxies(before.ipAddressIds, after.ipAddressIds ?? [])
  );
}

/** Brings the flags to what is wanted, off for those no longer named, and confirms it from the listing. */
async function apply(
  account: Account,
  checked: CheckedAutoExtension,
  former: readonly ExtendedProxy[],
): Promise<AutoExtensionState> {
  const { proxyType, rentPeriodDays, autoExtend, ipAddressIds } = checked;
  const dropped = former.filter((proxy) => !ipAddressIds.includes(proxy.ipAddressId));
  await switchOff(account, checked, dropped);

  const { records } = await account.listing.recent(proxyType).catch(rethrow);
  const listed = records.filter((record) => ipAddressIds.includes(record.ipAddressId));
  const missing = ipAddressIds.length - listed.length;
  if (missing > 0 && autoExtend) throw notListed(checked, listed);
  const deviating = listed.filter((record) => deviates(checked, record));
  await switchAutoExtension(account, {
    proxyType,
    ipAddressIds: deviating.map((record) => record.ipAddressId),
    rentPeriodDays,
    autoExtend,
  });

  const confirmed = await account.listing.recent(proxyType).catch(rethrow);
  const { state, drift } = reconcile(
    recordAutoExtension(checked, listed.map(toExtendedProxy)),
    confirmed.records,
  );
  if (!drift) return state;
  throw new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `the service took the request to switch auto-extension ${autoExtend ? "on" : "off"}, but its listing does not show it. Nothing was bought. Run again.`,
  );
}

function notListed(checked: CheckedAutoExtension, listed: ProxyRecord[]): ProxyRentalError {
  const known = new Set(listed.map((record) => record.ipAddressId));
  const missing = checked.ipAddressIds.filter((id) => !known.has(id));
  return new ProxyRentalError(
    "INPUT_INVALID",
    `ipAddressIds names ${checked.proxyType} proxies that the account does not list: ${missing.join(", ")}. Nothing was switched on. Take them out; they may have ended.`,
  );
}

/** Sent only for what is listed and on; what is no longer there needs nothing. */
async function switchOff(
  account: Account,
  { proxyType, rentPeriodDays }: AutoExtensionArgs,
  proxies: readonly ExtendedProxy[],
): Promise<void> {
  if (proxies.length === 0) return;
  const { records } = await account.listing.recent(proxyType).catch(rethrow);
  const renewing = proxies
    .map((proxy) => findRecord(proxy, records))
    .filter((record) => record?.extendInfo.autoExtend === true);
  await switchAutoExtension(account, {
    proxyType,
    ipAddressIds: renewing.flatMap((record) => record?.ipAddressId ?? []),
    rentPeriodDays,
    autoExtend: false,
  });
}

/** Holds what is recorded against the listing. Any proxy that deviates is drift of the whole. */
function reconcile(
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
    rentPeriodDays: autoExtend ? extendDays : state.rentPeriodDays,
  };
  return { state: drifted, drift: readCheckedAutoExtension(drifted) };
}

/** The days of a proxy that is not extended mean nothing. */
function deviates(
  wanted: Pick<AutoExtensionArgs, "autoExtend" | "rentPeriodDays">,
  { extendInfo }: ProxyRecord,
): boolean {
  if (extendInfo.autoExtend !== wanted.autoExtend) return true;
  return wanted.autoExtend && extendInfo.extendDays !== wanted.rentPeriodDays;
}

/** By id; and if the service has changed that, by address and port. */
function findRecord(
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

function toExtendedProxy({ extendInfo, ...record }: ProxyRecord): ExtendedProxy {
  const { ipAddressId, ipAddressIp, httpsPort } = record;
  return { ipAddressId, ipAddressIp, httpsPort, ...extendInfo };
}

function rethrow(error: unknown): never {
  throw explainServiceError(error);
}
