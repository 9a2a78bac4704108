import type { ProxyRecord } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { describeInPlace, findProxy, toKnown } from "../proxies/address.ts";
import { ProxyRentalError, rethrowExplained } from "../values/errors.ts";
import { nameOf } from "../values/owner.ts";
import type { AutoExtensionArgs } from "./args.ts";
import { explainLeft, findBelievedOn, type RenewingProxy, switchBelieved } from "./believed-on.ts";
import { noteFlags, noteLastOn } from "./known-flags.ts";
import type { ExtendedProxy } from "./state.ts";
import { switchOffByDays, toGoing } from "./switch-off-by-days.ts";
import { noteSwitching } from "./switching-runs.ts";

/** Proxies that are no longer to be extended, and their owner. */
export interface Renewals extends Pick<AutoExtensionArgs, "proxyType" | "rentPeriodDays"> {
  owner: string;
  /** As they are recorded. */
  proxies: readonly RenewingProxy[];
  /** Whether their owner is deleted. */
  isDelete: boolean;
  /** Which listed proxies belong to them, beside the recorded ones. @default none */
  findListed?: (records: readonly ProxyRecord[]) => readonly ProxyRecord[];
}

/**
 * Switches automatic extension off, and gives for how many proxies it was seen on, or is believed to be on without being
 * listed. What is believed to be on is switched off whatever the listing shows: it may be behind, the call costs nothing, and
 * a flag that stays on goes on costing money. What is shown on goes first, so that nothing that the service refuses to
 * switch keeps it on. If a proxy is not listed, a second listing is read; one that neither has is switched off by its
 * recorded id. Throws if any flag may still be on. A flag that a resource of the program goes on wanting stays on.
 */
export async function switchOffRenewals(account: Account, renewals: Renewals): Promise<number> {
  const { listing, log } = account;
  const { owner, proxyType } = renewals;
  await account.hearOthers();
  // A run that was cancelled must not switch on again what is deleted here, also if nothing is on now.
  if (renewals.proxies.length > 0) await noteSwitching(account, owner);
  const first = await listing.complete(proxyType).catch(rethrowExplained);
  const seen = [first];
  if (!renewals.proxies.every((proxy) => findProxy(first.records, toKnown(proxy)))) {
    seen.push(await listing.another(proxyType, first).catch(rethrowExplained));
  }
  const own = withoutKept(
    account,
    renewals,
    seen.flatMap(({ records }) => records),
  );
  await tellKept(account, own);

  const newest = seen.at(-1) ?? first;
  const rows = findRows(own, seen.map(({ records }) => records).reverse());
  const rowOf = (proxy: ExtendedProxy) => findProxy(rows, toKnown(proxy));
  const shownOn = rows.filter(isOn);
  const believedOn = await findBelievedOn(account, own, newest, rowOf);
  const missing = own.proxies.filter((proxy) => !rowOf(proxy));
  const listedOn = seen.flatMap(({ records }) => records.filter(isOn));
  const inPlace = describeInPlace(listedOn, missing.map(toKnown));
  await noteLastOn(account, renewals, newest, [
    ...shownOn.map(toGoing),
    ...believedOn.filter(({ mayBeExtended }) => mayBeExtended),
  ]);
  const [shownStill] = await switchOffByDays(account, renewals, shownOn.map(toGoing));
  const { off, refused, left } = await switchBelieved(account, renewals, believedOn);
  if (shownStill !== undefined) throw shownStill.error;
  // Of those that are not listed, that the service took the call is all that can be known.
  const unlistedOff = off.filter(({ isListed }) => !isListed);
  if (shownOn.length + believedOn.length > 0) {
    const confirmed = await confirmOff(account, own, rows);
    const isRefused = (proxy: ProxyRecord) =>
      refused.some(({ one }) => findProxy([proxy], toKnown(one)) !== undefined);
    const wentOff = [...unlistedOff, ...confirmed.filter((proxy) => !isRefused(proxy))];
    await noteFlags(account, proxyType, wentOff, false);
  }
  if (left.length > 0) throw explainLeft(left, inPlace);
  if (inPlace !== "") log.warn(`${nameOf(owner)}: not all proxies are listed${inPlace}`);
  // That one was on which is listed as off, nobody can say.
  return shownOn.length + unlistedOff.length;
}

/** The proxies that no resource goes on declaring. Those that one does keep their flags. */
interface OwnRenewals extends Required<Renewals> {
  /** Who declares each of the others. */
  keepers: readonly string[];
}

/** Another resource may name a proxy by an id that it has got since it was recorded here. */
function withoutKept(
  { declarations }: Pick<Account, "declarations">,
  { findListed = () => [], ...renewals }: Renewals,
  listed: readonly ProxyRecord[],
): OwnRenewals {
  const { owner, proxyType, proxies, isDelete } = renewals;
  const keeperOf = ({ ipAddressId }: Pick<ProxyRecord, "ipAddressId">) =>
    declarations.keeperOf({ proxyType, ipAddressId }, owner, isDelete);
  const keeperNow = (proxy: ExtendedProxy) =>
    keeperOf(proxy) ?? keeperOf(findProxy(listed, toKnown(proxy)) ?? proxy);
  return {
    ...renewals,
    proxies: proxies.filter((proxy) => keeperNow(proxy) === undefined),
    findListed: (records) => findListed(records).filter((row) => keeperOf(row) === undefined),
    keepers: proxies.flatMap((proxy) => keeperNow(proxy) ?? []),
  };
}

/** That a former state of a resource is deleted, and the resource goes on as it is, is no news. */
async function tellKept(
  { story }: Pick<Account, "story">,
  { owner, keepers }: OwnRenewals,
): Promise<void> {
  const others = keepers.filter((keeper) => keeper !== owner);
  const [other] = others;
  if (other === undefined) return;
  const line = `automatic extension of ${others.length} proxies stays as it is, because ${nameOf(other)} declares it`;
  await story.did(owner, { id: "kept", line });
}

function isOn({ extendInfo }: ProxyRecord): boolean {
  return extendInfo.autoExtend;
}

/** The row of each proxy, from the newest listing that has one. */
function findRows(
  { proxies, findListed }: OwnRenewals,
  listings: readonly (readonly ProxyRecord[])[],
): ProxyRecord[] {
  const rows = new Map<string, ProxyRecord>();
  for (const records of listings) {
    const found = proxies.flatMap((proxy) => findProxy(records, toKnown(proxy)) ?? []);
    for (const row of [...found, ...findListed(records)]) {
      const known = rows.get(row.ipAddressId);
      // If it is on in one listing and off in the other, it is switched off. That does no harm.
      if (known === undefined || row.extendInfo.autoExtend) rows.set(row.ipAddressId, row);
    }
  }
  return [...rows.values()];
}

/** Reads the listing after the switch; once more if a flag is still on, because the listing may lag. */
async function confirmOff(
  { listing }: Pick<Account, "listing">,
  own: OwnRenewals,
  rows: readonly ProxyRecord[],
): Promise<ProxyRecord[]> {
  const { proxyType } = own;
  const ids = new Set(rows.map(({ ipAddressId }) => ipAddressId));
  const findShown = (records: readonly ProxyRecord[]) =>
    records.filter(
      (record) =>
        ids.has(record.ipAddressId) ||
        own.proxies.some((proxy) => findProxy([record], toKnown(proxy))),
    );
  const first = await listing.complete(proxyType).catch(rethrowExplained);
  const shown = findShown(first.records);
  if (!shown.some(isOn)) return shown;
  const second = await listing.another(proxyType, first).catch(rethrowExplained);
  const still = findShown(second.records).filter(isOn);
  if (still.length === 0) return findShown(second.records);
  throw new ProxyRentalError(
    "AUTO_EXTENSION_FAILED",
    `the service took the request to switch auto-extension off, but its listing still shows it on for ${still.map(({ ipAddressId }) => ipAddressId).join(", ")}. Nothing was bought. Run again.`,
  );
}
