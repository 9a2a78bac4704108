import { withoutScope } from "../values/owner.ts";
import type { Holder, Intent, IntentChange } from "./intent.ts";

/**
 * A purchase as one state has it. Each time that a purchase is given to another state (adopted, imported, or recovered), it
 * counts one more, and that state writes the count down. So states tell who has it now, and who has had it, whatever their
 * resources are called meanwhile.
 */
export interface HandedOver {
  handOvers?: number | undefined;
}

/**
 * Who goes on with an order whose state is deleted: a resource whose state has it, one that is to have it and was not saved yet,
 * or the same resource by a newer state.
 */
export type Heir = Holder | "unsaved" | "itself";

/** How often it was given to another state. */
export function countHandOvers({ handOvers = 0 }: HandedOver): number {
  return handOvers;
}

/**
 * Whether another resource was given the purchase after the one whose state is seen. What was closed is nobody's. A resource
 * may lose a state to which it gave the purchase itself, and go on with the one before.
 */
export function isOthers(intent: Intent, owner: string, seen: HandedOver): boolean {
  return isFormer(intent, seen) && withoutScope(intent.owner) !== owner;
}

/** The newest name of the resource whose state has this count; undefined if the journal does not know it. */
export function holderOf(intent: Intent, seen: HandedOver): string | undefined {
  return isFormer(intent, seen) ? formerHolderOf(intent, seen)?.owner : withoutScope(intent.owner);
}

/** Whether a resource may have the purchase in a state, or has to ask before it buys the same. */
export function isHolder(intent: Intent, owner: string): boolean {
  return intent.owner === owner || wasHolder(intent, owner);
}

/** Whether another resource has taken the purchase over, and the state from which it was taken was not deleted since. */
export function wasHolder({ formerHolders = [] }: Intent, owner: string): boolean {
  return formerHolders.some((holder) => holder.owner === owner);
}

/**
 * Gives a purchase to a state.
 * @param isInState whether the state of its former owner may have it. A resource that takes it from its own former state
 * is the same owner.
 */
export function giveTo(intent: Intent, owner: string, isInState: boolean): IntentChange {
  const before = { owner: withoutScope(intent.owner), handOvers: countHandOvers(intent) };
  const others = (intent.formerHolders ?? []).filter((holder) => holder.owner !== owner);
  const isLeft = isInState && before.owner !== owner;
  return {
    owner,
    handOvers: countHandOvers(intent) + 1,
    ...holders(intent, isLeft ? [...others, before] : others),
  };
}

/** What it means that a state of a resource is seen to have the purchase; empty if all of that is known. */
export function followTo(intent: Intent, owner: string, seen: HandedOver): IntentChange {
  const handOvers = countHandOvers(seen);
  const others = (intent.formerHolders ?? []).filter((holder) => holder.handOvers !== handOvers);
  if (intent.phase === "closed") {
    return { phase: "confirmed", owner, handOvers, ...holders(intent, []) };
  }
  if (isOthers(intent, owner, seen)) {
    const isKnown = formerHolderOf(intent, seen)?.owner === owner;
    return isKnown ? {} : { formerHolders: [...others, { owner, handOvers }] };
  }
  const isCounted = handOvers === countHandOvers(intent);
  if (withoutScope(intent.owner) === owner) return isCounted ? {} : { handOvers };
  if (isCounted) return { owner, ...holders(intent, others) };
  return { ...giveTo(intent, owner, true), handOvers };
}

/**
 * What it means that a state of a resource was deleted.
 * @param next who goes on with the order, if somebody is known to
 */
export function takeFrom(
  intent: Intent,
  owner: string,
  seen: HandedOver,
  next: Heir | undefined,
): IntentChange {
  const former = intent.formerHolders ?? [];
  if (isOthers(intent, owner, seen)) {
    const others = former.filter(({ handOvers }) => handOvers !== countHandOvers(seen));
    return holders(intent, others);
  }
  // A copy of the state in another stack has the same count. That one goes on.
  const isCopy = countHandOvers(seen) === countHandOvers(intent);
  if (isCopy && withoutScope(intent.owner) !== owner) return {};
  if (next === "itself") return {};
  // No state has it until that one is saved.
  if (next === "unsaved") return { phase: "placed" };
  const heir = next ?? former.at(-1);
  if (heir === undefined) return { phase: "closed", closedBecause: "released" };
  const others = former.filter((holder) => holder.owner !== heir.owner);
  return { phase: "confirmed", ...heir, ...holders(intent, others) };
}

/** Whether a state was given the purchase before another one was. What was closed is nobody's. */
function isFormer(intent: Intent, seen: HandedOver): boolean {
  return intent.phase !== "closed" && countHandOvers(seen) < countHandOvers(intent);
}

function formerHolderOf({ formerHolders = [] }: Intent, seen: HandedOver): Holder | undefined {
  return formerHolders.find(({ handOvers }) => handOvers === countHandOvers(seen));
}

/** Only what differs: most purchases are never given to anybody. */
function holders({ formerHolders = [] }: Intent, next: Holder[]): IntentChange {
  const isSame =
    next.length === formerHolders.length && next.every((one) => formerHolders.includes(one));
  return isSame ? {} : { formerHolders: next };
}
