import type { Account } from "../../account.ts";
import { namesOfProxy, toKnown } from "../../proxies/address.ts";
import { isBackwards, laterEnd } from "../../values/dates.ts";
import { ProxyRentalError } from "../../values/errors.ts";
import { throughMs } from "../model/args.ts";
import type { Places } from "../model/proxies.ts";
import { type DatedProxy, isDated } from "../model/rounds.ts";
import { type CheckedExtension, findShort } from "../model/state.ts";
import { type Declared, findDeclared } from "./declared.ts";

/** The proxies that a program names, and until when they are to be paid. */
type Named = Pick<CheckedExtension, "proxyType" | "ipAddressIds" | "paidThrough">;

/** Old inputs whose plan was carried out. What they name was paid at least until then. */
type Kept = Pick<CheckedExtension, "ipAddressIds" | "addresses" | "paidThrough">;

/**
 * Finds the proxies that a program names, with ends on which they may be paid. If a proxy falls short because it is
 * listed with an earlier end than is recorded (in a state, in the journal, or in old inputs), the listing is read
 * again. No end moves backwards, so if the second listing says the same, the listing is behind. To pay by it would be
 * to pay twice, so this throws.
 */
export async function findPayable(
  account: Pick<Account, "recordedEnds" | "listing" | "journal">,
  named: Named,
  places: Places | undefined,
  kept: Kept | undefined,
): Promise<Declared> {
  const first = await findDeclared(account, named, places);
  const once = await findBackwards(account, named, first, kept);
  if (once === undefined) return first;
  // The known listing may be older than a payment in the journal.
  account.listing.invalidate();
  const second = await findDeclared(account, named, places);
  const twice = await findBackwards(account, named, second, kept);
  if (twice === undefined) return second;
  throw new ProxyRentalError(
    "LISTING_INCONSISTENT",
    `the listing says that proxies end earlier than is recorded, and what is paid does not end earlier. The first listing: ${once}. The second: ${twice}. The listing may be behind an extension. Nothing was bought. Run again later. If the service has really cut them short, take them out of ipAddressIds.`,
  );
}

/** In words, which ends are before the recorded ones; undefined if none is. */
async function findBackwards(
  { recordedEnds }: Pick<Account, "recordedEnds">,
  named: Named,
  { proxies }: Declared,
  kept: Kept | undefined,
): Promise<string | undefined> {
  const short = findShort(named, proxies.filter(isDated));
  if (short.length === 0) return undefined;
  const recorded = await recordedEnds.read(named.proxyType);
  const knownEndOf = (proxy: DatedProxy) =>
    laterEnd(recorded.endOf(proxy), kept && isNamed(kept, proxy) ? endOf(kept) : undefined);
  const backwards = short.filter((proxy) => isBackwards(proxy, { dateEnd: knownEndOf(proxy) }));
  if (backwards.length === 0) return undefined;
  return backwards
    .map(
      (proxy) => `${proxy.ipAddressId} until ${proxy.dateEnd}, recorded until ${knownEndOf(proxy)}`,
    )
    .join(", ");
}

function isNamed({ ipAddressIds, addresses }: Kept, proxy: DatedProxy): boolean {
  const names = [...ipAddressIds, ...Object.values(addresses)];
  return namesOfProxy(toKnown(proxy)).some((name) => names.includes(name));
}

function endOf({ paidThrough }: Kept): string {
  return new Date(throughMs(paidThrough)).toISOString();
}
