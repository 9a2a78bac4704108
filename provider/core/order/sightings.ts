import type { Quote } from "../quote.ts";

/**
 * Which paid orders this process has met. The engine checks a resource that it will replace without old
 * inputs, as if it were new; what was seen before tells that a paid order stands behind it.
 */
export interface Sightings {
  /** To be called with every requestId that comes out of the engine's state. */
  saw(owner: string, requestId: string): void;
  /** To be called when a read finds that an order has ended: buying again is no replacement then. */
  forget(owner: string): void;
  /** The requestId of the living order, if one was met. */
  requestIdOf(owner: string): string | undefined;
  /** The quotes of replacements by requestId: both checks of one replacement must say the same. */
  replacements: Map<string, Quote>;
}

/** Makes the memory of one process. */
export function createSightings(): Sightings {
  const requestIds = new Map<string, string>();
  return {
    saw: (owner, requestId) => void requestIds.set(owner, requestId),
    forget: (owner) => void requestIds.delete(owner),
    requestIdOf: (owner) => requestIds.get(owner),
    replacements: new Map(),
  };
}
