import { namesOf } from "../../evidence/naming.ts";
import { type Intent, isOrderIntent, isPlaced, type OrderIntent } from "../../records/intent.ts";

/**
 * Who has bought an order on this machine, where that was another resource: the journal does not tell whether it owns
 * the order still.
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
