import { isDeepStrictEqual } from "node:util";
import { JournalError, type JournalStore, type Log, type Urgency } from "../ports.ts";
import {
  changeIntent,
  type Intent,
  type IntentChange,
  isDone,
  isOnlyConcluded,
  type PurchaseSpec,
} from "../records/intent.ts";
import { messageOf } from "../values/message-of.ts";
import { withoutScope } from "../values/owner.ts";
import { queueByKey } from "../values/queue-by-key.ts";

/** What a state may know better than the journal, whose store may have been away when the answer came. */
export type KnownDetails = Partial<
  Pick<Intent, "orderNumber" | "orderIds" | "isNumberTaken" | "charged">
>;

/** What this process writes down of purchases after they were begun. */
export interface PurchaseChanges {
  /** Throws if it can't be written, or if another process was first. */
  change<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
    urgency?: Urgency,
  ): Promise<Intent<About> & Change>;
  /** The same of what follows from this very revision: throws as well if this process has changed the purchase since. */
  changeThis(intent: Intent, changes: IntentChange): Promise<Intent>;
  /**
   * The same after money moved. Does not throw: a journal in trouble must not make a paid order look lost. What could not
   * be written down is made up for: see `makeUpFor`.
   */
  note<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
  ): Promise<Intent<About> & Change>;
  /**
   * The same over what other processes have written first, for as long as that may be written over.
   * @param changesOn what is to be written, from what was written last
   * @param mayWriteOver is asked of what another process has written. What it throws is thrown here.
   */
  noteOver<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changesOn: (now: Intent) => Change,
    mayWriteOver: (now: Intent) => boolean,
  ): Promise<Intent<About> & Change>;
  /**
   * The same of what the service has answered. It stands above what another run has concluded without an answer: that one may have
   * taken this process for dead.
   */
  noteAnswer<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    answer: Change,
  ): Promise<Intent<About> & Change>;
  /**
   * Writes down what follows from what was seen. It yields to an answer that another process has written meanwhile. Throws if it
   * can't be written, or if another process has seen something meanwhile: a conclusion holds for what it was drawn from.
   */
  conclude(intent: Intent, conclusion: IntentChange): Promise<void>;
  /** The next change of the purchase writes these, too, or else the end of the run does. */
  makeUpFor(intent: Intent, changes: IntentChange): void;
  /**
   * Writes a confirmation down while the run goes on, with what the state knows better than the journal. If that fails, a
   * later run does it again.
   */
  confirm(intent: Intent, told?: KnownDetails): void;
  /** Purchases as this process has written them, and with the confirmations that are being written. */
  withConfirmed(intents: Intent[]): Intent[];
  /** A purchase as this process has written it last, if that is newer. Callers may hold an older one. */
  newestOf(intent: Intent): Intent;
  /** Waits for the confirmations, and writes what could not be written before, as far as that is possible now. */
  written(): Promise<void>;
}

/** How often a purchase is changed by what follows from its newest revision, until others are no longer first. */
export const MOST_TRIES = 4;

/** What was to be written down of a purchase, and could not be. */
interface MissedChange {
  intent: Intent;
  changes: IntentChange;
  /** Whether it is, in part at least, what the service has answered: see `noteAnswer`. */
  isAnswer: boolean;
}

/**
 * What is still to be written down. What became of a purchase stays true, whatever others write. Who has it does not: they
 * may have given it to somebody else since.
 */
function stillMissed(missed: MissedChange | undefined, base: Intent): IntentChange {
  if (missed === undefined) return {};
  const { changes } = missed;
  if (base.revision === missed.intent.revision) return changes;
  const { owner: _owner, holders: _holders, scopes: _scopes, ...became } = changes;
  if (became.closedBecause !== "released") return became;
  const { phase: _phase, closedBecause: _because, ...known } = became;
  return known;
}

/** Opens the changes of one process. */
export function openChanges(
  store: Pick<JournalStore, "replace" | "readAll">,
  { now, log }: { now(): Date; log: Log },
): PurchaseChanges {
  const ownNewest = new Map<string, Intent>();
  /** What was to be written down of a purchase, and could not be. */
  const missed = new Map<string, MissedChange>();
  /** The writes of purchases that failed. One may have arrived all the same. */
  const tried = new Map<string, Intent>();
  /**
   * Confirmations that are being written, by the ids of their purchases. The engine plans one resource after the other. If
   * each plan waited for its own, a shared journal would be asked once for each order, and not once for many.
   */
  const confirming = new Map<string, { intent: Intent; done: Promise<void> }>();
  /** The changes of one purchase come one after the other: each starts from what the one before it has written. */
  const oneByOne = queueByKey();

  function newestOf(intent: Intent): Intent {
    const own = ownNewest.get(intent.id);
    return own && own.revision > intent.revision ? own : intent;
  }

  /** Not if another process was first: it may have given the purchase to a state that nobody has seen. */
  function isConfirming({ id, revision }: Intent): boolean {
    const confirmed = confirming.get(id)?.intent;
    return confirmed !== undefined && revision <= newestOf(confirmed).revision;
  }

  /** Writes the next revision, after the newest that this process has written. */
  async function write<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
    urgency: Urgency,
  ): Promise<Intent<About> & Change> {
    const { purchase } = intent;
    const next = changeIntent({ ...newestOf(intent), purchase }, changes, now());
    tried.set(next.id, next);
    await store.replace(next, urgency).catch((error: unknown) => {
      // Another process was first, so this one can't have arrived.
      if (isConflict(error)) tried.delete(next.id);
      throw error;
    });
    tried.delete(next.id);
    ownNewest.set(next.id, next);
    return next;
  }

  function change<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
    {
      urgency = "hasty",
      isExact = false,
    }: { urgency?: Urgency | undefined; isExact?: boolean } = {},
  ): Promise<Intent<About> & Change> {
    return oneByOne(intent.id, async () => {
      if (isExact && newestOf(intent) !== intent) throw changedSince(intent);
      const all = { ...stillMissed(missed.get(intent.id), newestOf(intent)), ...changes };
      const before = tried.get(intent.id);
      const next = await write(intent, all, urgency).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error;
        // An answer stays true, whatever others have concluded: see `written`.
        if (!missed.get(intent.id)?.isAnswer) missed.delete(intent.id);
        const arrived = before && (await findArrived(before));
        if (arrived === undefined) throw error;
        return write({ ...arrived, purchase: intent.purchase }, all, urgency);
      });
      missed.delete(intent.id);
      return next;
    });
  }

  /** What the store has of a purchase. */
  async function findKept(id: string): Promise<Intent | undefined> {
    return (await store.readAll()).find((one) => one.id === id);
  }

  /** The same, if this process has written it. */
  async function findArrived(written: Intent): Promise<Intent | undefined> {
    const kept = await findKept(written.id);
    return kept && isSameRecord(kept, written) ? kept : undefined;
  }

  /** Writes over what other processes have written first, for as long as that may be written over. */
  async function writeOver<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changesOn: (now: Intent) => Change,
    mayWriteOver: (now: Intent) => boolean,
  ) {
    const { id, purchase } = intent;
    for (let now = intent, tries = 1; ; tries++) {
      const changes = changesOn(now);
      try {
        return { written: await change(now, changes, { urgency: "insistent" }) };
      } catch (error) {
        const isOthers = isConflict(error) && tries < MOST_TRIES;
        const newest = isOthers ? await findKept(id).catch(() => undefined) : undefined;
        if (newest === undefined || !mayWriteOver(newest)) return { now, changes, error };
        now = { ...newest, purchase };
      }
    }
  }

  /** What this process knows of a purchase that it could not write down. */
  function unwritten<About extends PurchaseSpec, Change extends IntentChange>(
    intent: Intent<About>,
    changes: Change,
    error: unknown,
    isAnswer = false,
  ): Intent<About> & Change {
    const reason = messageOf(error);
    log.warn(`${reason}; what became of the purchase ${intent.id} is not written down`);
    // What another process has written is not written over, unless it has concluded that without the answer. What follows from the
    // answer stands above that, too.
    const isAnswered = missed.get(intent.id)?.isAnswer === true;
    if (isAnswered || !isConflict(error)) makeUpFor(intent, changes, isAnswer);
    // The next change goes on from what was written.
    return { ...changeIntent(intent, changes, now()), revision: intent.revision };
  }

  function makeUpFor(intent: Intent, changes: IntentChange, isAnswer = false): void {
    const base = newestOf(intent);
    const former = missed.get(intent.id);
    const all = { ...stillMissed(former, base), ...changes };
    missed.set(intent.id, {
      ...{ intent: base, changes: all },
      isAnswer: isAnswer || former?.isAnswer === true,
    });
  }

  return {
    change: (intent, changes, urgency) => change(intent, changes, { urgency }),
    changeThis: (intent, changes) => change(intent, changes, { isExact: true }),
    makeUpFor: (intent, changes) => makeUpFor(intent, changes),
    newestOf,

    note: (intent, changes) =>
      change(intent, changes, { urgency: "insistent" }).catch((error: unknown) =>
        unwritten(intent, changes, error),
      ),

    async noteOver(intent, changesOn, mayWriteOver) {
      const outcome = await writeOver(intent, changesOn, mayWriteOver);
      if ("written" in outcome) return outcome.written;
      return unwritten(outcome.now, outcome.changes, outcome.error);
    },

    async noteAnswer(intent, answer) {
      const outcome = await writeOver(intent, () => answer, isOnlyConcluded);
      if ("written" in outcome) return outcome.written;
      return unwritten(outcome.now, outcome.changes, outcome.error, true);
    },

    async conclude(intent, conclusion) {
      try {
        await change(intent, conclusion);
      } catch (error) {
        const newest = isConflict(error) ? await findKept(intent.id) : undefined;
        if (newest === undefined || isOnlyConcluded(newest)) throw error;
      }
    },

    confirm(intent, told = {}) {
      const isNew = Object.keys(told).length > 0;
      if (confirming.has(intent.id) && !isNew) return;
      const written = oneByOne(intent.id, async () => {
        const newest = newestOf(intent);
        const before = stillMissed(missed.get(intent.id), newest);
        const { phase } = newest;
        // This process may have closed it since it was read, and what is closed stays closed.
        if (phase === "closed" || before.phase === "closed") return;
        if (phase === "confirmed" && !isNew) return;
        await write(intent, { ...before, ...told, phase: "confirmed" }, "hasty");
        missed.delete(intent.id);
      });
      const forget = () => {
        if (confirming.get(intent.id)?.done === done) confirming.delete(intent.id);
      };
      const done = written.then(forget, forget);
      confirming.set(intent.id, { intent, done });
    },

    // The state knows what is being confirmed, whatever becomes of the write. The revision stays that of the store: a change
    // of one that was never written would overwrite what another process has written.
    withConfirmed(intents) {
      if (confirming.size === 0 && ownNewest.size === 0) return intents;
      return intents.map((read) => {
        // The answer may have been on its way while this process has written more.
        const intent = newestOf(read);
        return isConfirming(intent) && !isDone(intent) ? { ...intent, phase: "confirmed" } : intent;
      });
    },

    async written() {
      await Promise.all(Array.from(confirming.values(), ({ done }) => done));
      // Each change writes what was missed, too.
      const again = Array.from(missed.values(), ({ intent, isAnswer }) =>
        isAnswer
          ? writeOver(intent, () => ({}), isOnlyConcluded)
          : change(intent, {}, { urgency: "insistent" }),
      );
      await Promise.allSettled(again);
    },
  };
}

/** Whether two say the same of a purchase. Another process may have written the same revision, and something else in it. */
function isSameRecord(kept: Intent, written: Intent): boolean {
  return isDeepStrictEqual(toPlain(kept), toPlain(written));
}

/** What is written down of a purchase, as a run of any scope names it. */
function toPlain({ purchase: _same, owner, requestId, holders, ...said }: Intent): unknown {
  const named = holders?.map((holder) => ({ ...holder, owner: withoutScope(holder.owner) }));
  const names = { owner: withoutScope(owner), requestId: withoutScope(requestId), holders: named };
  return JSON.parse(JSON.stringify({ ...said, ...names }));
}

function changedSince({ id }: Intent): JournalError {
  return new JournalError("conflict", `the purchase ${id} was changed since it was read`);
}

/** Whether another process has changed the purchase meanwhile. */
export function isConflict(error: unknown): boolean {
  return error instanceof JournalError && error.reason === "conflict";
}
