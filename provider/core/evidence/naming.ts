import { type Intent, isOrderIntent, type OrderIntent } from "../records/intent.ts";
import type { ListedOrder } from "./listed-orders.ts";

/** Every name that an intent has for its order: the number that the buyer was told, and the listing's ids. */
export function namesOf({ orderNumber = "", orderIds = [] }: Intent): string[] {
  return [orderNumber, ...orderIds];
}

/**
 * Purchases whose orders may be listed under names that nobody was told: not closed, of this type and
 * country, and under none of their own names in the listing. A number that looks like the listing's ids is
 * one of them: its order only has not been delivered yet.
 */
export function findUnnamed(
  intents: readonly Intent[],
  { proxyType, country }: Pick<OrderIntent["purchase"]["request"], "proxyType" | "country">,
  listed: readonly ListedOrder[],
): OrderIntent[] {
  const shapes = new Set(listed.map(({ orderId }) => shapeOf(orderId)));
  const listedIds = new Set(listed.map(({ orderId }) => orderId));
  return intents.filter(isOrderIntent).filter((intent) => {
    const { request } = intent.purchase;
    if (intent.phase === "closed") return false;
    // It was seen in the listing already, and may have ended since.
    if (intent.orderIds?.some((orderId) => orderId !== intent.orderNumber)) return false;
    if (request.proxyType !== proxyType || request.country !== country) return false;
    if (intent.orderNumber !== undefined && shapes.has(shapeOf(intent.orderNumber))) return false;
    return !namesOf(intent).some((name) => listedIds.has(name));
  });
}

/** Digits and letters as what they are: numbers of one series have one shape. */
function shapeOf(name: string): string {
  return name.replace(/\d/g, "9").replace(/[a-z]/gi, "a");
}
