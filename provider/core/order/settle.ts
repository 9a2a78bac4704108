import type { ProxyType } from "../../client/index.ts";
import type { Account } from "../account.ts";
import { type Finding, groupOrders, type ListedOrder, settleOrders } from "../journal/evidence.ts";
import { type Intent, isAccepted, isOrderIntent, type OrderIntent } from "../journal/intent.ts";
import { lookAtAccount, type Patience, settle, spentSince } from "../journal/settling.ts";

/**
 * Looks at listing and balance until they say what became of orders of one kind whose answers are not
 * known. To be called with nothing else of the account in flight.
 */
export async function settleOrderIntents(
  account: Account,
  intents: readonly [OrderIntent, ...OrderIntent[]],
  patience: Patience,
): Promise<Finding> {
  const { proxyType } = intents[0].purchase.request;
  const all = await account.journal.readAll();
  const others = all.filter((one) => !intents.some((intent) => intent.id === one.id));
  const claimed = claimedBy(others, account.knownOrders.keys());
  const [earliest = intents[0]] = intents.toSorted(
    (a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt),
  );
  const explainedSpend = spentSince(others, earliest);
  return settle<Sight, Finding>(
    account.clock,
    patience,
    () => lookAtAccount(account, proxyType),
    ({ listed, balance }, window) => {
      const orders = listed && groupOrders(listed);
      const seen = { listed: orders, balance, explainedSpend };
      return settleOrders(intents, seen, claimed, window, unlistedOf(others, proxyType, orders));
    },
  );
}

/** Orders that the service has taken and lists under none of the names that are known of them. */
function unlistedOf(
  others: readonly Intent[],
  proxyType: ProxyType,
  listed: readonly ListedOrder[] = [],
): OrderIntent[] {
  const ids = new Set(listed.map(({ orderId }) => orderId));
  return others
    .filter(isOrderIntent)
    .filter((one) => isAccepted(one) && one.purchase.request.proxyType === proxyType)
    .filter(
      ({ orderNumber = "", orderIds = [] }) =>
        ![orderNumber, ...orderIds].some((id) => ids.has(id)),
    );
}

type Sight = Awaited<ReturnType<typeof lookAtAccount>>;

/** Order ids that belong to other purchases. */
function claimedBy(others: readonly Intent[], known: Iterable<string>): ReadonlySet<string> {
  const named = others.flatMap(({ orderNumber = "", orderIds = [] }) => [orderNumber, ...orderIds]);
  return new Set([...known, ...named]);
}
