import { type Look, lookForPeople, type Reading } from "../account/listing.ts";
import type { Snapshot } from "../account/listing-pages.ts";
import type { Account, SpendingAccount } from "../account.ts";
import { withListedEnds } from "../proxies/listed-ends.ts";
import { notePlan } from "../spending/previewed-price.ts";
import { findEarliestEnd, findLatestEnd, hasEnded } from "../values/dates.ts";
import { rethrowExplained } from "../values/errors.ts";
import type { GivenInputs } from "../values/inputs.ts";
import { nameOf } from "../values/owner.ts";
import { payExtension } from "./apply/pay.ts";
import { readOpenExtensions } from "./model/open-extensions.ts";
import { findPayments } from "./model/payments.ts";
import {
  type CheckedExtension,
  type ExtensionState,
  parseCheckedExtension,
  parseExtensionState,
} from "./model/state.ts";
import { nameTerms } from "./model/terms.ts";
import { type ExtensionChange, planExtensionChange } from "./plan/change.ts";
import { checkExtension } from "./plan/check.ts";
import type { ExtensionCheck } from "./plan/pricing.ts";
import { showExtension } from "./plan/show.ts";
import { type ReconciledExtension, reconcileExtension } from "./read/reconcile.ts";
import { createExtensionRecoverer } from "./recover/recover.ts";
import { takeOver } from "./recover/take-over.ts";
import { tellLeft } from "./recover/tell-left.ts";
import { watchUnclaimedExtensions } from "./recover/unclaimed.ts";

/** What an engine may ask of an extension. Only `create` and `update` spend, and only what check has shown. */
export interface ExtensionLifecycle {
  check(owner: string, oldInputs: unknown, given: GivenInputs): Promise<ExtensionCheck>;
  diff(
    oldOutputs: unknown,
    wanted: Partial<CheckedExtension>,
    unknown: GivenInputs["unknown"],
  ): Promise<ExtensionChange>;
  create(checked: unknown): Promise<ExtensionState>;
  read(outputs: unknown): Promise<Pick<ReconciledExtension, "state" | "drift">>;
  update(oldOutputs: unknown, checked: unknown): Promise<ExtensionState>;
  delete(outputs: unknown): Promise<void>;
}

/** Makes the lifecycle of an account's extensions. */
export function createExtensionLifecycle(account: SpendingAccount): ExtensionLifecycle {
  const recover = createExtensionRecoverer(account);
  const memory = { recover, firstChecks: new Map() };
  const paying = { account, recover, progress: new Map() };
  const unclaimed = watchUnclaimedExtensions(account);

  /** The engine's state knows these payments, so they need no recovery. */
  async function recognise(state: ExtensionState): Promise<void> {
    const { owner, proxyType, purchases, awaited, proxies } = state;
    unclaimed.saw(state);
    await account.recordedEnds.saw(proxyType, proxies);
    // Another process of the run may have refreshed the state.
    await account.hearOthers().catch(() => undefined);
    for (const { requestId, at } of purchases) {
      // A payment that is not listed yet stays open, so that other runs wait for it.
      const isOpen = requestId === awaited?.requestId || account.refreshedPayments.has(requestId);
      if (isOpen) continue;
      await account.journal.confirmPurchase({ owner, proxyType }, { requestId, at });
    }
  }

  return {
    async check(owner, oldInputs, given) {
      await account.runBeginning.note();
      await account.stacks.meet(owner);
      const before = oldInputs === undefined ? undefined : parseCheckedExtension(oldInputs);
      const planned = checkExtension(account, memory, owner, before, given);
      const check = await planned.catch(async (error: unknown) => {
        await account.story.plan(owner, { lines: [], isRefused: true });
        return rethrowExplained(error);
      });
      await showExtension(account, owner, check);
      await notePlan(account, owner, { ...check, terms: nameTerms({ ...check.checked, owner }) });
      return check;
    },

    async diff(oldOutputs, wanted, unknown) {
      const state = parseExtensionState(oldOutputs);
      await recognise(state);
      const change = planExtensionChange(state, wanted, unknown);
      // Also where the edit that was paid for has been taken back.
      if (change.kind !== "none" || !(await tellLeft(account, recover, state))) return change;
      return { kind: "update" };
    },

    async create(checked) {
      await account.journal.previewed.applies();
      return payExtension(paying, parseCheckedExtension(checked));
    },

    async read(outputs) {
      const state = parseExtensionState(outputs);
      await account.stacks.meetByRefresh(state.owner);
      await recognise(state);
      // What the state lacks is saved by the refresh.
      const taken = await takeOver(
        account,
        await readOpenExtensions(account).catch(() => []),
        state,
      );
      for (const { requestId } of taken) await account.refreshedPayments.note(requestId);
      return readExtension(account, state);
    },

    async update(oldOutputs, checked) {
      await account.journal.previewed.applies();
      const state = parseExtensionState(oldOutputs);
      await recognise(state);
      return payExtension(paying, parseCheckedExtension(checked), state);
    },

    async delete(outputs) {
      const state = parseExtensionState(outputs);
      await account.stacks.meetByDelete(state.owner);
      await recognise(state);
      await tellLeft(account, recover, state);
      const { owner, proxyType } = state;
      const ends = describeEnds(state, await lookForPeople(account, proxyType));
      const line = `is let go; there is nothing to undo, and nothing is refunded: ${ends}`;
      await account.story.did(owner, { id: "delete", line });
    },
  };
}

async function readExtension(
  account: Pick<Account, "listing" | "log" | "journal">,
  state: ExtensionState,
) {
  const { listing, log } = account;
  const purchases = await findPayments(account, state.owner, [], state);
  const { missing, shortened, dropped, inPlace, ...found } = await listing
    .conclude(state.proxyType, (seen) => readListed(state, seen, purchases))
    .catch(rethrowExplained);
  if (shortened.length > 0) {
    log.warn(
      `${nameOf(state.owner)}: proxies are listed with an end before the one that is recorded: ${shortened.join(", ")}. What is recorded of them stays; nothing is bought`,
    );
  }
  if (missing.length > 0) {
    log.warn(
      `${nameOf(state.owner)}: proxies that are paid are not listed: ${missing.join(", ")}. What is recorded of them stays; nothing is bought${inPlace}`,
    );
  } else if (inPlace !== "") {
    log.warn(
      `${nameOf(state.owner)}: proxies have ended and are not listed: ${dropped.join(", ")}${inPlace}`,
    );
  }
  return found;
}

function describeEnds(state: ExtensionState, { now, records }: Look): string {
  const proxies = withListedEnds(state.proxies, records);
  const all = proxies.length === 1 ? "its proxy" : `its ${proxies.length} proxies`;
  const paidUntil = findEarliestEnd(proxies);
  if (paidUntil === undefined) return "its proxies have ended";
  if (proxies.every((proxy) => hasEnded(proxy, now))) {
    const last = findLatestEnd(proxies) ?? paidUntil;
    return `the last of ${all} ended on ${last.slice(0, "2026-03-31".length)}`;
  }
  const left = proxies.filter((proxy) => !hasEnded(proxy, now));
  return `${left.length} of ${all} stay paid until ${findEarliestEnd(left)} or longer`;
}

/** What one listing says. It is costly if proxies have ended, because they then leave the state. */
function readListed(
  state: ExtensionState,
  seen: Snapshot,
  purchases: ExtensionState["purchases"],
): Reading<ReconciledExtension> {
  const value = reconcileExtension(state, seen, purchases);
  const { dropped } = value;
  const costly = `${dropped.length} proxies of ${nameOf(state.owner)} have ended: ${dropped.join(", ")}`;
  return { value, rows: dropped, costly: dropped.length > 0 ? costly : undefined };
}
