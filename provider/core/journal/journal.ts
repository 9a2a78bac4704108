import {
  type HeldLock,
  JournalError,
  type JournalParts,
  type KnownFlags,
  type Log,
  type PreviewedPlans,
  type RunMemory,
  type Urgency,
} from "../ports.ts";
import {
  changeIntent,
  type Intent,
  type IntentChange,
  type IntentDraft,
  isDone,
  isMisnumbered,
  isOfScope,
  namesOf,
  nextSequence,
  openIntent,
  type PurchaseSpec,
} from "../records/intent.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { messageOf } from "../values/message-of.ts";
import { stackOf, withoutScope } from "../values/owner.ts";
import { queueByKey } from "../values/queue-by-key.ts";
import { remember } from "../values/remember.ts";
import {
  findBought,
  findKnown,
  findTakenOver,
  type HeldOrders,
  type KnownPurchase,
} from "./known-purchases.ts";
import { scopesWith, seenFrom, withinScope } from "./scoped-names.ts";
import { journalMoved } from "./turn-rules.ts";

/**
 * What was bought with this journal, or may have been. It is written ahead, and later runs read it. A purchase of another
 * scope has another owner and another request: see `withinScope`.
 */
export interface Journal {
  readonly runId: string;
  readonly project: string;
  readonly scope: string;
  /** What the journal's clock says. Every time that it has written down is by that clock. */
  now(): Date;
  /** See `JournalParts`. */
  readonly isShared: boolean;
  readonly previewed: PreviewedPlans;
  readonly memory: RunMemory;
  readonly flags: KnownFlags;
  /**
   * Does some work while no other process buys from the account.
   * @param assertWanted throws if the work is not wanted any more. It is asked when the turn of this process has come,
   * before it waits for others.
   */
  withAccount<Result>(
    work: (lock: HeldLock) => Promise<Result>,
    assertWanted?: () => void,
  ): Promise<Result>;
  /** Writes an intent down before it is sent. Throws if that fails: then nothing may be sent. */
  begin<About extends PurchaseSpec>(draft: IntentDraft<About>): Promise<Intent<About>>;
  /** Writes down what has become of an intent. Throws if another process was first. */
  change<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    change: Change,
  ): Promise<Intent<About> & Change>;
  /**
   * Writes down what has become of an intent after money moved. Does not throw: a journal in trouble must not make a
   * paid order look lost.
   */
  note<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    change: Change,
  ): Promise<Intent<About> & Change>;
  /** Removes an intent that never left this machine. */
  discard(intent: Intent): Promise<void>;
  /** Every intent of any process about which something remains to be done. */
  readOpen(): Promise<Intent[]>;
  /** Every intent that there ever was. */
  readAll(): Promise<Intent[]>;
  /** What this was when it was first asked. Ask before a purchase is planned. */
  readAtBeginning(): Promise<Intent[]>;
  /** What `readAll` gives, for a purchase that has the turn. It saves a round trip. */
  readInTurn(): Promise<Intent[]>;
  /**
   * The sequence that the next purchase would have had when this was first asked. What has a later one was sent since
   * then. Ask before a purchase is planned.
   */
  sequenceAtBeginning(): Promise<number>;
  /** The purchases in other journals of this user. This one does not change them. */
  readElsewhere(): Promise<Intent[]>;
  /** See `JournalParts`. */
  accountId(): Promise<string | undefined>;
  /** Whether the run that left an intent goes on. */
  isAlive(intent: Pick<Intent, "runId">): Promise<boolean>;
  /** See `Locks.doesRunGoOn`. */
  goesOn(intent: Intent): Promise<boolean>;
  /** Whether the engine has ended the run that left an intent in the ordinary way. */
  hasEnded(intent: Pick<Intent, "runId">): Promise<boolean>;
  /** Which process left an intent, for people; "" if nobody wrote it down. */
  describeHolder(intent: Intent): Promise<string>;
  /** Writes down what nobody has waited for: confirmations, plans, and what has come to rest. */
  putAway(): Promise<void>;
  /** Call this when the engine ends this process in the ordinary way, with nothing under way. */
  endRun(): Promise<void>;
  /**
   * Call this when the resource of these orders was deleted. They run out, and stop no purchase.
   * @param goingOn names of those that somebody else goes on with
   */
  release(held: HeldOrders, goingOn?: ReadonlySet<string>): Promise<void>;
  /**
   * To be called with the name under which the engine's state goes on with these orders: by it they are known from now on,
   * and they count for the run's scope, too.
   */
  follow(held: HeldOrders): Promise<void>;
  /** The newest name in this stack of the resource that has made any of these purchases, if the journal knows it. */
  ownerOf(stack: string, purchases: readonly KnownPurchase[]): Promise<string | undefined>;
  /**
   * Call this with each purchase in the engine's state. What the state knows needs no recovery. From then on it counts as
   * confirmed in this process. It is written down while the run goes on, at the latest at its end.
   */
  confirmPurchase(known: KnownPurchase): Promise<void>;
  /** The same for an order that was taken over. The journal may have it as somebody's purchase. */
  confirmTakenOver(held: Omit<HeldOrders, "purchases">): Promise<void>;
}

/** How long another run may keep the account busy, beyond what one of its purchases may take. */
const PATIENCE_MS = 60_000;

/** Opens the journal of one process. Nothing is read or written before it is needed. */
export function openJournal(
  {
    store: kept,
    locks,
    previewed,
    memory,
    runs,
    flags,
    accountId,
    readElsewhere,
    runId,
    project,
    scope,
    now,
    isShared,
  }: JournalParts,
  log: Log,
  longestPurchaseMs: number,
): Journal {
  const store = withinScope(kept, scope);
  const patience = { holdMs: longestPurchaseMs, waitMs: longestPurchaseMs + PATIENCE_MS };
  /** The newest revision that this process has written of each intent; callers may hold an older one. */
  const ownNewest = new Map<string, Intent>();
  const unreadTold = new Set<string>();
  /** What was to be written down of a purchase, and could not be. */
  const missed = new Map<string, { intent: Intent; changes: IntentChange }>();
  /** Whether it was told that the journal could not follow a state. */
  let isBehind = false;
  /**
   * Confirmations that are being written, by the ids of their purchases. The engine plans one resource after the other. If
   * each plan waited for its own, a shared journal would be asked once for each order, and not once for many.
   */
  const confirming = new Map<string, Promise<void>>();
  /** The changes of one purchase come one after the other: each starts from what the one before it has written. */
  const oneByOne = queueByKey();

  /**
   * Writes a confirmation down while the run goes on, with what the state knows of a purchase whose answer was not written
   * down. If that fails, a later run does it again.
   */
  function confirm(intent: Intent, known: Pick<Intent, "orderNumber" | "orderIds"> = {}): void {
    const forget = () => void confirming.delete(intent.id);
    const written = oneByOne(intent.id, async () => {
      // This process may have closed it since it was read, and what is closed stays closed.
      if (isDone(newestOf(intent))) return;
      const told = intent.orderNumber === undefined ? known : {};
      await put(revise(intent, { ...told, phase: "confirmed" }), "hasty");
    });
    confirming.set(intent.id, written.then(forget, forget));
  }

  /**
   * The state knows what is being confirmed, whatever becomes of the write. The revision stays that of the store: a change
   * of one that was never written would overwrite what another process has written.
   */
  function withConfirmed(intents: Intent[]): Intent[] {
    if (confirming.size === 0) return intents;
    return intents.map((intent) =>
      confirming.has(intent.id) && !isDone(intent) ? { ...intent, phase: "confirmed" } : intent,
    );
  }

  function change<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
    urgency: Urgency = "hasty",
  ): Promise<Intent<About> & Change> {
    return oneByOne(intent.id, async () => {
      const before = missed.get(intent.id);
      const all = { ...before?.changes, ...changes };
      const next = await write(intent, all, urgency).catch(async (error: unknown) => {
        // What could not be written may have arrived all the same. But what another one has taken over is that one's.
        if (before === undefined || !isConflict(error)) throw error;
        const kept = (await store.readAll()).find(({ id }) => id === intent.id);
        if (kept === undefined || isDone(kept) || kept.runId !== runId) throw error;
        return write({ ...kept, purchase: intent.purchase }, all, urgency);
      });
      missed.delete(intent.id);
      return next;
    });
  }

  /** The next change of the purchase makes up for it, or else the end of the run. */
  function miss(intent: Intent, changes: IntentChange): void {
    missed.set(intent.id, { intent, changes: { ...missed.get(intent.id)?.changes, ...changes } });
  }

  async function write<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
    urgency: Urgency,
  ): Promise<Intent<About> & Change> {
    const next = revise(intent, changes);
    await put(next, urgency);
    return next;
  }

  /** The next revision, after the newest that this process has written. */
  function revise<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
  ): Intent<About> & Change {
    const { purchase } = intent;
    return changeIntent({ ...newestOf(intent), purchase }, changes, now());
  }

  function newestOf(intent: Intent): Intent {
    const own = ownNewest.get(intent.id);
    return own && own.revision > intent.revision ? own : intent;
  }

  async function put(next: Intent, urgency: Urgency): Promise<void> {
    await store.replace(next, urgency);
    ownNewest.set(next.id, next);
  }

  /** What earlier runs have left, as this process has changed it since. Empty if it can't be read. */
  async function readNewest(): Promise<Intent[]> {
    const before = await atBeginning().catch((): Intent[] => []);
    return before.map((intent) => ownNewest.get(intent.id) ?? intent);
  }

  async function readAll(): Promise<Intent[]> {
    try {
      const all = await store.readAll();
      const movedTo = await store.movedTo();
      if (movedTo !== undefined) throw journalMoved(movedTo);
      return withConfirmed(all);
    } catch (error) {
      return rethrowForBuyer(error);
    }
  }

  const readOpen = async () => (await readAll()).filter((intent) => !isDone(intent));

  /** What was bought before this process asked for it first: what it buys itself is newer. */
  const atBeginning = remember(readAll);

  /** Confirms what earlier runs have left. The state can't know anything newer. */
  async function confirmLeft(
    find: (all: readonly Intent[]) => Intent | undefined,
    known?: Pick<Intent, "orderNumber" | "orderIds">,
  ): Promise<void> {
    const intent = find(await atBeginning().catch((): Intent[] => []));
    if (intent !== undefined && !isDone(newestOf(intent))) confirm(intent, known);
  }

  async function putAway(): Promise<void> {
    await Promise.all(confirming.values());
    const again = Array.from(missed.values(), ({ intent }) => change(intent, {}));
    await Promise.allSettled(again);
    await Promise.all([store.putAway(), previewed.written()]);
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
    for (const [intent, changes] of standing(all)) {
      await change(intent, changes)
        .catch(async (error: unknown) => {
          if (!isConflict(error)) throw error;
          const now = [...standing(await readAll())].find(([{ id }]) => id === intent.id);
          if (now) await change(...now);
        })
        .catch((error: unknown) => {
          failure = error;
          miss(intent, changes);
        });
    }
    return failure;
  }

  return {
    runId,
    project,
    scope,
    now,
    isShared,
    previewed: explainedPlans(previewed),
    memory,
    flags,

    withAccount: (work, assertWanted = () => undefined) =>
      locks
        .withAccount({ ...patience, assertWanted }, (turn) => work(explained(turn)))
        .catch(rethrowForBuyer),

    async begin(draft) {
      try {
        await locks.holdRun(runId);
        await runs.begin(runId);
        const account = await accountId();
        for (let attempt = 1; ; attempt++) {
          const id = `${draft.requestId.slice(0, 12)}-${attempt}`;
          const by = { id, project, runId, account, ...(scope && { scopes: [scope] }) };
          const intent = openIntent(draft, by, now());
          if (await store.create(intent)) return intent;
        }
      } catch (error) {
        return rethrowForBuyer(error);
      }
    },

    change: (intent, changes) => change(intent, changes).catch(rethrowForBuyer),

    async note(intent, changes) {
      try {
        return await change(intent, changes, "insistent");
      } catch (error) {
        const reason = messageOf(error);
        log.warn(`${reason}; what became of the purchase ${intent.id} is not written down`);
        miss(intent, changes);
        // The next change goes on from what was written.
        return { ...changeIntent(intent, changes, now()), revision: intent.revision };
      }
    },

    discard: (intent) => store.remove(intent).catch(() => undefined),

    readOpen,

    readAll,

    readAtBeginning: atBeginning,

    readInTurn: () => store.readInTurn().then(withConfirmed).catch(rethrowForBuyer),

    sequenceAtBeginning: async () => nextSequence(await atBeginning()),

    async readElsewhere() {
      const { purchases, unread } = await readElsewhere();
      for (const reason of unread) {
        if (!unreadTold.has(reason))
          log.warn(`${reason}; what was bought with it is not looked at`);
        unreadTold.add(reason);
      }
      return seenFrom(scope, purchases);
    },

    accountId: () => accountId().catch(rethrowForBuyer),

    async isAlive(intent) {
      return intent.runId === runId || locks.isRunAlive(intent.runId);
    },

    async goesOn(intent) {
      return intent.runId === runId || locks.doesRunGoOn(intent.runId);
    },

    hasEnded: (intent) => runs.hasEnded(intent.runId),

    async describeHolder(intent) {
      const holder = await runs.holderOf(intent.runId);
      return holder === undefined ? "" : `process ${holder.pid} on ${holder.host}`;
    },

    putAway,

    async endRun() {
      await Promise.all([runs.end(runId), putAway()]);
      await locks.letRunGo();
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

    async follow(held) {
      const failure = await changeStanding(await readNewest(), (intents) => {
        const bought = findBought(intents, held, project);
        const named = bought.filter(({ owner }) => withoutScope(owner) !== held.owner);
        const counted = [...bought, ...findTakenOver(intents, held)].filter(
          (intent) => scope !== "" && !isOfScope(intent, scope),
        );
        return new Map(
          [...named, ...counted].map((intent) => [
            intent,
            {
              ...(named.includes(intent) && { owner: held.owner }),
              ...(counted.includes(intent) && { scopes: scopesWith(intent, scope) }),
            },
          ]),
        );
      });
      if (failure === undefined || isBehind) return;
      isBehind = true;
      log.warn(
        `${messageOf(failure)}; until another \`pulumi up\` writes it down, the journal knows orders by their former names and scopes`,
      );
    },

    async ownerOf(stack, purchases) {
      const bought = findBought(await readNewest(), { purchases }, project);
      return bought
        .map(({ owner }) => withoutScope(owner))
        .find((owner) => stackOf(owner) === stack);
    },

    confirmPurchase: (known) => {
      const { orderNumber, orderIds = [] } = known;
      // Until it is found in the listing, an order is taken to be listed under its number.
      const isListed = orderIds.some((orderId) => orderId !== orderNumber);
      return confirmLeft((all) => findKnown(all, known, project), {
        ...(orderNumber !== undefined && { orderNumber }),
        ...(isListed && { orderIds: [...orderIds] }),
      });
    },

    confirmTakenOver: ({ owner, orderNumber, orderIds }) =>
      confirmLeft((all) =>
        all.find((intent) => {
          if (intent.orderNumber === undefined || isDone(intent)) return false;
          // A resource that owns an order by its listed id need not recover the purchase of that order.
          const isListedAs = intent.orderIds?.some((orderId) => orderIds.includes(orderId));
          const isNumbered = intent.orderNumber === orderNumber && !isMisnumbered(intent);
          return isNumbered || (intent.owner === owner && isListedAs === true);
        }),
      ),
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof JournalError && error.reason === "conflict";
}

/** Explains a lost turn in words for people. */
function explained({ contended, assertHeld }: HeldLock): HeldLock {
  return {
    contended,
    assertHeld(forMs) {
      try {
        assertHeld(forMs);
      } catch (lost) {
        rethrowForBuyer(lost);
      }
    },
  };
}

/** The same for a buyer who asks what previews have shown. */
function explainedPlans(previewed: PreviewedPlans): PreviewedPlans {
  return {
    ...previewed,
    ofStack: (owner) => previewed.ofStack(owner).catch(rethrowForBuyer),
  };
}

/** Explains a failure of the journal in words for people. Without the journal nothing may be bought. */
function rethrowForBuyer(error: unknown): never {
  if (!(error instanceof JournalError)) throw error;
  throw new ProxyRentalError(
    error.reason === "busy" ? "ACCOUNT_BUSY" : "JOURNAL_UNAVAILABLE",
    `${error.message}. This purchase was not sent. ${whatToDo[error.reason]}`,
  );
}

const whatToDo: Record<JournalError["reason"], string> = {
  moved:
    "Name that place (proxyrental:journal, PROXYRENTAL_JOURNAL), and run again. If it is here again, copy it back (`npx pulumi-proxyrental journal copy`), or say so: `npx pulumi-proxyrental journal reopen`.",
  unavailable:
    "Make it reachable and writable, or name another one (proxyrental:journal, PROXYRENTAL_JOURNAL), and run again.",
  unfit:
    "Name another store (proxyrental:journal, PROXYRENTAL_JOURNAL). `npx pulumi-proxyrental journal check` shows what a store must do.",
  unreadable:
    "It may speak of an order that was paid. Look at the file, and move it away when you know what it stood for.",
  conflict: "Run again when the other one has ended.",
  busy: "Run again when the other one has ended.",
};
