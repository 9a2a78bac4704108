import { namesOf } from "../../evidence/naming.ts";
import { type Intent, isOrderIntent, isPlaced, type OrderIntent } from "../../records/intent.ts";

/**
 * Finds the purchase by which another resource bought an order on this machine, if that was neither deleted nor given
 * away since. The journal does not tell whether that resource still owns the order.
 * @param names every name that the order is known by
 */
export function findOtherBuyer(
  intents: readonly Intent[],
  owner: string,
  names: readonly string[],
): OrderIntent | undefined {
  return intents
    .filter(isOrderIntent)
    .filter((intent) => isPlaced(intent) && intent.owner !== owner)
    .find((intent) => namesOf(intent).some((name) => name !== "" && names.includes(name)));
}
