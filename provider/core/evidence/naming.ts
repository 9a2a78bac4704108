import {
  type Intent,
  isMisnumbered,
  isOrderIntent,
  namesOf,
  type OrderIntent,
} from "../records/intent.ts";
import type { ListedOrder } from "./listed-orders.ts";

/**
 * Purchases whose orders may be listed under names that nobody was told. They are not closed, have this type and
 * country, and are listed under none of their own names. If a number looks like the listing's ids, it is such an id,
 * and its order has just not been delivered yet; unless it is that of an older order.
 */
export function findUnnamed(
  intents: readonly Intent[],
  { proxyType, country }: Pick<OrderIntent["purchase"]["request"], "proxyType" | "country">,
  listed: readonly Pick<ListedOrder, "orderId">[],
): OrderIntent[] {
  const shapes = new Set(listed.map(({ orderId }) => shapeOf(orderId)));
  const listedIds = new Set(listed.map(({ orderId }) => orderId));
  return intents.filter(isOrderIntent).filter((intent) => {
    const { request } = intent.purchase;
    if (intent.phase === "closed") return false;
    // It was seen in the listing already, and may have ended since.
    if (intent.orderIds?.some((orderId) => orderId !== intent.orderNumber)) return false;
    if (request.proxyType !== proxyType || request.country !== country) return false;
    if (namesOf(intent).some((name) => listedIds.has(name))) return false;
    const { orderNumber } = intent;
    return orderNumber === undefined || isMisnumbered(intent) || !shapes.has(shapeOf(orderNumber));
  });
}

/** Replaces each digit and each letter by one sign: numbers of one series have one shape. */
function shapeOf(name: string): string {
  return name.replace(/\d/g, "9").replace(/[a-z]/gi, "a");
}
