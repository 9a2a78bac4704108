import type { ProxyType } from "../../../client/index.ts";
import { type ListedOrder, matchOrders } from "../../evidence/listed-orders.ts";
import { findUnnamed } from "../../evidence/naming.ts";
import {
  bySending,
  type Intent,
  isOrderIntent,
  namesOf,
  type OrderIntent,
} from "../../records/intent.ts";
import { isBoughtBy, isMovedTo, type ScopedOwner } from "./claims.ts";

/** A listed order, and how a person has named it. */
interface SoughtPurchase {
  order: ListedOrder;
  proxyType: ProxyType;
  /** Its listed id, or the number that the journal has for it. */
  named: string;
  /** All that is listed of its type. */
  listed: readonly Pick<ListedOrder, "orderId">[];
}

/**
 * The purchase of the journal by which a listed order was bought, whoever has bought it. One that has no name of the
 * listing's counts only if the resource itself has made it, and if no other one may be it. Undefined if the journal does not
 * tell.
 */
export function findPurchaseOf(
  intents: readonly Intent[],
  { order, proxyType, named, listed }: SoughtPurchase,
  self: ScopedOwner,
): OrderIntent | undefined {
  const { orderId, country } = order;
  const taken = intents.filter(isOrderIntent).filter(mayBeTaken).toSorted(bySending);
  const isOpen = ({ phase }: Intent) => phase !== "closed";
  const fits = (intent: OrderIntent) => {
    const { whole, partial } = matchOrders(intent, [order], new Set());
    return whole.length + partial.length > 0;
  };
  // A service may use a number again. Then it is the newest purchase that the order can have come from.
  const newest = (name: string) => {
    const those = taken.filter((intent) => namesOf(intent).includes(name));
    return those.findLast(fits) ?? those.findLast(isOpen);
  };
  const own = taken.filter((intent) => isBoughtBy(intent, self) || isMovedTo(intent, self));
  const isCandidate = ({ candidates = [] }: Intent) => candidates.includes(orderId);
  const [likely, another] = findUnnamed(own, { proxyType, country }, listed).filter(fits);
  return (
    newest(orderId) ??
    newest(named) ??
    own.filter(isOpen).find(isCandidate) ??
    (another === undefined ? likely : undefined)
  );
}

/** The names of a purchase whose order was found in the listing. */
export function foundAs(
  { orderNumber }: OrderIntent,
  { orderId }: Pick<ListedOrder, "orderId">,
): { orderNumber: string; orderIds: string[] } {
  return { orderNumber: orderNumber ?? orderId, orderIds: [orderId] };
}

/** Whether the service may have taken it. */
function mayBeTaken({ closedBecause }: Intent): boolean {
  return closedBecause !== "rejected" && closedBecause !== "notPlaced";
}
