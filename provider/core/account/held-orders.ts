import type { RunFact } from "../records/run-fact.ts";

/** Every number and listed id of one order, its number first. */
export type OrderNames = readonly [orderNumber: string, ...orderIds: string[]];

/**
 * Which orders the engine's state holds, as far as this run has seen: by this process, and by the other provider
 * processes of the run. What a refresh has found to have ended is not held any more.
 */
export interface HeldOrders {
  /** To be called with every order that comes out of the engine's state. */
  hold(owner: string, requestId: string, orders: readonly OrderNames[]): Promise<void>;
  /**
   * To be called when a refresh finds that all of it has ended: buying again is no replacement then. And before what is
   * deleted is let go: of two that hold one order and are deleted at once, one at the least knows that the other goes.
   */
  end(owner: string): Promise<void>;
  /** Whether the state holds an order of this number or id. */
  has(name: string): boolean;
  /** Another owner of an order by any of these names, whichever process of the run has met it. */
  otherHolderOf(owner: string, names: readonly string[]): string | undefined;
  /** The requestId of the living order of an owner, if one was met. */
  requestIdOf(owner: string): string | undefined;
  /** To be called with what another process of the run has told. */
  hear(fact: RunFact): void;
}

/**
 * Makes the memory of one run.
 * @param tell passes a fact on to the other processes of the run.
 * @param know is called with each order that any process of the run has met.
 */
export function createHeldOrders(
  tell: (fact: RunFact) => Promise<void>,
  know: (order: OrderNames) => void,
): HeldOrders {
  const byOwner = new Map<string, { requestId: string; names: ReadonlySet<string> }>();
  let allNames: ReadonlySet<string> | undefined;

  function remember(owner: string, requestId: string, orders: readonly OrderNames[]): void {
    byOwner.set(owner, { requestId, names: new Set(orders.flat()) });
    allNames = undefined;
    orders.forEach(know);
  }

  function forget(owner: string): boolean {
    allNames = undefined;
    return byOwner.delete(owner);
  }

  return {
    async hold(owner, requestId, orders) {
      const known = byOwner.get(owner);
      const isNew =
        known?.requestId !== requestId || orders.flat().some((n) => !known.names.has(n));
      remember(owner, requestId, orders);
      // What can't be told makes the other processes more careful, and no less.
      if (isNew) {
        const fact = { kind: "holds", owner, requestId, orders: orders.map((one) => [...one]) };
        await tell(fact as RunFact).catch(() => undefined);
      }
    },

    async end(owner) {
      if (forget(owner)) await tell({ kind: "ended", owner }).catch(() => undefined);
    },

    has(name) {
      allNames ??= new Set([...byOwner.values()].flatMap(({ names }) => [...names]));
      return allNames.has(name);
    },

    otherHolderOf(owner, names) {
      const others = [...byOwner].filter(([other]) => other !== owner);
      return others.find(([, held]) => names.some((name) => held.names.has(name)))?.[0];
    },

    requestIdOf: (owner) => byOwner.get(owner)?.requestId,

    hear(fact) {
      if (fact.kind === "ended") forget(fact.owner);
      if (fact.kind !== "holds") return;
      const orders = fact.orders.flatMap(([number, ...ids]): OrderNames[] =>
        number === undefined ? [] : [[number, ...ids]],
      );
      remember(fact.owner, fact.requestId, orders);
    },
  };
}
