import type { Contradiction } from "../account/declared-flags.ts";
import type { Account } from "../account.ts";
import { sameProxies } from "../proxies/proxy-args.ts";
import { rethrowExplained } from "../values/errors.ts";
import { type GivenInputs, type InputFailure, isComplete } from "../values/inputs.ts";
import { formatMoney } from "../values/money.ts";
import { nameOf } from "../values/owner.ts";
import { applyAutoExtension } from "./apply.ts";
import { type AutoExtensionArgs, parseAutoExtensionArgs } from "./args.ts";
import { correctFlags } from "./known-flags.ts";
import { reconcile } from "./reconcile.ts";
import {
  type AutoExtensionQuote,
  type AutoExtensionState,
  type CheckedAutoExtension,
  parseAutoExtensionState,
  parseCheckedAutoExtension,
} from "./state.ts";
import { switchOffRenewals } from "./switch-off.ts";

/**
 * The result of a check: inputs for preview and policies, or what is wrong with them. The quote is missing while the
 * proxies are not known yet.
 */
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
      const before = oldInputs === undefined ? undefined : parseCheckedAutoExtension(oldInputs);
      const { args, failures } = parseAutoExtensionArgs(given);
      if (failures.length === 0 && isComplete<AutoExtensionArgs>(args, given)) {
        const contradiction = await account.declarations.declare(owner, args);
        if (contradiction) failures.push(refuseContradiction(contradiction));
      }
      if (before && isSame(before, args) && failures.length === 0) {
        return { checked: { ...args, owner, quote: before.quote }, failures };
      }
      const { proxyType, rentPeriodDays } = args;
      const notOffered = account.catalogue.failuresOf({ proxyType, rentPeriodDays });
      failures.push(...(await notOffered.catch(rethrowExplained)));
      // No quote, and no placeholder either: a plan file would bind `up` to the placeholder.
      if (failures.length > 0 || !isComplete<AutoExtensionArgs>(args, given)) {
        return { checked: { ...args, owner }, failures };
      }
      return {
        checked: { ...args, owner, quote: await quoteCycle(account, owner, args) },
        failures,
      };
    },

    diff(oldOutputs, wanted, unknown) {
      const state = parseAutoExtensionState(oldOutputs);
      if (wanted.proxyType !== undefined && wanted.proxyType !== state.proxyType) {
        return { kind: "replace", properties: ["proxyType"] };
      }
      return unknown.size === 0 && isSame(state, wanted) ? { kind: "none" } : { kind: "update" };
    },

    create: async (checked) => applyAutoExtension(account, parseCheckedAutoExtension(checked), []),

    async read(outputs) {
      const state = parseAutoExtensionState(outputs);
      const { records } = await account.listing.complete(state.proxyType).catch(rethrowExplained);
      await correctFlags(account, state.proxyType, records);
      return reconcile(state, records);
    },

    async update(oldOutputs, checked) {
      const state = parseAutoExtensionState(oldOutputs);
      return applyAutoExtension(account, parseCheckedAutoExtension(checked), state.proxies);
    },

    async delete(outputs) {
      const state = parseAutoExtensionState(outputs);
      const { settings, log } = account;
      try {
        await switchOffRenewals(account, state);
      } catch (error) {
        if (settings.onDeleteFailure === "fail") throw error;
        log.warn(`auto-extension is abandoned although it may still be on: ${error}`);
      }
    },
  };
}

/** Two resources that contradict each other would switch the same flag back and forth, run after run. */
function refuseContradiction({ ipAddressId, other, wants }: Contradiction): InputFailure {
  const wanted = wants.autoExtend ? `extended by ${wants.rentPeriodDays} days` : "not extended";
  return {
    property: "ipAddressIds",
    reason: `names proxy ${ipAddressId}, which ${nameOf(other)} declares to be ${wanted}: each would undo what the other does. Declare a proxy in one IpAutoExtend only`,
  };
}

/** What one extension of all these proxies would cost today. Too little money today is no failure. */
async function quoteCycle(
  { service, log }: Pick<Account, "service" | "log">,
  owner: string,
  args: AutoExtensionArgs,
): Promise<AutoExtensionQuote> {
  if (!args.autoExtend) return { effect: "none" };
  const { proxyType, ipAddressIds, rentPeriodDays } = args;
  const { price, currency, warnings } = await service
    .calculateExtension({ proxyType, ipAddressIds, rentPeriodDays })
    .catch(rethrowExplained);
  const name = nameOf(owner);
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
