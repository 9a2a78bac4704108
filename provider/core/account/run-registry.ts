import type { HandedOver } from "../records/hand-over.ts";
import type { HeldOrder, OrderNames, RunFact } from "../records/run-fact.ts";

/**
 * What this run has met: the resources that the program declares, and the orders that the engine's state holds for
 * them. All provider processes of the run tell each other of the orders.
 *
 * The engine checks a resource that it will replace without old inputs, as if it were new. This registry then knows
 * that a paid order stands behind it.
 */
export interface RunRegistry {
  /** Call this with every resource that the program declares. */
  declare(owner: string): void;
  /**
   * Whether the program declares it: to this process, or to another process of the run that plans a purchase or an
   * adoption for it. A refresh looks at resources before the program has declared any.
   */
  isDeclared(owner: string): boolean;
  /** Call this with the old inputs of a resource. They name its living purchase, but not its orders. */
  notePurchase(owner: string, requestId: string): void;
  /**
   * To be called when a resource is to take over what an earlier run has bought for it: this purchase, or any while its
   * arguments are not known. The other processes of the run are told.
   */
  noteRecovery(owner: string, requestId: string | undefined): Promise<void>;
  /** To be called with every resource that comes out of the engine's state, or that will be saved in it. */
  hold(owner: string, requestId: string, orders: readonly HeldOrder[]): Promise<void>;
  /** Call this when the resource that the run has met by this name, with these orders, is called otherwise. */
  rename(former: string, orders: readonly string[]): Promise<void>;
  /**
   * Call this when a refresh finds that all of it has ended. To buy it again is no replacement then.
   * @param orders the numbers of its orders.
   */
  end(owner: string, orders: readonly string[]): Promise<void>;
  /**
   * Call this before a deleted resource lets its orders go. If two that hold one order are deleted at once, at least
   * one of them knows that the other goes.
   */
  leave(owner: string): Promise<void>;
  /** Call this when a resource is to take an order over. The other processes of the run are told. */
  adopt(owner: string, order: OrderNames): Promise<void>;
  /** Call this when an order was imported. The engine's state will know it if the run goes well. */
  noteImport(orderNumber: string): void;
  isImporting(orderNumber: string): boolean;
  /** Call this when an order is found in the listing under another name than its number. */
  identify(orderId: string, orderNumber: string): void;

  /** The requestId of an owner's living purchase, if the run has met one. */
  requestIdOf(owner: string): string | undefined;
  /** The orders of a resource, all of which have ended. */
  endedOrdersOf(owner: string): readonly string[];
  /** Whether the run has seen the state of the resource whose newest purchase is this one: then it knows its orders. */
  hasSeenStateOf(owner: string, requestId: string): boolean;
  /**
   * Whether a resource takes anew what a state of it has: in this run it takes the purchase over, or the order because the program
   * names it; or the run has met another state of it that has it. A replacement that was cut off leaves the former state to be
   * deleted by a later run.
   */
  takesAnew(owner: string, purchase: PurchaseHeld): boolean;
  /**
   * Whether the resource that a purchase was made for takes it over, or makes it in another process of this run, for all
   * that is known. What it has in the state, `isHeld` and `names` tell: the same request may have been made before.
   */
  answersFor(owner: string, requestId: string): boolean;
  /**
   * Whether the state holds the order of a purchase, by this number or id of it. What it has by another purchase under that name
   * is another order.
   */
  isHeld(name: string, requestId: string): boolean;
  /** The number of every order that the run has met, by each of its names. */
  names(): ReadonlyMap<string, string>;
  /** Another resource of the program that owns this order, or is to own it. */
  rivalOf(owner: string, orderId: string): string | undefined;
  /**
   * Another resource that owns an order by any of these names, or is to own it, whether the program declares it or
   * not.
   */
  otherHolderOf(owner: string, names: readonly string[]): string | undefined;
  /** An order by one of its names, if the run has met it in a state of this resource. */
  heldOrderOf(owner: string, name: string): HeldOrder | undefined;
  /** Another resource that owns such an order in the engine's state. It is told once for each owner. */
  newTwinOf(owner: string, names: readonly string[]): string | undefined;
  /** Call this with what another process of the run has told. */
  hear(fact: RunFact): void;
}

/** A purchase as a state has it. */
interface PurchaseHeld extends HandedOver {
  /** The same request may have been made again. */
  requestId: string;
  names: OrderNames;
}

/** What a resource holds, by the engine's state or by the program alone. */
interface Holding {
  names: ReadonlySet<string>;
  isRecorded: boolean;
}

/** The same, as any process of the run has told it. */
interface HeldInRun {
  requestId: string;
  names: ReadonlySet<string>;
  orders: readonly HeldOrder[];
}

/**
 * Makes the registry of one run.
 * @param tell passes a fact on to the other processes of the run. A fact that they are not told can only make them
 * more careful.
 */
export function createRunRegistry(tell: (fact: RunFact) => Promise<void>): RunRegistry {
  const declared = new Set<string>();
  const requestIds = new Map<string, string>();
  /** What this process has met itself. */
  const holdings = new Map<string, Holding>();
  /** What any process of the run has told. */
  const heldInRun = new Map<string, HeldInRun>();
  /** All of `heldInRun` by name. It is gathered once, because every purchase of the journal asks for it. */
  let allHeld: ReadonlyMap<string, readonly HeldOrder[]> | undefined;
  /** What resources take over; undefined while nobody knows what. */
  const takenOver = new Map<string, string | undefined>();
  /** The order that each resource is to take over because the program names it. */
  const adopted = new Map<string, OrderNames>();
  /** The purchases that other processes of the run make. */
  const madeBeside = new Set<string>();
  const numbers = new Map<string, string>();
  const imported = new Set<string>();
  const twinsTold = new Set<string>();
  const endedOrders = new Map<string, readonly string[]>();

  function holdHere(owner: string, names: readonly string[], isRecorded: boolean): void {
    const former = holdings.get(owner);
    holdings.set(owner, {
      names: new Set([...(former?.names ?? []), ...names]),
      isRecorded: isRecorded || former?.isRecorded === true,
    });
  }

  function remember(owner: string, requestId: string, orders: readonly HeldOrder[]): void {
    heldInRun.set(owner, { requestId, names: namesOfAll(orders), orders });
    allHeld = undefined;
    for (const { names } of orders) for (const name of names) numbers.set(name, names[0]);
  }

  function gatherHeld(): ReadonlyMap<string, readonly HeldOrder[]> {
    const byName = new Map<string, HeldOrder[]>();
    for (const { orders } of heldInRun.values()) {
      for (const order of orders) {
        for (const name of order.names) byName.set(name, [...(byName.get(name) ?? []), order]);
      }
    }
    return byName;
  }

  function takeAdoption(owner: string, order: OrderNames): void {
    holdHere(owner, order, false);
    adopted.set(owner, order);
    for (const name of order) numbers.set(name, order[0]);
  }

  function* othersHolding(owner: string, names: readonly string[]): Generator<[string, Holding]> {
    for (const [other, holding] of holdings) {
      if (other !== owner && names.some((name) => holding.names.has(name))) yield [other, holding];
    }
  }

  /** Whether there was anything to forget. */
  function forget(owner: string): boolean {
    allHeld = undefined;
    return heldInRun.delete(owner);
  }

  function requestIdOf(owner: string): string | undefined {
    return requestIds.get(owner) ?? heldInRun.get(owner)?.requestId;
  }

  async function leave(owner: string, orders?: readonly string[]): Promise<void> {
    holdings.delete(owner);
    if (forget(owner)) await tell({ kind: "ended", owner, orders }).catch(() => undefined);
  }

  return {
    declare: (owner) => void declared.add(owner),

    isDeclared: (owner) => declared.has(owner),

    notePurchase: (owner, requestId) => void requestIds.set(owner, requestId),

    async noteRecovery(owner, requestId) {
      takenOver.set(owner, requestId);
      await tell({ kind: "takesOver", owner, requestId }).catch(() => undefined);
    },

    async hold(owner, requestId, orders) {
      const names = namesOfAll(orders);
      const known = heldInRun.get(owner);
      const isNew = known?.requestId !== requestId || !isSameOrders(known.orders, orders);
      requestIds.set(owner, requestId);
      holdHere(owner, [...names], true);
      remember(owner, requestId, orders);
      if (isNew) await tell({ kind: "holds", owner, requestId, orders }).catch(() => undefined);
    },

    async rename(former, orders) {
      if (!orders.some((name) => holdings.get(former)?.names.has(name))) return;
      requestIds.delete(former);
      await leave(former);
    },

    async end(owner, orders) {
      requestIds.delete(owner);
      endedOrders.set(owner, orders);
      await leave(owner, orders);
    },

    leave: (owner) => leave(owner),

    async adopt(owner, order) {
      takeAdoption(owner, order);
      await tell({ kind: "adopts", owner, order }).catch(() => undefined);
    },

    noteImport: (orderNumber) => void imported.add(orderNumber),

    isImporting: (orderNumber) => imported.has(orderNumber),

    identify: (orderId, orderNumber) => void numbers.set(orderId, orderNumber),

    requestIdOf,

    endedOrdersOf: (owner) => endedOrders.get(owner) ?? [],

    hasSeenStateOf: (owner, requestId) => heldInRun.get(owner)?.requestId === requestId,

    takesAnew(owner, { requestId, names, handOver }) {
      if (takenOver.get(owner) === requestId) return true;
      if (adopted.get(owner)?.some((name) => names.includes(name))) return true;
      const held = heldInRun.get(owner)?.orders ?? [];
      return held.some(
        (order) =>
          order.requestId === requestId &&
          order.names.includes(names[0]) &&
          order.handOver !== handOver,
      );
    },

    answersFor(owner, requestId) {
      if (madeBeside.has(requestId)) return true;
      return takenOver.has(owner) && (takenOver.get(owner) ?? requestId) === requestId;
    },

    isHeld(name, purchase) {
      allHeld ??= gatherHeld();
      const held = allHeld.get(name) ?? [];
      return held.some(({ requestId = purchase }) => requestId === purchase);
    },

    names: () => numbers,

    rivalOf(owner, orderId) {
      // A resource that was renamed is in the state under its old name, but no more in the program.
      return [...othersHolding(owner, [orderId])].find(([other]) => declared.has(other))?.[0];
    },

    otherHolderOf(owner, names) {
      const [here] = othersHolding(owner, names);
      if (here !== undefined) return here[0];
      const others = [...heldInRun].filter(([other]) => other !== owner);
      return others.find(([, held]) => names.some((name) => held.names.has(name)))?.[0];
    },

    heldOrderOf(owner, name) {
      return heldInRun.get(owner)?.orders.find(({ names }) => names.includes(name));
    },

    newTwinOf(owner, names) {
      const [twin] =
        [...othersHolding(owner, names)].find(([, { isRecorded }]) => isRecorded) ?? [];
      if (twin === undefined || twinsTold.has(owner)) return undefined;
      twinsTold.add(owner);
      return twin;
    },

    hear(fact) {
      // These are told before anything is bought for the owner. Whoever hears them in time does not take its order
      // over.
      if (fact.kind === "plans" || fact.kind === "spends" || fact.kind === "adopts") {
        declared.add(fact.owner);
      }
      if (fact.kind === "adopts") takeAdoption(fact.owner, fact.order);
      if (fact.kind === "ended") {
        forget(fact.owner);
        if (fact.orders) endedOrders.set(fact.owner, fact.orders);
      }
      if (fact.kind === "holds") remember(fact.owner, fact.requestId, fact.orders);
      if (fact.kind === "takesOver") takenOver.set(fact.owner, fact.requestId);
      if (fact.kind === "spends") madeBeside.add(fact.requestId);
    },
  };
}

function isSameOrders(known: readonly HeldOrder[], told: readonly HeldOrder[]): boolean {
  const identify = ({ names, handOver = "" }: HeldOrder) => [handOver, ...names].join(" ");
  const all = new Set(known.map(identify));
  return told.every((order) => all.has(identify(order)));
}

function namesOfAll(orders: readonly HeldOrder[]): Set<string> {
  return new Set(orders.flatMap(({ names }) => names));
}
