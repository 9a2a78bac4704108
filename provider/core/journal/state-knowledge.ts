import type { Log } from "../ports.ts";
import {
  type Intent,
  type IntentChange,
  isDone,
  isMisnumbered,
  isOfScope,
  namesOf,
} from "../records/intent.ts";
import { messageOf } from "../values/message-of.ts";
import { stackOf, withoutScope } from "../values/owner.ts";
import {
  findBought,
  findKnown,
  findTakenOver,
  type HeldOrders,
  type KnownPurchase,
} from "./known-purchases.ts";
import { isConflict, type PurchaseChanges } from "./purchase-changes.ts";
import { scopesWith } from "./scoped-names.ts";

/** What the journal learns from the states that the engine shows. */
export interface StateKnowledge {
  /**
   * Call this with each purchase in the engine's state. What the state knows needs no recovery. From then on it counts as
   * confirmed in this process. It is written down while the run goes on, at the latest at its end.
   */
  confirmPurchase(known: KnownPurchase): Promise<void>;
  /** The same for an order that was taken over. The journal may have it as somebody's purchase. */
  confirmTakenOver(held: Omit<HeldOrders, "purchases">): Promise<void>;
  /**
   * To be called with the name under which the engine's state goes on with these orders: by it they are known from now on,
   * and they count for the run's scope, too.
   */
  follow(held: HeldOrders): Promise<void>;
  /**
   * Call this when the resource of these orders was deleted. They run out, and stop no purchase.
   * @param goingOn names of those that somebody else goes on with
   */
  release(held: HeldOrders, goingOn?: ReadonlySet<string>): Promise<void>;
  /** The newest name in this stack of the resource that has made any of these purchases, if the journal knows it. */
  ownerOf(stack: string, purchases: readonly KnownPurchase[]): Promise<string | undefined>;
}

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

  /** What earlier runs have left, as this process has changed it since. Empty if it can't be read. */
  async function readLeft(): Promise<Intent[]> {
    const before = await readAtBeginning().catch((): Intent[] => []);
    return before.map(changes.newestOf);
  }

  /**
   * Changes purchases that are not closed. Each is looked for again if another process was first. Gives why one could not be
   * changed yet.
   */
  async function changeStanding(
    all: readonly Intent[],
    changesOf: (all: readonly Intent[]) => Map<Intent, IntentChange>,
  ): Promise<unknown> {
    const standing = (intents: readonly Intent[]) =>
      changesOf(intents.filter(({ phase }) => phase !== "closed"));
    let failure: unknown;
    for (const [intent, next] of standing(all)) {
      await changes
        .change(intent, next)
        .catch(async (error: unknown) => {
          if (!isConflict(error)) throw error;
          const now = [...standing(await readAll())].find(([{ id }]) => id === intent.id);
          if (now) await changes.change(...now);
        })
        .catch((error: unknown) => {
          failure = error;
          changes.makeUpFor(intent, next);
        });
    }
    return failure;
  }

  /** The state can't know anything newer than what earlier runs have left. */
  async function confirmLeft(
    find: (left: readonly Intent[]) => Intent | undefined,
    known?: Pick<Intent, "orderNumber" | "orderIds">,
  ): Promise<void> {
    const intent = find(await readLeft());
    if (intent !== undefined && !isDone(intent)) changes.confirm(intent, known);
  }

  /** Under which name, and for which scope more, purchases go on. */
  function followingOf(intents: readonly Intent[], held: HeldOrders): Map<Intent, IntentChange> {
    const bought = findBought(intents, held, project);
    const renamed = bought.filter(({ owner }) => withoutScope(owner) !== held.owner);
    const counted = [...bought, ...findTakenOver(intents, held)].filter(
      (intent) => scope !== "" && !isOfScope(intent, scope),
    );
    const changeOf = (intent: Intent): IntentChange => ({
      ...(renamed.includes(intent) && { owner: held.owner }),
      ...(counted.includes(intent) && { scopes: scopesWith(intent, scope) }),
    });
    return new Map([...renamed, ...counted].map((intent) => [intent, changeOf(intent)]));
  }

  return {
    confirmPurchase(known) {
      const { orderNumber, orderIds = [] } = known;
      // Until it is found in the listing, an order is taken to be listed under its number.
      const isListed = orderIds.some((orderId) => orderId !== orderNumber);
      return confirmLeft((left) => findKnown(left, known, project), {
        ...(orderNumber !== undefined && { orderNumber }),
        ...(isListed && { orderIds: [...orderIds] }),
      });
    },

    confirmTakenOver: ({ owner, orderNumber, orderIds }) =>
      confirmLeft((left) =>
        left.find((intent) => {
          if (intent.orderNumber === undefined || isDone(intent)) return false;
          // A resource that owns an order by its listed id need not recover the purchase of that order.
          const isListedAs = intent.orderIds?.some((orderId) => orderIds.includes(orderId));
          const isNumbered = intent.orderNumber === orderNumber && !isMisnumbered(intent);
          return isNumbered || (intent.owner === owner && isListedAs === true);
        }),
      ),

    async follow(held) {
      const failure = await changeStanding(await readLeft(), (intents) =>
        followingOf(intents, held),
      );
      if (failure === undefined || isBehind) return;
      isBehind = true;
      log.warn(
        `${messageOf(failure)}; until another \`pulumi up\` writes it down, the journal knows orders by their former names and scopes`,
      );
    },

    // An order that can't be written down as released stops a later purchase until a person says so, and loses nothing.
    async release(held, goingOn = new Set()) {
      const all = await readAll().catch((): Intent[] => []);
      await changeStanding(all, (intents) => {
        const own = [...findBought(intents, held, project), ...findTakenOver(intents, held)]
          .filter(({ owner }) => withoutScope(owner) === held.owner)
          .filter((intent) => !namesOf(intent).some((name) => goingOn.has(name)));
        return new Map(
          own.map((intent) => [intent, { phase: "closed", closedBecause: "released" }]),
        );
      });
    },

    async ownerOf(stack, purchases) {
      const bought = findBought(await readLeft(), { purchases }, project);
      return bought
        .map(({ owner }) => withoutScope(owner))
        .find((owner) => stackOf(owner) === stack);
    },
  };
}
