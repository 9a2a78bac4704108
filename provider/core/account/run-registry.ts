import type { ProxyType } from "../../client/index.ts";
import type { HandedOver } from "../records/hand-over.ts";
import type { NamesOfType, PurchasedOrder } from "../records/intent.ts";
import type { HeldOrder, KnownOrder, RunFact } from "../records/run-fact.ts";
import { isOfSameState, isOrder, isSameOrder, OrdersByName } from "./orders-by-name.ts";

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
  rename(former: string, orders: readonly HeldOrder[]): Promise<void>;
  /**
   * Call this when a refresh finds that all of a state has ended. To buy it again is no replacement then.
   * @param numbers the numbers of its orders
   */
  end(owner: string, orders: readonly HeldOrder[], numbers: readonly string[]): Promise<void>;
  /**
   * Call this before a state is deleted that has these orders. If two that hold one order are deleted at once, at least one of
   * them knows that the other goes. Another state of the resource goes on.
   */
  leave(owner: string, orders: readonly HeldOrder[]): Promise<void>;
  /**
   * Whether this very state of a purchase is deleted in this run, or goes on by another name. Whatever the journal says, nobody of
   * this name goes on with the order.
   */
  hasLeft(owner: string, purchase: StateOfPurchase): boolean;
  /** Call this when a resource is to take an order over. The other processes of the run are told. */
  adopt(owner: string, order: KnownOrder): Promise<void>;
  /** Call this when an order was imported. The engine's state will know it if the run goes well. */
  noteImport(order: NumberedOrder): void;
  isImporting(order: NumberedOrder): boolean;
  /** Call this when an order is found in the listing under another name than its number. */
  identify(orderId: string, order: NumberedOrder & { requestId: string }): void;

  /** The requestId of an owner's living purchase, if the run has met one. */
  requestIdOf(owner: string): string | undefined;
  /** The orders of a resource, all of which have ended. */
  endedOrdersOf(owner: string): readonly string[];
  /** Whether a refresh has found in this run that the order of a purchase has ended, or is gone. */
  hasEnded(order: PurchasedOrder): boolean;
  /** Whether the run has seen the state of the resource whose newest purchase is this one: then it knows its orders. */
  hasSeenStateOf(owner: string, requestId: string): boolean;
  /** Whether the run has met any state of a resource, by this name or by a later one, also if it was deleted since. */
  hasMetStateOf(owner: string): boolean;
  /**
   * Whether a resource takes anew what a state of it has: in this run it takes the purchase over, or the order because the program
   * names it.
   */
  takesAnew(owner: string, purchase: PurchaseHeld): boolean;
  /** Other states of a resource that the run has met, and that have the purchase of this one. */
  otherStatesOf(owner: string, purchase: PurchaseHeld): readonly HandedOver[];
  /**
   * Whether the resource that a purchase was made for takes it over, or makes it in another process of this run, for all
   * that is known. What it has in the state, `isHeld` and `names` tell: the same request may have been made before.
   */
  answersFor(owner: string, requestId: string): boolean;
  /**
   * Whether the state holds the order of a purchase, by any of these names of it. What it has by another purchase under that name
   * is another order.
   */
  isHeld(order: PurchasedOrder): boolean;
  /** The number of every order of a type that the run has met, by each of its names. */
  names(proxyType: ProxyType): ReadonlyMap<string, string>;
  /** The same of all that the run has met: also of what was deleted since, and of what is to be taken over. */
  hasMet(order: PurchasedOrder): boolean;
  /** Another resource of the program that owns such an order, or is to own it. */
  rivalOf(owner: string, order: PurchasedOrder): string | undefined;
  /**
   * Another resource that owns an order by any of these names, or is to own it, whether the program declares it or
   * not. What that one has by another purchase is another order: its number may be the listed id of this one.
   */
  otherHolderOf(owner: string, order: PurchasedOrder): string | undefined;
  /** The same order, if the run has met it in a state of this resource. */
  heldOrderOf(owner: string, order: PurchasedOrder): HeldOrder | undefined;
  /** Another resource that owns such an order in the engine's state. It is told once for each owner. */
  newTwinOf(owner: string, order: NamesOfType): string | undefined;
  /**
   * Call this with what another process of the run has told.
   * @param toldAtMs when it did: see `RunMemory.nowMs`. What was told of a state before something else that is known of it is old
   */
  hear(fact: RunFact, toldAtMs: number): void;
}

/** A purchase as a state has it. */
interface PurchaseHeld extends KnownOrder, HandedOver {
  /** The same request may have been made again. Undefined for what the resource has not bought. */
  requestId?: string | undefined;
}

/** A state of a purchase, named by its hand-over; that of the buyer, which has none, by its request. */
type StateOfPurchase = Pick<HeldOrder, "requestId" | "handOver">;

/** What is known last of a state that has an order. */
interface StateNews {
  /** By `RunMemory.nowMs`. */
  atMs: number;
  /** Whether it is deleted, or goes on by another name. */
  isGone: boolean;
}

/** An order by its number. */
type NumberedOrder = Pick<KnownOrder, "proxyType"> & { orderNumber: string };

/** An order by one of its names, and by its type: the service may give orders of two types one number. */
type OrderKey = `${ProxyType} ${string}`;

/** What a resource holds, by the engine's state or by the program alone. */
interface Holding {
  orders: OrdersByName;
  isRecorded: boolean;
}

/** The same by all its states that were not deleted yet, as any process of the run has told it. */
interface HeldInRun {
  /** The newest purchase of the state that was met last. */
  requestId: string;
  orders: readonly HeldOrder[];
}

/**
 * Makes the registry of one run.
 * @param tell passes a fact on to the other processes of the run. A fact that they are not told can only make them
 * more careful.
 * @param nowMs see `RunMemory`
 */
export function createRunRegistry(
  tell: (fact: RunFact) => Promise<void>,
  nowMs: () => number,
): RunRegistry {
  const declared = new Set<string>();
  const requestIds = new Map<string, string>();
  /** What this process has met itself. */
  const holdings = new Map<string, Holding>();
  /** What any process of the run has told. */
  const heldInRun = new Map<string, HeldInRun>();
  /** All of `heldInRun`. It is gathered once, because every purchase of the journal asks for it. */
  let allHeld: OrdersByName | undefined;
  /** All that was ever held, or is to be taken over. */
  const met = new OrdersByName();
  /** The resources whose states were met. */
  const metOwners = new Set<string>();
  /** What resources take over; undefined while nobody knows what. */
  const takenOver = new Map<string, string | undefined>();
  /** The order that each resource is to take over because the program names it. */
  const adopted = new Map<string, KnownOrder>();
  /** The purchases that other processes of the run make. */
  const madeBeside = new Set<string>();
  const numbers = new Map<ProxyType, Map<string, string>>();
  const imported = new Set<OrderKey>();
  const twinsTold = new Set<string>();
  const endedOrders = new Map<string, readonly string[]>();
  /** All of these. */
  const ended = new OrdersByName();
  /** By the states. */
  const newest = new Map<string, StateNews>();

  function numbersOf(proxyType: ProxyType): Map<string, string> {
    const known = numbers.get(proxyType) ?? new Map<string, string>();
    numbers.set(proxyType, known);
    return known;
  }

  function noteNumber({ proxyType, names }: KnownOrder): void {
    for (const name of names) numbersOf(proxyType).set(name, names[0]);
  }

  function holdHere(owner: string, orders: readonly HeldOrder[], isRecorded: boolean): void {
    const former = holdings.get(owner);
    met.add(...orders);
    holdings.set(owner, {
      orders: (former?.orders ?? new OrdersByName()).add(...orders),
      isRecorded: isRecorded || former?.isRecorded === true,
    });
  }

  /** Gives which of these orders nothing newer is known of. */
  function learn(owner: string, orders: readonly HeldOrder[], news: StateNews): HeldOrder[] {
    return orders.filter((order) => {
      const key = keyOfState(owner, order);
      const known = newest.get(key);
      if (known !== undefined && known.atMs > news.atMs) return false;
      newest.set(key, news);
      return true;
    });
  }

  function remember(
    owner: string,
    requestId: string,
    told: readonly HeldOrder[],
    atMs: number,
  ): void {
    const orders = learn(owner, told, { atMs, isGone: false });
    if (orders.length === 0) return;
    const former = heldInRun.get(owner)?.orders ?? [];
    heldInRun.set(owner, { requestId, orders: [...without(former, orders), ...orders] });
    allHeld = undefined;
    met.add(...orders);
    metOwners.add(owner);
    orders.forEach(noteNumber);
  }

  function takeAdoption(owner: string, order: KnownOrder): void {
    holdHere(owner, [order], false);
    adopted.set(owner, order);
    noteNumber(order);
  }

  function* othersHolding(owner: string, order: PurchasedOrder): Generator<[string, Holding]> {
    for (const [other, holding] of holdings) {
      if (other !== owner && holding.orders.has(order)) yield [other, holding];
    }
  }

  /** Forgets a state of a resource, as far as nothing newer is known of it. Others of the resource may go on. */
  function forget(owner: string, told: readonly HeldOrder[], atMs: number): void {
    const orders = learn(owner, told, { atMs, isGone: true });
    dropHere(owner, orders);
    const held = heldInRun.get(owner);
    if (held === undefined) return;
    const others = without(held.orders, orders);
    if (others.length === 0) heldInRun.delete(owner);
    else heldInRun.set(owner, { ...held, orders: others });
    allHeld = undefined;
  }

  function noteEnd(owner: string, orders: readonly HeldOrder[], numbers: readonly string[]): void {
    endedOrders.set(owner, numbers);
    ended.add(...orders);
  }

  function requestIdOf(owner: string): string | undefined {
    return requestIds.get(owner) ?? heldInRun.get(owner)?.requestId;
  }

  /** Forgets what a state has. Another one of the resource may go on, or be about to be saved. */
  function dropHere(owner: string, orders: readonly HeldOrder[]): void {
    const holding = holdings.get(owner);
    if (holding === undefined) return;
    const others = holding.orders.without(orders);
    if (others.size === 0) holdings.delete(owner);
    else holdings.set(owner, { ...holding, orders: others });
  }

  async function leave(
    owner: string,
    orders: readonly HeldOrder[],
    numbers?: readonly string[],
  ): Promise<void> {
    forget(owner, orders, nowMs());
    await tell({ kind: "ended", owner, orders, numbers }).catch(() => undefined);
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
      const known = heldInRun.get(owner);
      const isNew = known?.requestId !== requestId || !isSameOrders(known.orders, orders);
      requestIds.set(owner, requestId);
      holdHere(owner, orders, true);
      remember(owner, requestId, orders, nowMs());
      if (isNew) await tell({ kind: "holds", owner, requestId, orders }).catch(() => undefined);
    },

    async rename(former, orders) {
      metOwners.add(former);
      dropHere(former, orders);
      const known = heldInRun.get(former)?.orders ?? [];
      if (without(known, orders).length === known.length) return;
      requestIds.delete(former);
      await leave(former, orders);
    },

    async end(owner, orders, numbers) {
      requestIds.delete(owner);
      noteEnd(owner, orders, numbers);
      await leave(owner, orders, numbers);
    },

    leave: (owner, orders) => leave(owner, orders),

    hasLeft: (owner, purchase) => newest.get(keyOfState(owner, purchase))?.isGone === true,

    async adopt(owner, order) {
      takeAdoption(owner, order);
      await tell({ kind: "adopts", owner, order }).catch(() => undefined);
    },

    noteImport: (order) => void imported.add(keyOf(order)),

    isImporting: (order) => imported.has(keyOf(order)),

    identify(orderId, { proxyType, orderNumber, requestId }) {
      met.add({ proxyType, names: [orderId], requestId });
      numbersOf(proxyType).set(orderId, orderNumber);
    },

    requestIdOf,

    endedOrdersOf: (owner) => endedOrders.get(owner) ?? [],

    hasEnded: (order) => ended.has(order),

    hasSeenStateOf: (owner, requestId) => heldInRun.get(owner)?.requestId === requestId,

    hasMetStateOf: (owner) => metOwners.has(owner),

    takesAnew(owner, { requestId, ...purchase }) {
      if (requestId !== undefined && takenOver.get(owner) === requestId) return true;
      const named = adopted.get(owner);
      return named !== undefined && isSameOrder(named, purchase);
    },

    otherStatesOf(owner, { requestId, handOver, proxyType, names }) {
      const numbered = { proxyType, names: [names[0]] };
      const held = heldInRun.get(owner)?.orders ?? [];
      return held.filter(
        (order) =>
          order.requestId === requestId &&
          isSameOrder(order, numbered) &&
          order.handOver !== handOver,
      );
    },

    answersFor(owner, requestId) {
      if (madeBeside.has(requestId)) return true;
      return takenOver.has(owner) && (takenOver.get(owner) ?? requestId) === requestId;
    },

    isHeld(order) {
      allHeld ??= new OrdersByName().add(
        ...[...heldInRun.values()].flatMap(({ orders }) => orders),
      );
      return allHeld.has(order);
    },

    names: numbersOf,

    hasMet: (order) => met.has(order),

    rivalOf(owner, order) {
      // A resource that was renamed is in the state under its old name, but no more in the program.
      const others = [...othersHolding(owner, order)];
      return others.find(([other]) => declared.has(other))?.[0];
    },

    otherHolderOf(owner, order) {
      const [here] = othersHolding(owner, order);
      if (here !== undefined) return here[0];
      const others = [...heldInRun].filter(([other]) => other !== owner);
      return others.find(([, { orders }]) => orders.some((held) => isOrder(held, order)))?.[0];
    },

    heldOrderOf(owner, order) {
      return heldInRun.get(owner)?.orders.find((held) => isOrder(held, order));
    },

    newTwinOf(owner, order) {
      const [twin] =
        [...othersHolding(owner, byNames(order))].find(([, { isRecorded }]) => isRecorded) ?? [];
      if (twin === undefined || twinsTold.has(owner)) return undefined;
      twinsTold.add(owner);
      return twin;
    },

    hear(fact, toldAtMs) {
      // These are told before anything is bought for the owner. Whoever hears them in time does not take its order
      // over.
      if (fact.kind === "plans" || fact.kind === "spends" || fact.kind === "adopts") {
        declared.add(fact.owner);
      }
      if (fact.kind === "adopts") takeAdoption(fact.owner, fact.order);
      if (fact.kind === "ended") {
        const { owner, orders, numbers } = fact;
        forget(owner, orders, toldAtMs);
        if (numbers) noteEnd(owner, orders, numbers);
      }
      if (fact.kind === "holds") remember(fact.owner, fact.requestId, fact.orders, toldAtMs);
      if (fact.kind === "takesOver") takenOver.set(fact.owner, fact.requestId);
      if (fact.kind === "spends") madeBeside.add(fact.requestId);
    },
  };
}

function isSameOrders(known: readonly HeldOrder[], told: readonly HeldOrder[]): boolean {
  const identify = ({ proxyType, names, handOver = "" }: HeldOrder) =>
    [handOver, proxyType, ...names].join(" ");
  const all = new Set(known.map(identify));
  return told.every((order) => all.has(identify(order)));
}

function keyOf({ proxyType, orderNumber }: NumberedOrder): OrderKey {
  return `${proxyType} ${orderNumber}`;
}

/** An order that the resource has not bought has no purchase. Its number tells it. */
function keyOfState(
  owner: string,
  { requestId, handOver, names }: StateOfPurchase & Partial<Pick<HeldOrder, "names">>,
): string {
  return `${owner} ${handOver ?? requestId ?? names?.[0]}`;
}

/** All but these orders of these states. */
function without(all: readonly HeldOrder[], orders: readonly HeldOrder[]): HeldOrder[] {
  return all.filter((one) => !orders.some((order) => isOfSameState(one, order)));
}

/** An order by its names alone. */
function byNames(order: NamesOfType): PurchasedOrder {
  return { ...order, requestId: undefined };
}
