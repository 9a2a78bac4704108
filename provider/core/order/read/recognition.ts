import type { Account } from "../../account.ts";
import type { HeldOrder } from "../../records/run-fact.ts";
import { nameOf } from "../../values/owner.ts";
import { listedNamesOf, namesOfReceipt, numbersOf, ordersIn } from "../model/names.ts";
import type { Receipt } from "../model/receipt.ts";
import type { OrderState } from "../model/state.ts";

/** What a run and its journal learn from the states that the engine shows. */
export interface Recognition {
  /** Holds a state's orders for its resource: in this run they are nobody else's. */
  hold(state: OrderState): Promise<void>;
  /**
   * To be called before a state is deleted.
   * @param taken the names of what the resource takes anew
   */
  leave(state: OrderState, taken: ReadonlySet<string>): Promise<void>;
  /** To be called when a refresh finds that all of a state has ended. */
  end(state: OrderState): Promise<void>;
  /**
   * To be called with every state that the engine gives. What a state knows is nobody else's, and needs no recovery.
   * @returns the names of what the resource takes anew: the engine replaces it by its own means, and the new one has found its
   * order paid. That goes on as it is. The same if an earlier run has done that, and the new state was met before this one.
   */
  recognise(state: OrderState): Promise<ReadonlySet<string>>;
  /**
   * A state under its resource's own name. The engine writes down the inputs of a renamed resource and not its outputs,
   * so the state may name it as it was called before, which may be another one's name by now.
   * @param name what it is called from now on; undefined where the engine does not say. Then the journal tells.
   * @param engineOwner what the engine calls its state, which may be a former name
   */
  nameState(state: OrderState, name?: string, engineOwner?: string): Promise<OrderState>;
  /**
   * Lets the journal follow a resource to its new name and scope: by those it is looked for when the state has lost it. A
   * preview has renamed nothing yet; one that did not know that it is one has, so that a name is set right also where it
   * was taken back.
   */
  follow(state: OrderState): Promise<void>;
}

/** Makes the recognition of an account's orders. */
export function createRecognition(account: Account): Recognition {
  const { registry, journal } = account;

  function hold(state: OrderState): Promise<void> {
    return registry.hold(state.owner, state.requestId, heldIn(state));
  }

  /** What the resource has not bought, and takes anew, has no name of its own in each of the two states. */
  async function leave(state: OrderState, taken: ReadonlySet<string>): Promise<void> {
    const isGoing = ({ requestId, names }: HeldOrder) =>
      requestId !== undefined || !names.some((name) => taken.has(name));
    await registry.leave(state.owner, heldIn(state).filter(isGoing));
  }

  async function end(state: OrderState): Promise<void> {
    await registry.end(state.owner, heldIn(state), numbersOf(state));
    // A preview saves no state.
    if (account.run.phase() !== "preview") await journal.expire(state);
  }

  /**
   * Whether the resource has what a state of it has by a newer state, too. A replacement that was cut off leaves the former state
   * to be deleted by a later run, and a destroy deletes both.
   */
  async function isTakenAnew(state: OrderState, purchase: Receipt): Promise<boolean> {
    const held = asHeld(state, purchase);
    if (registry.takesAnew(state.owner, held)) return true;
    const others = registry.otherStatesOf(state.owner, held);
    return others.length > 0 && !(await journal.isNewestState(state, purchase, others));
  }

  async function recognise(state: OrderState): Promise<ReadonlySet<string>> {
    const { owner, proxyType, orderNumber, orderIds, purchases } = state;
    const anew: Receipt[] = [];
    for (const purchase of purchases) if (await isTakenAnew(state, purchase)) anew.push(purchase);
    const adopted = adoptedIn(state).filter((order) => registry.takesAnew(owner, order));
    const taken = new Set([
      ...anew.flatMap(listedNamesOf),
      ...adopted.flatMap(({ names }) => names),
    ]);
    await hold(state);
    const twin = registry.newTwinOf(owner, ordersIn(state));
    if (twin !== undefined) account.log.warn(explainTwins(state, twin));
    await account.recordedEnds.saw(proxyType, [...state.proxies, ...state.released]);
    // It is the resource's only if the import succeeds.
    if (registry.isImporting(state)) return taken;
    const awaited = state.status === "pendingDelivery" ? purchases.at(-1) : undefined;
    for (const purchase of purchases) {
      // Until the engine has the new one, this one stays to be taken over.
      if (anew.includes(purchase)) continue;
      await journal.confirmPurchase(state, purchase, purchase !== awaited);
    }
    const isBought = purchases.some((purchase) => purchase.orderNumber === orderNumber);
    if (!isBought) await journal.confirmTakenOver({ owner, proxyType, orderNumber, orderIds });
    return taken;
  }

  async function nameState(
    state: OrderState,
    name?: string,
    engineOwner?: string,
  ): Promise<OrderState> {
    const owner = name ?? (await journal.ownerOf(state, engineOwner)) ?? engineOwner;
    if (owner === undefined || owner === state.owner) return state;
    await registry.rename(state.owner, heldIn(state));
    return { ...state, owner };
  }

  async function follow(state: OrderState): Promise<void> {
    if (account.run.phase() === "preview") return;
    await journal.follow({ ...state, isImporting: registry.isImporting(state) });
  }

  return { hold, leave, end, recognise, nameState, follow };
}

/** What a state has. */
function heldIn(state: OrderState): HeldOrder[] {
  const bought = state.purchases.map((purchase) => asHeld(state, purchase));
  // What it has taken over comes first. The purchases say most exactly which order has which listed id.
  return [...adoptedIn(state), ...bought];
}

/** What a state has and no resource has bought, as far as it knows. */
function adoptedIn({ proxyType, orderNumber, orderIds, purchases }: OrderState): HeldOrder[] {
  const names = new Set(purchases.flatMap(namesOfReceipt));
  const [first, ...more] = [orderNumber, ...orderIds].filter((name) => !names.has(name));
  return first === undefined ? [] : [{ proxyType, names: [first, ...more] }];
}

function asHeld({ proxyType }: OrderState, purchase: Receipt) {
  const { requestId, handOver } = purchase;
  return { proxyType, names: namesOfReceipt(purchase), requestId, handOver };
}

function explainTwins({ owner, orderNumber }: OrderState, twin: string): string {
  return `order ${orderNumber} is in the state of ${nameOf(owner)} and of ${nameOf(twin)}: two resources can't own one order. Deleting one leaves it to the other; take one out of the program, or out of the state (\`pulumi state delete\`)`;
}
