import type { OrderQuote } from "../spending/quote.ts";
import type { HeldOrders } from "./held-orders.ts";

/**
 * Which paid orders this process has met. The engine checks a resource that it will replace without old
 * inputs, as if it were new; what was seen before tells that a paid order stands behind it.
 */
export interface Sightings {
  /** To be called with every order that comes out of the engine's state, with all names of its orders. */
  saw(owner: string, requestId: string, names?: readonly string[]): void;
  /** To be called when a read finds that an order has ended: buying again is no replacement then. */
  forget(owner: string): void;
  /** The requestId of the living order, if one was met. */
  requestIdOf(owner: string): string | undefined;
  /** To be called with every resource that the program declares. */
  declares(owner: string): void;
  /** Whether that was said of it; a refresh looks at resources before the program has said anything. */
  isDeclared(owner: string): boolean;
  /** To be called when a resource is to take an order over. */
  adopts(owner: string, orderId: string): void;
  /** To be called when a resource is deleted, before its orders are let go. */
  leaves(owner: string, names: readonly string[]): void;
  /** Another resource of the program that owns this order, or is to. */
  rivalOf(owner: string, orderId: string): string | undefined;
  /** Another resource that owns this order by any of these names, or is to, whether the program declares it or not. */
  otherHolderOf(owner: string, names: readonly string[]): string | undefined;
  /** Another resource that owns this order in the engine's state, where that was not asked about this one before. */
  newTwinOf(owner: string, names: readonly string[]): string | undefined;
  /** The quotes of replacements by requestId: both checks of one replacement must say the same. */
  replacements: Map<string, OrderQuote>;
}

/** How a resource was found to hold an order: by the engine's state, or by the program alone. */
type Holding = "recorded" | "planned";

/**
 * Makes the memory of one process.
 * @param held what the other provider processes of the run have met besides.
 */
export function createSightings(held: Pick<HeldOrders, "requestIdOf">): Sightings {
  const requestIds = new Map<string, string>();
  const declared = new Set<string>();
  const holders = new Map<string, Map<string, Holding>>();
  const twinsTold = new Set<string>();

  function hold(name: string, owner: string, holding: Holding): void {
    const known = holders.get(name) ?? new Map<string, Holding>();
    if (known.get(owner) !== "recorded") known.set(owner, holding);
    holders.set(name, known);
  }

  const othersHolding = (owner: string, names: readonly string[]) =>
    names.flatMap((name) => [...(holders.get(name) ?? [])]).filter(([other]) => other !== owner);

  return {
    saw(owner, requestId, names = []) {
      requestIds.set(owner, requestId);
      for (const name of names) hold(name, owner, "recorded");
    },
    forget(owner) {
      requestIds.delete(owner);
      for (const known of holders.values()) known.delete(owner);
    },
    requestIdOf: (owner) => requestIds.get(owner) ?? held.requestIdOf(owner),
    declares: (owner) => void declared.add(owner),
    isDeclared: (owner) => declared.has(owner),
    adopts: (owner, orderId) => hold(orderId, owner, "planned"),
    leaves(owner, names) {
      for (const name of names) holders.get(name)?.delete(owner);
    },
    rivalOf(owner, orderId) {
      // A resource that was renamed is in the state under its old name, and in the program no more.
      const others = othersHolding(owner, [orderId]);
      return others.find(([other]) => declared.has(other))?.[0];
    },
    otherHolderOf: (owner, names) => othersHolding(owner, names)[0]?.[0],
    newTwinOf(owner, names) {
      const others = othersHolding(owner, names);
      const [twin] = others.find(([, holding]) => holding === "recorded") ?? [];
      if (twin === undefined || twinsTold.has(owner)) return undefined;
      twinsTold.add(owner);
      return twin;
    },
    replacements: new Map(),
  };
}
