import { namesOf } from "../../evidence/naming.ts";
import { type Intent, isAccepted, isOrderIntent, type OrderIntent } from "../../journal/intent.ts";

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
    .filter((intent) => isAccepted(intent) && intent.owner !== owner)
    .find((intent) => namesOf(intent).some((name) => name !== "" && names.includes(name)));
}

/**
 * Whether two owners are resources of one stack on different hosts: a stack that moves from one to the other takes its
 * orders along, perhaps each under a name of its own.
 */
export function isMove(owner: string, other: string): boolean {
  const [a, b] = [partsOf(owner), partsOf(other)];
  return a !== undefined && b !== undefined && a.stack === b.stack && a.host !== b.host;
}

/** A dynamic resource is owned by its organisation and URN, one of the plugin by its URN. */
function partsOf(owner: string): { stack: string; host: string } | undefined {
  const [, stack, project, types] = /urn:pulumi:(.+?)::(.+?)::(.+?)::/.exec(owner) ?? [];
  if (stack === undefined || project === undefined || types === undefined) return undefined;
  const isDynamic = types.includes("pulumi-nodejs:dynamic/");
  return { stack: `${stack}::${project}`, host: isDynamic ? "dynamic" : "plugin" };
}
