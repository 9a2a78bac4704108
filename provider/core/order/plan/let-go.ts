import { type Look, ofOrders } from "../../account/listing.ts";
import type { Account } from "../../account.ts";
import {
  isOfScope,
  isOrderIntent,
  isSameAccount,
  knownAs,
  nameForPeople,
  namesOf,
  ofType,
} from "../../records/intent.ts";
import { findEarliestEnd } from "../../values/dates.ts";
import { stackOf } from "../../values/owner.ts";
import { living } from "../adopt/adopt.ts";
import { describeHeld } from "../model/args.ts";
import type { UnpricedOrder } from "../model/order-check.ts";
import { isDisowned } from "../recover/left-purchase.ts";

/**
 * Tells of orders like a wanted one that this stack has let go, that are still paid, and that nobody has: their resources
 * were taken out of the program, or destroyed. A person may take one over instead of buying.
 * @returns a part of a sentence; "" if there is none
 */
export async function describeLetGo(
  { journal, registry, settings }: Pick<Account, "journal" | "registry" | "settings">,
  { owner, proxyType, country }: UnpricedOrder,
  { now, records }: Look,
): Promise<string> {
  const self = { account: await journal.accountId() };
  const letGo = ofType(await journal.readAll(), proxyType)
    .filter(isOrderIntent)
    .filter(({ closedBecause }) => closedBecause === "released")
    .filter((intent) => stackOf(intent.owner) === stackOf(owner))
    .filter((intent) => isOfScope(intent, journal.scope) && isSameAccount(intent, self))
    .filter(({ purchase: { request } }) => request.country === country)
    .filter((intent) => !isDisowned(settings, intent))
    .filter((intent) => !registry.hasMet(knownAs(intent)));
  const told = letGo.flatMap((intent) => {
    const name = nameForPeople(intent);
    const left = living(ofOrders(records, namesOf(intent)), now);
    const until = findEarliestEnd(left)?.slice(0, "2026-03-31".length);
    if (name === undefined || until === undefined) return [];
    const what = describeHeld({ proxyType, country, quantity: left.length });
    return `order ${name} (${what}), paid until ${until}`;
  });
  if (told.length === 0) return "";
  return `. This stack has let go of ${told.join("; and of ")}: adoptOrderNumber takes such an order over instead, free of charge`;
}
