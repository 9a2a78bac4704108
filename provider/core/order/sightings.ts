import type { HeldOrders } from "../held-orders.ts";
import type { OrderQuote } from "../quote.ts";

/**
 * Which paid orders this process has met. The engine checks a resource that it will replace without old
 * inputs, as if it were new; what was seen before tells that a paid order stands behind it.
 */
export interface Sightings {
  /** To be called with every order that comes out of the engine's state. */
  saw(owner: string, requestId: string, orderIds?: readonly string[]): void;
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
  /** Another resource of the program that owns this order, or is to. */
  rivalOf(owner: string, orderId: string): string | undefined;
  /** The quotes of replacements by requestId: both checks of one replacement must say the same. */
  replacements: Map<string, OrderQuote>;
}

/**
 * Makes the memory of one process.
 * @param held what the other provider processes of the run have met besides.
 */
export function createSightings(held: Pick<HeldOrders, "requestIdOf">): Sightings {
  const requestIds = new Map<string, string>();
  const declared = new Set<string>();
  const owners = new Map<string, string>();
  return {
    saw(owner, requestId, orderIds = []) {
      requestIds.set(owner, requestId);
      for (const orderId of orderIds) owners.set(orderId, owner);
    },
    forget: (owner) => void requestIds.delete(owner),
    requestIdOf: (owner) => requestIds.get(owner) ?? held.requestIdOf(owner),
    declares: (owner) => void declared.add(owner),
    isDeclared: (owner) => declared.has(owner),
    adopts: (owner, orderId) => void owners.set(orderId, owner),
    rivalOf(owner, orderId) {
      const other = owners.get(orderId);
      // A resource that was renamed is in the state under its old name, and in the program no more.
      return other !== undefined && other !== owner && declared.has(other) ? other : undefined;
    },
    replacements: new Map(),
  };
}
