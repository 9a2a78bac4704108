import {
  type HeldLock,
  JournalError,
  type JournalParts,
  type KnownFlags,
  type Log,
  type PreviewedPlans,
  type RunMemory,
} from "../ports.ts";
import { giveTo, nameHandOver } from "../records/hand-over.ts";
import {
  type Intent,
  type IntentChange,
  type IntentDraft,
  isDone,
  openIntent,
  type PurchaseSpec,
  type Timed,
} from "../records/intent.ts";
import { ProxyRentalError } from "../values/errors.ts";
import { remember } from "../values/remember.ts";
import { openChanges, type PurchaseChanges } from "./purchase-changes.ts";
import { scopesWith, seenFrom, withinScope } from "./scoped-names.ts";
import { knowFromState, type StateKnowledge } from "./state-knowledge.ts";
import { journalMoved } from "./turn-rules.ts";

/**
 * What was bought with this journal, or may have been. It is written ahead, and later runs read it. A purchase of another
 * scope has another owner and another request: see `withinScope`.
 */
export interface Journal
  extends Omit<StateKnowledge, "catchUp">,
    Pick<PurchaseChanges, "note" | "noteAnswer" | "conclude"> {
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
   * before it waits for others, and while it does.
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
   * Gives a purchase to a state that takes it over. The run that does that is the one whose engine is to save it. Does not
   * throw, see `note`.
   * @param lookAgain is called with what another process has written first; throws if it must not be taken from whom that gave
   * it to
   */
  give<About extends PurchaseSpec>(
    intent: Intent<About>,
    owner: string,
    told?: Pick<IntentChange, "phase" | "orderNumber" | "orderIds">,
    lookAgain?: (now: Intent) => void,
  ): Promise<Intent<About>>;
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
   * The sequence that the next purchase would have had when this was first asked. What has that one, or a later one, was sent
   * since then. Ask before a purchase is planned.
   */
  sequenceAtBeginning(): Promise<number>;
  /** The purchases in other journals of this user. This one does not change them. */
  readElsewhere(): Promise<Intent[]>;
  /** See `JournalParts`. */
  accountId(): Promise<string | undefined>;
  /** See `Locks.isRunAlive`: on a shared journal one that waits for a delivery is not. This run is. */
  isRunAlive(runId: string): Promise<boolean>;
  /** See `Locks.isUnderWay`: what this run has made is. */
  isUnderWay(intent: Pick<Intent, "runId" | "phase" | Timed>): Promise<boolean>;
  /** Whether this run has made it: this process, or another one that serves the same run of the engine. */
  isOfThisRun(intent: Pick<Intent, "runId">): Promise<boolean>;
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
  const onBusy = () =>
    log.progress(
      "another run is buying from this account; waiting until it has ended, or until what it has sent can't be answered any more",
    );
  const changes = openChanges(store, { now, log });
  const unreadTold = new Set<string>();
  /** What may be written down, and was never sent. */
  const unsent = new Set<Intent>();

  /** While that stands in the journal, it may be taken for what another purchase has bought. */
  async function removeUnsent(): Promise<void> {
    for (const intent of unsent) {
      await store.remove(intent);
      unsent.delete(intent);
    }
  }

  /** Throws as the store does. The same for buyers is `readAll`. */
  async function readKept(): Promise<Intent[]> {
    const all = await store.readAll();
    const movedTo = await store.movedTo();
    if (movedTo !== undefined) throw journalMoved(movedTo);
    return changes.withConfirmed(all);
  }

  const readAll = () => readKept().catch(rethrowExplained);

  const readOpen = async () => (await readAll()).filter((intent) => !isDone(intent));

  /** What was bought before this process asked for it first: what it buys itself is newer. */
  const beginning = remember(async () => {
    // Both by one look: what is asked for at the same time is read once.
    const [sequence, kept] = await Promise.all([store.nextSequence(), readKept()]);
    return { sequence, kept };
  });

  const keptAtBeginning = async () => (await beginning()).kept;

  const knowledge = knowFromState({
    changes,
    readAll: readKept,
    readAtBeginning: keptAtBeginning,
    project,
    scope,
    log,
  });

  const hasEnded = ({ runId: its }: Pick<Intent, "runId">) => runs.hasEnded(its);

  /** Lets other runs see that this one goes on, and later that it has ended. */
  async function begin(): Promise<void> {
    await locks.holdRun(runId);
    await runs.begin(runId);
  }

  async function putAway(): Promise<void> {
    await knowledge.catchUp();
    await changes.written();
    await removeUnsent().catch(() => undefined);
    // What a preview must have written down, it has waited for.
    await Promise.all([store.putAway(), previewed.written().catch(() => undefined)]);
  }

  return {
    ...knowledge,
    runId,
    project,
    scope,
    now,
    isShared,
    previewed: explainedPlans(previewed),
    memory,
    flags: explainedFlags(flags),

    withAccount: (work, assertWanted = () => undefined) =>
      locks
        .withAccount({ ...patience, assertWanted, onBusy }, (turn) => work(explained(turn)))
        .catch(rethrowForBuyer),

    async begin(draft) {
      try {
        await begin();
        await removeUnsent();
        const account = await accountId();
        // An id is never given again, also if its purchase was never sent and is removed: what another run finds out about that
        // one must not be written down of this one. A document of release 0.1.0 may have it.
        for (let sequence = await store.nextSequence(); ; sequence++) {
          const id = `${draft.requestId.slice(0, 12)}-${sequence}`;
          const by = { id, project, runId, account, sequence, ...(scope && { scopes: [scope] }) };
          const intent = openIntent(draft, by, now());
          // Its answer may be lost.
          unsent.add(intent);
          const isCreated = await store.create(intent);
          unsent.delete(intent);
          if (isCreated) return intent;
        }
      } catch (error) {
        return rethrowForBuyer(error);
      }
    },

    change: (intent, next) => changes.change(intent, next).catch(rethrowExplained),

    note: changes.note,

    noteAnswer: changes.noteAnswer,

    conclude: (intent, conclusion) => changes.conclude(intent, conclusion).catch(rethrowExplained),

    async give(intent, owner, told = {}, lookAgain = () => undefined) {
      const handOver = nameHandOver();
      const isBegun = await begin().then(
        () => true,
        () => false,
      );
      const giving = (now: Intent) => ({
        ...giveTo(now, { owner, scope }, handOver),
        scopes: scopesWith(now, scope),
        ...(isBegun && { runId }),
        ...told,
      });
      return changes.noteOver(intent, giving, (now) => {
        lookAgain(now);
        return true;
      });
    },

    async discard(intent) {
      unsent.add(intent);
      await removeUnsent().catch(() => undefined);
    },

    readOpen,

    readAll,

    readAtBeginning: () => keptAtBeginning().catch(rethrowExplained),

    readInTurn: () => store.readInTurn().then(changes.withConfirmed).catch(rethrowForBuyer),

    sequenceAtBeginning: async () => (await beginning().catch(rethrowForBuyer)).sequence,

    async readElsewhere() {
      const { purchases, unread } = await readElsewhere();
      for (const reason of unread) {
        if (!unreadTold.has(reason))
          log.warn(`${reason}; what was bought with it is not looked at`);
        unreadTold.add(reason);
      }
      return seenFrom(scope, purchases);
    },

    accountId: () => accountId().catch(rethrowExplained),

    async isRunAlive(its) {
      return its === runId || locks.isRunAlive(its);
    },

    async isUnderWay(intent) {
      return intent.runId === runId || locks.isUnderWay(intent);
    },

    async isOfThisRun(intent) {
      return intent.runId === runId || memory.hasTold(intent.runId);
    },

    async goesOn(intent) {
      return intent.runId === runId || locks.doesRunGoOn(intent.runId);
    },

    hasEnded,

    async describeHolder(intent) {
      const holder = await runs.holderOf(intent.runId);
      return holder === undefined ? "" : `process ${holder.pid} on ${holder.host}`;
    },

    putAway,

    async endRun() {
      await Promise.all([runs.end(runId), putAway(), previewed.ended()]);
      await locks.letRunGo();
    },
  };
}

/** Explains a lost turn in words for people. */
function explained({ contended, assertHeld, lastsMs, keep }: HeldLock): HeldLock {
  const explainLoss = <Result>(ask: () => Result): Result => {
    try {
      return ask();
    } catch (lost) {
      return rethrowForBuyer(lost);
    }
  };
  return {
    contended,
    assertHeld: () => explainLoss(assertHeld),
    lastsMs: () => explainLoss(lastsMs),
    keep: () => keep().catch(rethrowForBuyer),
  };
}

/** The same for whoever previews, and for a buyer who asks what previews have shown. */
function explainedPlans(previewed: PreviewedPlans): PreviewedPlans {
  const rethrowForPreview = (error: unknown): never => {
    throw explain(error, " So `pulumi up` would not be held to this preview.");
  };
  return {
    ...previewed,
    note: (plan) => previewed.note(plan).catch(rethrowForPreview),
    written: () => previewed.written().catch(rethrowForPreview),
    ofStack: (owner) => previewed.ofStack(owner).catch(rethrowForBuyer),
  };
}

/** The same for a run that asks who has switched flags. */
function explainedFlags(flags: KnownFlags): KnownFlags {
  return {
    ...flags,
    turnAtBeginning: () => flags.turnAtBeginning().catch(rethrowExplained),
    runsSince: (turn) => flags.runsSince(turn).catch(rethrowExplained),
  };
}

/** Explains a failure of the journal in words for people. */
function rethrowExplained(error: unknown): never {
  throw explain(error, "");
}

/** The same for a buyer: without the journal nothing may be bought. */
function rethrowForBuyer(error: unknown): never {
  throw explain(error, " This purchase was not sent.");
}

function explain(error: unknown, consequence: string): unknown {
  if (!(error instanceof JournalError)) return error;
  return new ProxyRentalError(
    error.reason === "busy" ? "ACCOUNT_BUSY" : "JOURNAL_UNAVAILABLE",
    `${error.message}.${consequence} ${whatToDo[error.reason]}`,
  );
}

const whatToDo: Record<JournalError["reason"], string> = {
  moved:
    "Name that place (proxyrental:journal, PROXYRENTAL_JOURNAL), and run again. If it is here again, copy it back (`npx pulumi-proxyrental journal copy`), or say so: `npx pulumi-proxyrental journal reopen`.",
  unavailable:
    "Mend that, or correct its name (proxyrental:journal, PROXYRENTAL_JOURNAL), and run again. A new journal would not know what was bought: name one only if nothing was ever bought with this one.",
  unfit:
    "Name another store (proxyrental:journal, PROXYRENTAL_JOURNAL). `npx pulumi-proxyrental journal check` shows what a store must do.",
  unreadable:
    "It may speak of an order that was paid. Look at the file, and move it away when you know what it stood for.",
  incomplete:
    "If nobody has it any more, name a new place (proxyrental:journal, PROXYRENTAL_JOURNAL), and take over the orders that `npx pulumi-proxyrental orphans` names before you run again.",
  conflict: "Run again when the other one has ended.",
  busy: "Run again when the other one has ended.",
};
