import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { withoutScope } from "../values/owner.ts";
import type { Holder, Intent, IntentChange } from "./intent.ts";

/**
 * A purchase as one state has it. Each adoption, import and recovery gives a purchase to another state, under a name of its own
 * that this state writes down. So states tell who has it now, and who has had it, whatever their resources are called meanwhile.
 */
export interface HandedOver {
  /** Absent in the state of the resource that bought it. */
  handOver?: string | undefined;
}

/** A purchase as a state is seen to have it. */
export interface SeenState extends HandedOver {
  /** The addresses of the order that its resource has let go. @default none */
  letGo?: readonly string[];
  /** Whether nobody knows yet that it was saved. @default false */
  isUnsaved?: boolean | undefined;
}

/** A resource whose state is met, and the scope of its run; "" if it has none. */
export interface StateOwner {
  owner: string;
  scope: string;
}

/**
 * Who goes on with an order whose state is deleted: a resource whose state has it, one that is to have it and was not saved yet,
 * or the same resource by a newer state. It was left to somebody who has it no more: then it is still to be let go.
 */
export type Heir = Holder | "unsaved" | "itself" | "gone";

/** A name for a hand-over. None is ever used again: two states of one name would be taken for one. */
export function nameHandOver(): string {
  return randomUUID();
}

/** Everybody whose state may have it, the owner last. */
export function holdersOf({ holders, owner, scopes }: Intent): readonly Holder[] {
  const scope = scopes?.at(-1);
  return holders ?? [{ owner, ...(scope && { scope }) }];
}

/** Whether the purchase was given to another state after the one that is seen. What was closed is nobody's. */
export function isFormer(intent: Intent, seen: HandedOver): boolean {
  if (intent.phase === "closed") return false;
  const holders = holdersOf(intent);
  const holder = findHolder(holders, seen);
  return holder !== undefined && holder !== holders.at(-1);
}

/** Whether a purchase was given to nobody else between two looks at it. */
export function isOfSameHolder(before: Intent, since: Intent): boolean {
  const [one, other] = [before, since].map((intent) => holdersOf(intent).at(-1));
  return one?.owner === other?.owner && one?.handOver === other?.handOver;
}

/** Whether one state is known to have had the purchase before it was given to another one. That of the buyer had it first. */
export function isBefore(intent: Intent, one: HandedOver, other: HandedOver): boolean {
  if (one.handOver === undefined) return other.handOver !== undefined;
  const order = holdersOf(intent).map(({ handOver }) => handOver);
  return (
    order.includes(one.handOver) && order.indexOf(one.handOver) < order.indexOf(other.handOver)
  );
}

/** The newest name of the resource that has this state; undefined if the journal does not know the state. */
export function holderOf(intent: Intent, seen: HandedOver): string | undefined {
  const holder = findHolder(holdersOf(intent), seen);
  return holder && withoutScope(holder.owner);
}

/** Whether another resource has taken the purchase over from this one, whose state was seen since to have it still. */
export function wasHolder(intent: Intent, owner: string): boolean {
  const former = holdersOf(intent).slice(0, -1);
  return former.some((holder) => holder.isSeen === true && holder.owner === owner);
}

/** Whether a resource has the purchase, or had it before another one took it over. */
export function isAmongHolders(intent: Intent, owner: string): boolean {
  return holdersOf(intent).some((holder) => holder.owner === owner);
}

/**
 * Another resource that was seen to have the purchase since it was given to the state that is deleted.
 * @param goesOn whether a holder was not deleted meanwhile, for all that this run knows
 */
export function heirOf(
  intent: Intent,
  owner: string,
  seen: HandedOver,
  goesOn: (holder: Holder) => boolean,
): Holder | undefined {
  if (intent.phase === "closed") return undefined;
  const others = holdersOf(intent).filter((holder) => holder.owner !== owner && goesOn(holder));
  return others.findLast(({ handOver, isSeen }) => isSeen === true && handOver !== seen.handOver);
}

/** Whether a state of a resource has it no more for all that the journal knows: the engine may delete a state twice. */
export function isForgotten(intent: Intent, owner: string, seen: HandedOver): boolean {
  const holders = holdersOf(intent);
  if (intent.phase === "closed" || findHolder(holders, seen)) return false;
  return holders.at(-1)?.owner !== owner;
}

/** Whether a run has seen the purchase in any state since it was given to another one. */
export function isSeenSince({ holders = [] }: Intent): boolean {
  return holders.some(({ isSeen }) => isSeen === true);
}

/** Gives a purchase to a state. Whether the states before have it still is not known until they are seen. */
export function giveTo(intent: Intent, to: StateOwner, handOver: string): IntentChange {
  const next = describeHolder(to, { handOver });
  return { owner: to.owner, holders: [...holdersOf(intent).map(toUnseen), next] };
}

/** What it means that a state is seen to have the purchase; empty if all of that is known. */
export function followTo(intent: Intent, by: StateOwner, seen: SeenState): IntentChange {
  const holders = holdersOf(intent);
  const found = findHolder(holders, seen);
  const newest = holders.at(-1);
  // A run without a scope may be of any stack.
  const scope = by.scope === "" ? found?.scope : by.scope;
  // It matters only to whoever else may have the order.
  const letGo = intent.holders === undefined ? [] : (seen.letGo ?? []);
  const now: Holder = {
    ...describeHolder({ ...by, scope }, seen),
    ...(!seen.isUnsaved && { isSeen: true }),
    ...(letGo.length > 0 && { letGo: [...letGo] }),
  };
  // A resource has one state.
  const others = holders
    .filter((holder) => holder !== found)
    .map((holder) => (holder.owner === by.owner ? toUnseen(holder) : holder));
  if (intent.phase === "closed") {
    return { phase: "confirmed", owner: by.owner, holders: [...others.map(toUnseen), now] };
  }
  const isKnown =
    found?.owner === now.owner &&
    (found !== newest || intent.owner === now.owner) &&
    found.scope === now.scope &&
    isDeepStrictEqual(found.letGo, now.letGo);
  if (found !== undefined && found === newest) {
    const isTold = isKnown && (found.isSeen === true || intent.holders === undefined);
    if (isTold) return {};
    return { owner: by.owner, ...(intent.holders && { holders: [...others, now] }) };
  }
  // The resource was put back to an earlier state.
  if (newest?.owner === by.owner) return { owner: by.owner, holders: [...others, now] };
  if (found === undefined) {
    // The buyer's state was put back, from before it was given away. Any other was given, and that could not be written down.
    const isBuyers = seen.handOver === undefined && others.length > 0;
    return isBuyers
      ? { holders: [now, ...others] }
      : { owner: by.owner, holders: [...others, now] };
  }
  if (isKnown && found.isSeen === true) return {};
  return { holders: holders.map((holder) => (holder === found ? now : holder)) };
}

/**
 * What it means that a state is deleted.
 * @param heir who goes on with the order; undefined if nobody does
 */
export function takeFrom(
  intent: Intent,
  by: Pick<StateOwner, "owner">,
  seen: HandedOver,
  heir: Heir | undefined,
): IntentChange {
  const holders = holdersOf(intent);
  const found = findHolder(holders, seen);
  const newest = holders.at(-1);
  const others = holders.filter((holder) => holder !== found);
  if (isForgotten(intent, by.owner, seen)) return {};
  // A copy of the state in another stack goes on. One that has got another scope since is the same.
  if (found !== undefined && found === newest && withoutScope(found.owner) !== by.owner) return {};
  if (heir === undefined) return { phase: "closed", closedBecause: "released" };
  if (heir === "itself" || heir === "gone") return {};
  // No state has it until that one is saved.
  if (heir === "unsaved") return { phase: "placed", holders: others };
  if (found !== undefined && found !== newest) return { holders: others };
  const rest = others.filter((holder) => holder.handOver !== heir.handOver);
  const letGo = findHolder(holders, heir)?.letGo;
  const next = { ...heir, ...(letGo && { letGo }) };
  return { phase: "confirmed", owner: heir.owner, holders: [...rest, next] };
}

/** The addresses of an order that all who may have it beside this state have let go, as far as the journal knows. */
export function letGoByOthers(
  intent: Intent,
  { handOver }: HandedOver,
  goesOn: (holder: Holder) => boolean,
): readonly string[] {
  const holders = holdersOf(intent);
  const others = holders
    .filter((holder) => holder.isSeen === true || holder === holders.at(-1))
    .filter((holder) => holder.handOver !== handOver && goesOn(holder));
  const [first = [], ...more] = others.map(({ letGo = [] }) => letGo);
  return first.filter((address) => more.every((letGo) => letGo.includes(address)));
}

function findHolder(holders: readonly Holder[], { handOver }: HandedOver): Holder | undefined {
  return holders.find((holder) => holder.handOver === handOver);
}

function describeHolder(
  { owner, scope }: { owner: string; scope?: string | undefined },
  { handOver }: HandedOver,
): Holder {
  return { owner, ...(handOver !== undefined && { handOver }), ...(scope && { scope }) };
}

function toUnseen({ isSeen: _since, ...holder }: Holder): Holder {
  return holder;
}
