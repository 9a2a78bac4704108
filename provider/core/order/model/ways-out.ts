import { isDone, nameForPeople, type OrderIntent } from "../../records/intent.ts";

/**
 * How a person takes an order over. A resource that has one can't take a second.
 * @param name undefined if nobody knows it yet
 */
export function adviseAdoption(name: string | undefined, isTopUp: boolean): string {
  const by = isTopUp ? " with a further ProxyOrder" : "";
  return name === undefined
    ? `find it in the listing, and take it over${by} (adoptOrderNumber: the id under which it is listed)`
    : `take it over${by} (adoptOrderNumber: "${name}")`;
}

/**
 * How a person says that a purchase is accounted for: one that a state was seen to have can only be given up, and one that is
 * closed has been.
 * @param isOthers whether another resource has it, which does not give it up
 */
export function adviseResolving(intent: OrderIntent, isOthers: boolean): string {
  const { id } = intent;
  const name = nameForPeople(intent);
  const isDecided = isOthers || intent.phase === "closed";
  if (isDecided && name !== undefined) return `list ${name} in proxyrental:foreignOrders`;
  const resolve = `npx pulumi-proxyrental journal resolve ${id}`;
  const advice = isDone(intent)
    ? `say that it is no longer this resource's (\`${resolve} --released\`)`
    : `resolve it in the journal: \`${resolve}\``;
  if (name === undefined) return advice;
  return `${advice}, or list ${name} in proxyrental:foreignOrders`;
}

/** For which of the stacks of one name a purchase was made. */
export function describeScope({ scopes }: Pick<OrderIntent, "scopes">): string {
  return scopes === undefined
    ? "without a journalScope"
    : `with the journalScope ${scopes.join(", ")}`;
}

/** What to do about a purchase that may be another stack's of the same name: it has another scope than this one. */
export function explainOtherScope(intent: OrderIntent, scope: string): string {
  const bought = `a stack of this name ${describeScope(intent)} has bought it`;
  return scope === ""
    ? `${bought}. If this is another stack, give it a journalScope, too; if it is that one, set that`
    : `${bought}. If that stack has it, give it a journalScope, too, and run \`pulumi up\` there`;
}
