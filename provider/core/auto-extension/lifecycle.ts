import type { ProxyRecord } from "../../client/index.ts";
import type { Snapshot } from "../account/listing-pages.ts";
import type { Account } from "../account.ts";
import { describeInPlace, findProxy, toKnown } from "../proxies/address.ts";
import { noteRefusedPlan } from "../spending/refused-plan.ts";
import { rethrowExplained } from "../values/errors.ts";
import type { GivenInputs } from "../values/inputs.ts";
import { nameOf } from "../values/owner.ts";
import { applyAutoExtension } from "./apply.ts";
import { type AutoExtensionCheck, checkAutoExtension, isSame, showAutoExtension } from "./check.ts";
import { correctFlags } from "./known-flags.ts";
import { watchLeftOn } from "./left-on.ts";
import { assertAtShownPrice, noteRenewal } from "./previewed.ts";
import { reconcile } from "./reconcile.ts";
import {
  type AutoExtensionState,
  type CheckedAutoExtension,
  declaredOf,
  type ExtendedProxy,
  type FormerAutoExtension,
  parseAutoExtensionState,
  parseCheckedAutoExtension,
} from "./state.ts";
import { switchOffRenewals } from "./switch-off.ts";
import { tellSwitchedOff } from "./tell.ts";

/** What a diff finds. */
export type AutoExtensionChange =
  | { kind: "none" }
  | { kind: "update" }
  | { kind: "replace"; properties: ["proxyType"] };

/** What an engine may ask of an auto-extension. Nothing here spends; the service charges later. */
export interface AutoExtensionLifecycle {
  check(owner: string, oldInputs: unknown, given: GivenInputs): Promise<AutoExtensionCheck>;
  /** Throws if what an earlier run has left off can't be shown without a refresh. */
  diff(
    oldOutputs: unknown,
    wanted: Partial<CheckedAutoExtension>,
    unknown: GivenInputs["unknown"],
  ): Promise<AutoExtensionChange>;
  create(checked: unknown): Promise<AutoExtensionState>;
  read(outputs: unknown): Promise<{ state: AutoExtensionState; drift?: FormerAutoExtension }>;
  update(oldOutputs: unknown, checked: unknown): Promise<AutoExtensionState>;
  delete(outputs: unknown): Promise<void>;
}

/** Makes the lifecycle of an account's auto-extensions. */
export function createAutoExtensionLifecycle(account: Account): AutoExtensionLifecycle {
  const leftOn = watchLeftOn(account);

  async function compare(
    owner: string,
    state: AutoExtensionState,
    wanted: Partial<CheckedAutoExtension>,
    unknown: GivenInputs["unknown"],
  ): Promise<AutoExtensionChange> {
    if (wanted.proxyType !== undefined && wanted.proxyType !== state.proxyType) {
      return { kind: "replace", properties: ["proxyType"] };
    }
    // A refresh compares before the program is asked, and what it compares may be about to be deleted.
    const isAsked = account.declarations.isDeclared(owner);
    // The check has kept what the inputs name. A refresh may have found other ids since.
    if (isAsked) await account.declarations.keep(owner, state);
    if (unknown.size > 0 || !isSame(state, wanted)) return { kind: "update" };
    // A program that follows what a refresh has found is carried out: the next refresh compares with what it asks for now.
    if (isAsked && !isSame({ ...state, ...declaredOf(state) }, wanted)) return { kind: "update" };
    await assertAtShownPrice(account, state, wanted);
    return { kind: "none" };
  }

  return {
    async check(owner, oldInputs, given) {
      void account.runBeginning.note();
      await account.stacks.meet(owner);
      const check = await checkAutoExtension(account, owner, oldInputs, given).catch(
        async (error: unknown) => {
          await account.story.plan(owner, { lines: [], isRefused: true });
          throw error;
        },
      );
      await showAutoExtension(account, owner, check);
      await noteRenewal(account, owner, check);
      return check;
    },

    async diff(oldOutputs, wanted, unknown) {
      const state = parseAutoExtensionState(oldOutputs);
      const owner = wanted.owner ?? state.owner;
      await leftOn.saw(owner, state);
      return compare(owner, state, wanted, unknown).catch(async (error: unknown) => {
        await noteRefusedPlan(account, owner);
        throw error;
      });
    },

    create: (checked) =>
      applyAutoExtension(account, parseCheckedAutoExtension(checked), { proxies: [] }),

    async read(outputs) {
      const state = parseAutoExtensionState(outputs);
      await account.stacks.meetByRefresh(state.owner);
      await leftOn.saw(state.owner, state);
      const seen = await account.listing.complete(state.proxyType).catch(rethrowExplained);
      const records = await believeOff(account, state, seen);
      await correctFlags(account, state.proxyType, seen, (all) => all);
      const inPlace = describeInPlace(records, state.proxies.map(toKnown));
      if (inPlace !== "") {
        account.log.warn(
          `${nameOf(state.owner)}: not all proxies are listed. What is recorded of them stays${inPlace}`,
        );
      }
      return reconcile(state, records);
    },

    async update(oldOutputs, checked) {
      const state = parseAutoExtensionState(oldOutputs);
      const wanted = parseCheckedAutoExtension(checked);
      await leftOn.saw(wanted.owner, state);
      await assertAtShownPrice(account, state, wanted);
      return applyAutoExtension(account, wanted, { ...state, proxies: proxiesOf(state) });
    },

    async delete(outputs) {
      const state = parseAutoExtensionState(outputs);
      await account.stacks.meetByDelete(state.owner);
      await leftOn.saw(state.owner, state);
      const { settings, log } = account;
      try {
        const renewals = { ...state, proxies: proxiesOf(state), isDelete: true };
        const switchedOff = await switchOffRenewals(account, renewals);
        await tellSwitchedOff(account, state, switchedOff);
      } catch (error) {
        if (settings.onDeleteFailure === "fail") throw error;
        log.warn(`auto-extension is abandoned although it may still be on: ${error}`);
      }
    },
  };
}

/**
 * What a listing shows. That a proxy is off which the state has as on takes two listings: what is taken for off stays on when
 * its owner is deleted, and the journal that knows better may not be at hand.
 */
async function believeOff(
  { listing }: Pick<Account, "listing">,
  state: AutoExtensionState,
  seen: Snapshot,
): Promise<readonly ProxyRecord[]> {
  const { records } = seen;
  const isWentOff = (proxy: ExtendedProxy) =>
    proxy.autoExtend && findProxy(records, toKnown(proxy))?.extendInfo.autoExtend === false;
  if (!proxiesOf(state).some(isWentOff)) return records;
  const second = await listing.another(state.proxyType, seen).catch(rethrowExplained);
  return records.map((record) => {
    const again = findProxy(second.records, toKnown(record));
    return !record.extendInfo.autoExtend && again?.extendInfo.autoExtend ? again : record;
  });
}

/** What was to be switched on, and nobody has seen since, may be on, whatever was seen before. */
function proxiesOf({ proxies, leftOff }: AutoExtensionState): ExtendedProxy[] {
  if (leftOff !== "unconfirmed") return proxies;
  return proxies.map((proxy) => ({ ...proxy, autoExtend: true }));
}
