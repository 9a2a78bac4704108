import type { ProxyRecord } from "../../../client/index.ts";
import { pause } from "../../account/cancellation.ts";
import type { Sighting } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import { type ExtensionFinding, settleExtension } from "../../evidence/extensions.ts";
import { lookAtAccount, type Patience, settle, spentSince } from "../../evidence/watch.ts";
import { type ExtensionIntent, isAccepted } from "../../journal/intent.ts";
import { addressOf, findProxy } from "../../proxies/address.ts";

/**
 * Looks at the ends of the proxies and at the balance until they say what became of an extension whose answer
 * is not known. To be called with nothing else of the account in flight.
 */
export async function settleExtensionIntent(
  account: Account,
  intent: ExtensionIntent,
  patience: Patience,
): Promise<ExtensionFinding> {
  const { clock, journal } = account;
  const others = (await journal.readAll()).filter(({ id }) => id !== intent.id);
  const explainedSpend = spentSince(others, intent);
  return settle<Awaited<ReturnType<typeof lookAtAccount>>, ExtensionFinding>(
    clock,
    patience,
    () => lookAtAccount(account, intent.purchase.request.proxyType),
    (seen, window) => settleExtension(intent, { ...seen, explainedSpend }, window),
  );
}

/** What a proxy was before it was extended. */
export type ProxyBefore = ExtensionIntent["purchase"]["proxiesBefore"][number];

/** Whether an extension is about one of these proxies. */
export function touches(intent: ExtensionIntent, proxies: readonly ProxyRecord[]): boolean {
  return intent.purchase.proxiesBefore.some((before) => findProxy(proxies, before) !== undefined);
}

/**
 * Whether the listing shows all that an extension may have done. Until then the ends that it shows are no
 * ground to pay on: they may be those from before.
 */
export function isShown(intent: ExtensionIntent, records: readonly ProxyRecord[]): boolean {
  return isAccepted(intent) && haveMoved(intent.purchase.proxiesBefore, records);
}

/** Whether no proxy is listed with the end that it had before. */
export function haveMoved(
  proxiesBefore: readonly ProxyBefore[],
  records: readonly ProxyRecord[],
): boolean {
  return proxiesBefore.every((before) => {
    const now = findProxy(records, before);
    return now === undefined || !isSameEnd(now.dateEnd, before.dateEnd);
  });
}

/** Looks until the listing shows a paid extension, or time is up, or the run is cancelled: what it lists then. */
export async function awaitShown(
  account: Account,
  proxyType: ExtensionIntent["purchase"]["request"]["proxyType"],
  proxiesBefore: readonly ProxyBefore[],
): Promise<boolean> {
  const { clock, listing, settings, cancelled } = account;
  const { settlingMs } = settings;
  const { shown } = await settle<
    readonly ProxyRecord[] | undefined,
    { kind: "end"; shown: boolean }
  >(
    { ...clock, sleep: (ms) => pause(account, ms) },
    { settlingMs, deliveryMs: settlingMs },
    // What can't be read does not undo what is paid.
    () => listing.since(proxyType, clock.elapsedMs()).then(wholeOf, () => undefined),
    (records, window) => {
      const shown = records !== undefined && haveMoved(proxiesBefore, records);
      return shown || window !== "open" || cancelled.aborted
        ? { kind: "end", shown }
        : { kind: "wait" };
    },
  );
  return shown;
}

/** Whether a proxy is listed as it was seen earlier: by that id, and paid until that end. */
export function isUnchanged(seen: ProxyRecord, records: readonly ProxyRecord[]): boolean {
  const now = findProxy(records, { ipAddressId: seen.ipAddressId, address: addressOf(seen) });
  return now?.ipAddressId === seen.ipAddressId && isSameEnd(now.dateEnd, seen.dateEnd);
}

function wholeOf({ records, contradiction }: Sighting): readonly ProxyRecord[] | undefined {
  return contradiction === undefined ? records : undefined;
}

function isSameEnd(a: string | undefined, b: string | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && Date.parse(a) === Date.parse(b));
}
