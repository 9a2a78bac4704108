import type { Log } from "../ports.ts";
import { addressOf } from "../proxies/address.ts";
import {
  followTo,
  type HandedOver,
  type Heir,
  holderOf,
  holdersOf,
  isBefore,
  isForgotten,
  isFormer,
  takeFrom,
} from "../records/hand-over.ts";
import {
  bySending,
  type Intent,
  type IntentChange,
  isDone,
  isMisnumbered,
  isOfScope,
  namesOf,
  ofType,
  saidNamesOf,
} from "../records/intent.ts";
import { messageOf } from "../values/message-of.ts";
import { stackOf, withoutScope } from "../values/owner.ts";
import { type Changes, createFollowUp, type FollowingChanges } from "./follow-up.ts";
import {
  findKnown,
  findReceived,
  findTakenOver,
  type KnownPurchase,
  type OrdersInState,
} from "./known-purchases.ts";
import type { KnownDetails, PurchaseChanges } from "./purchase-changes.ts";
import { scopesWith } from "./scoped-names.ts";

/** What the journal learns from the states that the engine shows. */
export interface StateKnowledge {
  /**
   * Call this with each purchase in the engine's state of a resource. What the state knows needs no recovery. From then on it
   * counts as confirmed in this process. It is written down while the run goes on, at the latest at its end.
   * @param isFound whether its order was found in the listing. Until then its number may be another order's. @default true
   */
  confirmPurchase(holder: OfType, known: KnownPurchase, isFound?: boolean): Promise<void>;
  /** The same for an order that was taken over. The journal may have it as somebody's purchase. */
  confirmTakenOver(held: Omit<OrdersInState, "purchases">): Promise<void>;
  /** Whether the journal knows that all of these states had a purchase before it was given to this one. */
  isNewestState(
    holder: OfType,
    known: KnownPurchase,
    others: readonly HandedOver[],
  ): Promise<boolean>;
  /** Whether a state that this process was shown has a purchase: then the stack of this run has made it, from whatever folder. */
  isInState(purchase: Pick<Intent, "id">): boolean;
  /**
   * To be called with the name under which the engine's state goes on with these orders: by it they are known from now on,
   * and they count for the run's scope, too.
   * @returns as `release`
   */
  follow(held: OrdersInState): Promise<unknown>;
  /**
   * The same before something is let go or taken back: what other runs have written since this one began counts, too.
   * @returns as `release`
   */
  followNewest(held: OrdersInState): Promise<unknown>;
  /**
   * Call this when the state of these orders was deleted. Those that nobody has any more run out, and stop no purchase.
   * @param findHeirs finds who goes on with an order by what the journal has when that is changed. @default nobody does
   * @returns why that could not be written down; undefined if it was. A later write, or the end of the run, makes up for it
   */
  release(held: OrdersInState, findHeirs?: FindHeirs): Promise<unknown>;
  /**
   * Call this when a refresh finds that all of a state has ended, or is gone. From then on it stops no purchase: of a lost state
   * less would be known. If a state is seen that has it all the same, it is open again.
   * @returns as `release`
   */
  expire(held: OrdersInState): Promise<unknown>;
  /**
   * The newest name of a resource by its purchases, if the journal knows it: one in the stack that the engine names, or the
   * name that the state says.
   * @param engineOwner what the engine calls it; by an alias, that may be its former name
   */
  ownerOf(
    held: Omit<OrdersInState, "orderNumber" | "orderIds">,
    engineOwner?: string,
  ): Promise<string | undefined>;
  /** Does what could not be done before, as far as the journal can be read now. */
  catchUp(): Promise<void>;
}

/** Who goes on with an order, by its names. */
export type Heirs = ReadonlyMap<string, Heir>;

type FindHeirs = (intents: readonly Intent[]) => Promise<Heirs>;

/** A purchase, and what a state says of it. */
interface OpenPurchase {
  intent: Intent;
  receipt: HandedOver & Pick<KnownPurchase, "orderNumber" | "orderIds">;
}

/** A resource, and the type of its proxies. */
type OfType = Pick<OrdersInState, "owner" | "proxyType">;

interface KnowledgeParts {
  changes: PurchaseChanges;
  readAll(): Promise<Intent[]>;
  /** See `Journal`. */
  readAtBeginning(): Promise<Intent[]>;
  project: string;
  scope: string;
  log: Log;
}

/** Makes what a journal learns from states in one process. */
export function knowFromState({
  changes,
  readAll,
  readAtBeginning,
  project,
  scope,
  log,
}: KnowledgeParts): StateKnowledge {
  /** Whether it was told that the journal could not follow a state. */
  let isBehind = false;
  /** The purchases that states have, by their ids. */
  const inStates = new Set<string>();
  const followUp = createFollowUp(changes);

  /** What earlier runs have left of a type, as this process has changed it since. */
  async function readLeft({ proxyType }: Pick<OrdersInState, "proxyType">): Promise<Intent[]> {
    return ofType(await readAtBeginning(), proxyType).map(changes.newestOf);
  }

  async function readOfType({ proxyType }: Pick<OrdersInState, "proxyType">): Promise<Intent[]> {
    return ofType(await readAll(), proxyType);
  }

  function changeEach(
    read: (held: OrdersInState) => Promise<Intent[]>,
    held: OrdersInState,
    changesOf: FollowingChanges["changesOf"],
  ): Promise<unknown> {
    return followUp.change({
      read: () => read(held),
      readAnew: () => readOfType(held),
      changesOf,
    });
  }

  /** The state can't know anything newer than what earlier runs have left. */
  async function confirmLeft(
    holder: OfType,
    find: (left: readonly Intent[]) => Intent | undefined,
    detailsOf: (intent: Intent) => KnownDetails = () => ({}),
  ): Promise<void> {
    const intent = find(await readLeft(holder).catch((): Intent[] => []));
    if (intent === undefined || intent.phase === "closed") return;
    inStates.add(intent.id);
    const told = detailsOf(intent);
    if (!isDone(intent) || Object.keys(told).length > 0) changes.confirm(intent, told);
  }

  /** What follows from a state that is seen to have these orders: whose they are, and for which scope more they count. */
  function followingOf(intents: readonly Intent[], held: OrdersInState): Changes {
    const following = new Map<Intent, IntentChange>();
    const by = { owner: held.owner, scope };
    const note = (intent: Intent, change: IntentChange) => {
      const isNew = scope !== "" && !isOfScope(intent, scope);
      following.set(intent, {
        ...change,
        ...(isNew && { scopes: scopesWith(intent, scope) }),
      });
    };
    for (const { intent, receipt } of findReceived(intents, held, project)) {
      const letGo = letGoIn(held, receipt);
      note(intent, followTo(intent, by, { ...receipt, letGo, isUnsaved: held.isImporting }));
    }
    const others = findTakenOver(intents, held);
    const open = others.filter(({ phase }) => phase !== "closed");
    for (const intent of open) note(intent, {});
    // A release that closed what was adopted wrote no receipt.
    const newest = others.toSorted(bySending).at(-1);
    if (newest && open.length === 0) note(newest, followTo(newest, by, ownState(newest)));
    return following;
  }

  /** The purchases of a state that are not closed, and what that state says of them. */
  function findOpen(
    intents: readonly Intent[],
    held: OrdersInState,
    isOpen = ({ phase }: Intent) => phase !== "closed",
  ): OpenPurchase[] {
    const open = intents.filter(isOpen);
    const isOwn = ({ owner }: Intent) => withoutScope(owner) === held.owner;
    const unreceipted = findTakenOver(open, held).filter(isOwn);
    return [
      ...findReceived(open, held, project),
      ...unreceipted.map((intent) => ({ intent, receipt: ownState(intent) })),
    ];
  }

  return {
    confirmPurchase: (holder, known, isFound = true) =>
      confirmLeft(
        holder,
        (left) => {
          const intent = findKnown(left, known, project);
          // Of what was given to another state, that one tells.
          return intent && isGiven(intent, holder, known) ? undefined : intent;
        },
        (intent) => ({
          ...(isFound && namesToTell(intent, known)),
          ...chargeToTell(intent, known),
        }),
      ),

    confirmTakenOver: ({ owner, proxyType, orderNumber, orderIds }) =>
      confirmLeft({ owner, proxyType }, (left) =>
        left.find((intent) => {
          if (intent.orderNumber === undefined || isDone(intent)) return false;
          // A resource that owns an order by its listed id need not recover the purchase of that order.
          const isListedAs = intent.orderIds?.some((orderId) => orderIds.includes(orderId));
          const isNumbered = intent.orderNumber === orderNumber && !isMisnumbered(intent);
          return isNumbered || (intent.owner === owner && isListedAs === true);
        }),
      ),

    async isNewestState(holder, known, others) {
      const left = await readLeft(holder).catch((): Intent[] => []);
      const intent = findKnown(left, known, project);
      return intent !== undefined && others.every((other) => isBefore(intent, other, known));
    },

    isInState: ({ id }) => inStates.has(id),

    async follow(held) {
      const failure = await changeEach(readLeft, held, (intents) => followingOf(intents, held));
      if (failure === undefined || isBehind) return failure;
      isBehind = true;
      log.warn(
        `${messageOf(failure)}; until another \`pulumi up\` writes it down, the journal knows orders by their former names and scopes`,
      );
      return failure;
    },

    followNewest: (held) => changeEach(readOfType, held, (intents) => followingOf(intents, held)),

    // An order that can't be written down as released stops a later purchase until a person says so.
    release: (held, findHeirs = async () => new Map()) =>
      changeEach(readOfType, held, async (intents) => {
        const heirs = await findHeirs(intents);
        return new Map(
          findOpen(intents, held, isToRelease).map(({ intent, receipt }) => {
            const heir = receiptNames(intent, receipt).flatMap((name) => heirs.get(name) ?? [])[0];
            return [intent, takeFrom(intent, held, receipt, heir)];
          }),
        );
      }),

    expire: (held) =>
      changeEach(readLeft, held, (intents) => {
        const own = findOpen(intents, held).filter(
          ({ intent, receipt }) => !isGiven(intent, held, receipt),
        );
        const over = { phase: "closed", closedBecause: "expired" } as const;
        return new Map(own.map(({ intent }) => [intent, over]));
      }),

    async ownerOf(held, engineOwner = held.owner) {
      const left = await readLeft(held).catch((): Intent[] => []);
      const known = findReceived(left, held, project).flatMap(
        ({ intent, receipt }) => holderOf(intent, receipt) ?? [],
      );
      const isHere = (owner: string) => stackOf(owner) === stackOf(engineOwner);
      return known.find(isHere) ?? known.find((owner) => owner === held.owner);
    },

    catchUp: followUp.catchUp,
  };
}

/** Whether a state that is deleted gives a purchase up: also one that was found gone while the engine kept its state. */
function isToRelease({ phase, closedBecause }: Intent): boolean {
  return phase !== "closed" || closedBecause === "expired";
}

/** Whether a purchase was given to another state than the one that is seen. */
function isGiven(
  intent: Intent,
  { owner }: Pick<OrdersInState, "owner">,
  seen: HandedOver,
): boolean {
  return isFormer(intent, seen) || isForgotten(intent, owner, seen);
}

/** The addresses of an order that a resource has let go. */
function letGoIn(
  { released = [] }: OrdersInState,
  { orderIds = [] }: Pick<KnownPurchase, "orderIds">,
): string[] {
  const own = released.filter(({ orderId }) => orderIds.includes(orderId));
  return own.flatMap((proxy) => addressOf(proxy) || []).toSorted();
}

/**
 * By what a state names an order, as whoever looks for its heirs does. Once it was found in the listing, its number may be the
 * listed id of another one.
 */
function receiptNames(
  intent: Intent,
  { orderNumber, orderIds = [] }: OpenPurchase["receipt"],
): readonly string[] {
  if (orderIds.length > 0) return orderIds;
  return orderNumber === undefined ? namesOf(intent) : [orderNumber];
}

/** What the owner's state would say of it. */
function ownState(intent: Intent): HandedOver {
  return holdersOf(intent).at(-1) ?? {};
}

/**
 * What a state knows better than the journal of an order that was found in the listing. A number under which it is not listed
 * may be another order's.
 */
function namesToTell(intent: Intent, { orderNumber, orderIds = [] }: KnownPurchase): KnownDetails {
  if (orderNumber === undefined) return {};
  if (intent.orderNumber !== undefined) {
    const said = saidNamesOf(intent);
    return orderIds.every((orderId) => said.includes(orderId)) ? {} : { orderIds: [...orderIds] };
  }
  const isNumberTaken = !orderIds.includes(orderNumber);
  return { orderNumber, orderIds: [...orderIds], ...(isNumberTaken && { isNumberTaken }) };
}

/** What was charged, if the answer that told it was not written down: a budget counts it. */
function chargeToTell(intent: Intent, { charged }: KnownPurchase): KnownDetails {
  return intent.charged === undefined && charged !== undefined ? { charged } : {};
}
