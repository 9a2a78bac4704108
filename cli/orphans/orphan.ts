import type { ProxyRecord, ProxyType } from "../../provider/client/index.ts";
import { groupOrders } from "../../provider/core/evidence/listed-orders.ts";
import { type Intent, namesOf, ofType } from "../../provider/core/records/intent.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import { inScopes } from "../journal/intent-words.ts";
import type { ListedOrder } from "../listed-order.ts";

/** An order of the account that no state knows. Also what `--json` prints. */
export interface Orphan extends ListedOrder {
  country: string;
  /** How many of its proxies are listed. */
  count: number;
  /** When it began; absent while the service does not say. */
  since?: string | undefined;
  /** Until when it is paid; absent while the service does not say. */
  until?: string | undefined;
  /** How many of its proxies are extended automatically. That goes on costing money. */
  renewing: number;
  /** By how many days each time. */
  renewsEveryDays: number[];
  /** What the journal of this machine knows of it. */
  journal?: JournalNote | undefined;
}

/** The purchase in the journal that an order is, or may be. */
export interface JournalNote {
  id: string;
  owner: string;
  scopes?: string[] | undefined;
  phase: Intent["phase"];
  /** False if the order is only one of several that may be the purchase. */
  isCertain: boolean;
}

/** Finds the orders of these proxies, all of one type, that are not accounted for and that have not ended. */
export function findOrphans(
  proxyType: ProxyType,
  records: readonly ProxyRecord[],
  isAccounted: (order: ListedOrder) => boolean,
  now: Date,
): Orphan[] {
  return groupOrders(records)
    .filter(({ endsAt }) => endsAt === undefined || endsAt > now)
    .filter(({ orderId }) => !isAccounted({ proxyType, orderId }))
    .map(({ orderId, country, count, startedAt, endsAt }) => ({
      ...{ orderId, proxyType, country, count },
      since: startedAt?.toISOString(),
      until: endsAt?.toISOString(),
      ...renewalOf(records.filter((record) => record.orderId === orderId)),
    }));
}

function renewalOf(proxies: readonly ProxyRecord[]) {
  const renewing = proxies.map((proxy) => proxy.extendInfo).filter((info) => info.autoExtend);
  const days = new Set(renewing.map((info) => info.extendDays));
  return { renewing: renewing.length, renewsEveryDays: [...days].sort((a, b) => a - b) };
}

/** What the journal knows of an order: whose it is, or whose it may be. */
export function findInJournal(
  { orderId, proxyType }: ListedOrder,
  intents: readonly Intent[],
): JournalNote | undefined {
  const alike = ofType(intents, proxyType);
  const bought = alike.find((intent) => namesOf(intent).includes(orderId));
  const mayBe = alike.find(
    ({ phase, candidates = [] }) => phase === "unknown" && candidates.includes(orderId),
  );
  const intent = bought ?? mayBe;
  if (intent === undefined) return undefined;
  const { id, owner, scopes, phase } = intent;
  return { id, owner, scopes, phase, isCertain: bought !== undefined };
}

/** What the journal knows of an order, in a few words. */
export function describeNote({ id, owner, scopes, phase, isCertain }: JournalNote): string {
  const buyer = inScopes(nameOf(owner), { scopes });
  return `${isCertain ? "bought" : "may be bought"} for ${buyer} (${id}, ${phase})`;
}
