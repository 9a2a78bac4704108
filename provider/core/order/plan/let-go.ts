import type { Journal } from "../../journal/journal.ts";
import {
  isOfScope,
  isOrderIntent,
  isSameAccount,
  nameForPeople,
  type OrderIntent,
} from "../../records/intent.ts";
import { DAY_MS } from "../../values/dates.ts";
import { stackOf } from "../../values/owner.ts";
import { describeOrder } from "../model/args.ts";
import type { UnpricedOrder } from "../model/order-check.ts";

/**
 * Tells of orders like a wanted one that this stack has let go and that are still paid, as far as the journal knows: its
 * resource was taken out of the program, or destroyed. A person may take one over instead of buying.
 * @returns a part of a sentence; "" if there is none
 */
export async function describeLetGo(
  journal: Pick<Journal, "readAll" | "accountId" | "scope">,
  { owner, proxyType, country }: UnpricedOrder,
  now: Date,
): Promise<string> {
  const self = { account: await journal.accountId() };
  const paid = (await journal.readAll())
    .filter(isOrderIntent)
    .filter(({ closedBecause }) => closedBecause === "released")
    .filter((intent) => stackOf(intent.owner) === stackOf(owner))
    .filter((intent) => isOfScope(intent, journal.scope) && isSameAccount(intent, self))
    .filter(({ purchase: { request } }) => request.proxyType === proxyType)
    .filter(({ purchase: { request } }) => request.country === country)
    .filter((intent) => paidUntil(intent) > now);
  const told = paid.flatMap((intent) => {
    const name = nameForPeople(intent);
    const until = paidUntil(intent).toISOString().slice(0, 10);
    const what = describeOrder(intent.purchase.request);
    return name === undefined ? [] : `order ${name} (${what}), paid until about ${until}`;
  });
  if (told.length === 0) return "";
  return `. This stack has let go of ${told.join("; and of ")}: adoptOrderNumber takes such an order over instead, free of charge`;
}

/** If it has renewed itself since, even later. */
function paidUntil({ sentAt, purchase }: OrderIntent): Date {
  return new Date(Date.parse(sentAt) + purchase.request.rentPeriodDays * DAY_MS);
}
