import type { ProxyRecord } from "../../client/index.ts";
import type { Snapshot } from "../account/listing-pages.ts";
import type { Account } from "../account.ts";
import { findPossible, findProxy, toKnown } from "../proxies/address.ts";
import { assertInStack } from "../spending/without-stack.ts";
import { ProxyRentalError, reasonOf, rethrowExplained } from "../values/errors.ts";
import { noteFlags, noteLastOn } from "./known-flags.ts";
import { assertRenewalPreviewed } from "./previewed.ts";
import { deviates, reconcile, toExtendedProxy } from "./reconcile.ts";
import {
  type AutoExtensionState,
  type CheckedAutoExtension,
  type ExtendedProxy,
  recordAutoExtension,
} from "./state.ts";
import { switchAutoExtension, watchSwitches } from "./switch.ts";
import { switchOffRenewals } from "./switch-off.ts";
import { toGoing } from "./switch-off-by-days.ts";
import { assertNoRunSince, noteSwitching } from "./switching-runs.ts";
import { tellSwitchedOff, tellSwitchedOn } from "./tell.ts";

/**
 * Flags were not switched, or may have been and nobody has seen it. The error carries what was touched, so that the
 * resource is saved and the next run corrects it: a flag that nobody owns would go on costing money.
 */
export class SwitchUnconfirmedError extends ProxyRentalError {
  readonly state: AutoExtensionState;

  constructor(state: AutoExtensionState, mayHaveSwitched: boolean, reason: string) {
    const happened = mayHaveSwitched ? "may have been switched" : "were not switched";
    const again = state.leftOff === "refused" ? "pulumi up --refresh" : "pulumi up";
    super(
      "AUTO_EXTENSION_FAILED",
      `the flags of ${state.proxies.length} proxies ${happened} (${reason}). They are saved; run \`${again}\` to put them right.`,
    );
    this.state = state;
  }
}

/** What is known of a resource from before. Its proxies go off, unless they are wanted. */
type Former = Pick<AutoExtensionState, "proxies" | "switchedBy">;

/** Switches the flags as wanted, switches off those that are no longer named, and confirms both by the listing. */
async function switchAsDeclared(
  account: Account,
  checked: CheckedAutoExtension,
  { proxies: former, switchedBy }: Former,
): Promise<AutoExtensionState> {
  const { autoExtend, ipAddressIds } = checked;
  if (autoExtend) assertInStack(checked.owner);
  const { seen, listed } = await findListed(account, checked);
  if (listed.length < ipAddressIds.length && autoExtend) throw notListed(checked, listed);
  // Compared as listed now: a proxy whose id the service has changed may be wanted under its new id. One whose address a
  // wanted proxy has is that one or has ended, so there is nothing to switch off.
  const rowOf = (proxy: ExtendedProxy) => findProxy(seen.records, toKnown(proxy));
  const isReplaced = (proxy: ExtendedProxy) =>
    rowOf(proxy) === undefined && findPossible(listed, toKnown(proxy)) !== undefined;
  const isWanted = (proxy: ExtendedProxy) => listed.some((record) => record === rowOf(proxy));
  const left = former.filter((proxy) => !isReplaced(proxy));
  const dropped = left.filter((proxy) => !isWanted(proxy));
  const wanted = listed.map(toExtendedProxy);
  const isToSwitchOn = autoExtend && listed.some((record) => deviates(checked, record));
  const refusal = isToSwitchOn ? await findRefusal(account, checked, switchedBy) : undefined;
  if (refusal !== undefined && dropped.length === 0) throw refusal;
  const { watched, mayHaveSwitched } = watchSwitches(account);
  try {
    const renewals = { ...checked, proxies: autoExtend ? dropped : left, isDelete: false };
    const switchedOff = await switchOffRenewals(watched, renewals);
    // What is to be off goes off in any case.
    if (refusal !== undefined) throw refusal;
    // The resource's former proxies that are to be off have just been switched off.
    const isFormer = (record: ProxyRecord) =>
      left.some((proxy) => findProxy([record], toKnown(proxy)) !== undefined);
    const switched = await switchDeviating(
      watched,
      checked,
      seen,
      autoExtend ? listed : listed.filter((record) => !isFormer(record)),
    );
    const by = isToSwitchOn ? account.journal.runId : switchedBy;
    const state = await confirm(account, recordAutoExtension(checked, wanted, by));
    // Whoever was not held against what previews have shown has not carried it out.
    if (isToSwitchOn) await account.journal.previewed.carriedOut(checked.owner);
    await tellSwitchedOff(account, checked, switchedOff + (autoExtend ? 0 : switched));
    await tellSwitchedOn(account, checked, autoExtend ? switched : 0);
    return state;
  } catch (error) {
    const recorded = recordAutoExtension(checked, [...wanted, ...dropped], switchedBy);
    const leftOff = refusal === undefined ? "unconfirmed" : "refused";
    const touched = isToSwitchOn ? ({ ...recorded, leftOff } as const) : recorded;
    throw new SwitchUnconfirmedError(touched, mayHaveSwitched(), reasonOf(error));
  }
}

/** The same, and lets the other resources of the run know whether a state has these flags now. */
export async function applyAutoExtension(
  account: Account,
  checked: CheckedAutoExtension,
  former: Former,
): Promise<AutoExtensionState> {
  const { declarations } = account;
  try {
    const state = await switchAsDeclared(account, checked, former);
    await declarations.keep(checked.owner, checked);
    return state;
  } catch (error) {
    const isSaved = error instanceof SwitchUnconfirmedError;
    await (isSaved ? declarations.keep : declarations.withdraw)(checked.owner, checked);
    throw error;
  }
}

/** Why nothing may be switched on; undefined if it may. */
async function findRefusal(
  account: Account,
  checked: CheckedAutoExtension,
  switchedBy: string | undefined,
): Promise<Error | undefined> {
  return assertNoRunSince(account, checked.owner)
    .then(() => assertRenewalPreviewed(account, checked, switchedBy))
    .then(
      () => undefined,
      (error: Error) => error,
    );
}

/** Finds the named proxies. If one listing lacks some, a second is read: a flag that nobody sees would stay on. */
async function findListed(
  { listing }: Pick<Account, "listing">,
  { proxyType, ipAddressIds }: CheckedAutoExtension,
): Promise<{ seen: Snapshot; listed: ProxyRecord[] }> {
  const isNamed = ({ ipAddressId }: ProxyRecord) => ipAddressIds.includes(ipAddressId);
  const first = await listing.complete(proxyType).catch(rethrowExplained);
  const listed = first.records.filter(isNamed);
  if (listed.length === ipAddressIds.length) return { seen: first, listed };
  const seen = await listing.another(proxyType, first).catch(rethrowExplained);
  return { seen, listed: seen.records.filter(isNamed) };
}

/** Gives for how many proxies it was switched. */
async function switchDeviating(
  account: Pick<Account, "service" | "listing" | "journal" | "recordedEnds" | "clock" | "settings">,
  checked: CheckedAutoExtension,
  seen: Snapshot,
  listed: readonly ProxyRecord[],
): Promise<number> {
  const { owner, proxyType, rentPeriodDays, autoExtend } = checked;
  const { scope, project, runId } = account.journal;
  const deviating = listed.filter((record) => deviates(checked, record));
  // Noted before it is sent: a call whose answer is lost may have switched them on.
  if (autoExtend) {
    const unsaved = { owner, scope, project, runId };
    const noted = listed.map((one) => (deviates(checked, one) ? { ...one, unsaved } : one));
    await noteFlags(account, proxyType, noted, true);
  } else await noteLastOn(account, checked, seen, deviating.map(toGoing));
  if (deviating.length > 0) await noteSwitching(account, owner);
  await switchAutoExtension(account, {
    proxyType,
    ipAddressIds: deviating.map((record) => record.ipAddressId),
    rentPeriodDays,
    autoExtend,
  });
  return deviating.length;
}

async function confirm(
  account: Pick<Account, "listing">,
  expected: AutoExtensionState,
): Promise<AutoExtensionState> {
  const { proxyType, autoExtend } = expected;
  const { records } = await account.listing.complete(proxyType).catch(rethrowExplained);
  const { state, drift } = reconcile(expected, records);
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
    `ipAddressIds names ${checked.proxyType} proxies that the account does not list: ${missing.join(", ")}. Nothing was switched on or off. Take them out; they may have ended.`,
  );
}
