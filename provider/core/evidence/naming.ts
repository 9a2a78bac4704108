import {
  type Intent,
  isMisnumbered,
  isOrderIntent,
  namesOf,
  type OrderIntent,
} from "../records/intent.ts";
import type { ListedOrder } from "./listed-orders.ts";

/**
 * Purchases whose orders may be listed under names that nobody was told. They are not closed, and have this type and
 * country.
 */
export function findUnnamed(
  intents: readonly Intent[],
  { proxyType, country }: Pick<OrderIntent["purchase"]["request"], "proxyType" | "country">,
  listed: readonly Pick<ListedOrder, "orderId">[],
): OrderIntent[] {
  const named = namesIn(listed);
  return intents.filter(isOrderIntent).filter((intent) => {
    const { request } = intent.purchase;
    if (intent.phase === "closed") return false;
    if (request.proxyType !== proxyType || request.country !== country) return false;
    return isUnnamedIn(intent, named);
  });
}

/**
 * Whether the order of a purchase may be listed under a name that nobody was told: it is listed under none of its own names. If
 * its number looks like the listing's ids, it is such an id, and its order has just not been delivered yet; unless it is that
 * of an older order.
 */
export function isUnnamed(
  intent: OrderIntent,
  listed: readonly Pick<ListedOrder, "orderId">[],
): boolean {
  return isUnnamedIn(intent, namesIn(listed));
}

/** Whether the listing was seen to show its order under an id other than its number. It has no other one then. */
export function hasListedId({ orderNumber, orderIds = [] }: OrderIntent): boolean {
  return orderIds.some((orderId) => orderId !== orderNumber);
}

interface ListedNames {
  ids: ReadonlySet<string>;
  shapes: ReadonlySet<string>;
}

function namesIn(listed: readonly Pick<ListedOrder, "orderId">[]): ListedNames {
  const ids = new Set(listed.map(({ orderId }) => orderId));
  return { ids, shapes: new Set([...ids].map(shapeOf)) };
}

function isUnnamedIn(intent: OrderIntent, { ids, shapes }: ListedNames): boolean {
  const { orderNumber } = intent;
  // It may have ended since.
  if (hasListedId(intent)) return false;
  if (namesOf(intent).some((name) => ids.has(name))) return false;
  return orderNumber === undefined || isMisnumbered(intent) || !shapes.has(shapeOf(orderNumber));
}

/** Replaces each digit and each letter by one sign: numbers of one series have one shape. */
function shapeOf(name: string): string {
  return name.replace(/\d/g, "9").replace(/[a-z]/gi, "a");
}
