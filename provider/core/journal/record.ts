import { type Clock, JournalError, type Urgency } from "../ports.ts";
import { explainMismatch } from "../values/mismatch.ts";
import { noticeAway } from "./away.ts";
import type { Document, DocumentStore, DocumentVersion, Told } from "./document-store.ts";
import { readUnlessLost } from "./lost-document.ts";

/** How a document's text is read and written. */
export interface RecordFormat<State> {
  /** What a document says that nobody has written yet. */
  empty: State;
  /** Throws for a text that this release does not understand. */
  parse(text: string): State;
  format(state: State): string;
}

/** The format of a document that is JSON. */
export function jsonFormat<State>(
  schema: { parse(document: unknown): State },
  empty: NoInfer<State>,
  indent = 0,
): RecordFormat<State> {
  return {
    empty,
    parse: (text) => schema.parse(JSON.parse(text)),
    format: (state) => JSON.stringify(state, undefined, indent),
  };
}

/** What a change makes of a document. The same object again means that nothing is to be written. */
export interface Changed<State, Result> {
  state: State;
  result: Result;
}

/** One document that many processes change. */
export interface JournalRecord<State> {
  /** What it says now, or said `readsLastMs` ago. All who ask at the same time share one answer. */
  read(): Promise<State>;
  /** What it said when this process last looked. */
  seen(): Promise<State>;
  /** The same, if it has looked, and no write has failed since. */
  peek(): State | undefined;
  /** The newest that it was ever seen to say, also if a write has failed since; undefined if nobody has looked. */
  told(): State | undefined;
  /**
   * Changes it. The change is told what the document says, and the store's time. It may be asked several times, and
   * what it says last was written. What it throws is thrown here, and the document stays as it is.
   *
   * Changes that are asked for at the same time are written at once.
   * @param urgency @default "hasty"
   */
  update<Result>(
    change: (state: State, now: Date) => Changed<State, Result>,
    urgency?: Urgency,
  ): Promise<Result>;
}

/** A store of documents, and its clock. */
export interface TimedStore {
  /** Fails at once while the store counts as away: see `noticeAway`. */
  documents: DocumentStore;
  /** Asks in any case. */
  insistent: DocumentStore;
  /** For how long what was read counts as what it says now. Each write looks anew if it must. */
  readsLastMs: number;
  /** Milliseconds of a clock that nobody sets. */
  elapsedMs(): number;
  /** What the store's clock says now; this machine's, if the store has not told its time yet. */
  now(): Date;
  /**
   * The latest that it may say: an answer may have been on its way all the time since it was asked for. While a machine
   * sleeps, one of its clocks stands still, so the one that has gone further counts.
   */
  latest(): Date;
  /** What it said in the first answer that this process got; undefined if there was none yet. */
  firstHeard(): Date | undefined;
  /** Asks the store something, and takes in the time that its answer tells. */
  ask<Value>(question: () => Promise<Told<Value>>): Promise<Value>;
}

/**
 * Makes a store tell its time: that of its newest answer, and what has passed since.
 * @param readsLastMs see `TimedStore`
 */
export function keepTime(documents: DocumentStore, clock: Clock, readsLastMs = 0): TimedStore {
  let firstHeard: Date | undefined;
  let heard: { at: Date; heardMs: number; askedMs: number; askedWallMs: number } | undefined;

  async function ask<Value>(question: () => Promise<Told<Value>>): Promise<Value> {
    const askedMs = clock.elapsedMs();
    const askedWallMs = clock.now().getTime();
    const { value, at } = await question();
    firstHeard ??= at;
    heard = { at, heardMs: clock.elapsedMs(), askedMs, askedWallMs };
    return value;
  }

  const { hasty, insistent } = noticeAway(documents, clock);
  return {
    documents: hasty,
    insistent,
    readsLastMs,
    elapsedMs: clock.elapsedMs,
    ask,
    firstHeard: () => firstHeard,
    now() {
      if (heard === undefined) return clock.now();
      return new Date(heard.at.getTime() + clock.elapsedMs() - heard.heardMs);
    },
    latest() {
      if (heard === undefined) return clock.now();
      const passedMs = Math.max(
        clock.elapsedMs() - heard.askedMs,
        clock.now().getTime() - heard.askedWallMs,
      );
      return new Date(heard.at.getTime() + passedMs);
    },
  };
}

interface Revision<State> {
  state: State;
  /** Undefined if there is no document yet. */
  version: DocumentVersion | undefined;
}

interface Pending<State> {
  urgency: Urgency;
  change(state: State, now: Date): Changed<State, unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

type Outcome = { result: unknown } | { error: unknown };

/** What a document says. Throws `JournalError` where this release does not understand it. */
export function parseRecord<State>(
  { parse }: RecordFormat<State>,
  name: string,
  { place }: Pick<DocumentStore, "place">,
  text: string,
): State {
  try {
    return parse(text);
  } catch (error) {
    const reason = explainMismatch(error);
    throw new JournalError("unreadable", `${name} in ${place} can't be read (${reason})`, error);
  }
}

/**
 * Opens a document. Nothing is read before it is asked for.
 * @param wasThere see `readUnlessLost`. What this process has read or written itself was there. @default others may take it away,
 * and it may always be that nobody has written it yet
 */
export function openRecord<State>(
  store: TimedStore,
  name: string,
  recordFormat: RecordFormat<State>,
  wasThere?: () => Promise<boolean>,
): JournalRecord<State> {
  const { empty, format } = recordFormat;
  /** The newest that an answer has told. It stays when a write fails, so that no late answer is taken for newer. */
  let newest: Revision<State> | undefined;
  /** When `newest` was what the document said, by `elapsedMs`. */
  let newestAtMs = Number.NEGATIVE_INFINITY;
  /** How many reads and writes were begun, and which of them has told `newest`. */
  let asked = 0;
  let newestAsked = 0;
  /** How many were begun when a write last failed: none of these tells what the document says since. */
  let askedBeforeFailure = 0;
  let queue: Pending<State>[] = [];
  let isWriting = false;
  /** The read that was asked for last, and has not begun. */
  let nextRead: Promise<Revision<State>> | undefined;
  let reading: Promise<unknown> = Promise.resolve();

  function begin() {
    return { asked: ++asked, atMs: store.elapsedMs() };
  }

  /** What the document says, as far as this process knows; undefined if nobody knows since a write has failed. */
  function current(): Revision<State> | undefined {
    return newestAsked > askedBeforeFailure ? newest : undefined;
  }

  /** Takes in what an answer tells, unless one to a later question came before it and tells more. */
  function learn(told: Revision<State>, begun: ReturnType<typeof begin>): Revision<State> {
    const isOvertaken = begun.asked < newestAsked && revisionOf(told) < revisionOf(newest);
    if (newest !== undefined && isOvertaken) return newest;
    newest = told;
    newestAtMs = begun.atMs;
    newestAsked = begun.asked;
    return told;
  }

  async function isMissed(): Promise<boolean> {
    return wasThere !== undefined && (newest?.version !== undefined || (await wasThere()));
  }

  async function fetch(documents = store.documents): Promise<Revision<State>> {
    const begun = begin();
    const found = await store.ask(() => readUnlessLost(documents, name, isMissed));
    const version = found?.version;
    const isKnown = version !== undefined && version.nonces[0] === newest?.version?.nonces[0];
    // Somebody may have put the same text there once more, under another version of the product.
    return learn({ state: newest && isKnown ? newest.state : read(found), version }, begun);
  }

  function read(found: Document | undefined): State {
    return found === undefined
      ? empty
      : parseRecord(recordFormat, name, store.documents, found.text);
  }

  /** A read that begins after it was asked for. */
  function fetchTogether(): Promise<Revision<State>> {
    if (nextRead !== undefined) return nextRead;
    const read = reading.then(() => {
      nextRead = undefined;
      return fetch();
    });
    nextRead = read;
    reading = read.catch(() => undefined);
    return read;
  }

  /** Asks all changes of a batch, one after the other. */
  function applyAll(batch: readonly Pending<State>[], begin: State, now: Date) {
    let state = begin;
    const outcomes = batch.map(({ change }): Outcome => {
      try {
        const changed = change(state, now);
        state = changed.state;
        return { result: changed.result };
      } catch (error) {
        return { error };
      }
    });
    return { state, outcomes };
  }

  /**
   * Applies changes to what this process has seen last, and looks anew if somebody else has written since. A change that
   * is refused, or has nothing to write, is believed only on a fresh look.
   */
  async function carryOut(batch: readonly Pending<State>[]): Promise<void> {
    const isUrgent = batch.some(({ urgency }) => urgency === "insistent");
    const documents = isUrgent ? store.insistent : store.documents;
    for (let base = current(); ; base = undefined) {
      const isFresh = base === undefined;
      const { state: before, version } = base ?? (await fetch(documents));
      const { state, outcomes } = applyAll(batch, before, store.now());
      const isSure = isFresh || (state !== before && !outcomes.some(isRefusal));
      if (!isSure) continue;
      if (state === before || (await write(documents, version, state))) {
        settle(batch, outcomes);
        return;
      }
    }
  }

  /** False if somebody else has written meanwhile. */
  async function write(
    documents: DocumentStore,
    version: DocumentVersion | undefined,
    state: State,
  ): Promise<boolean> {
    const text = format(state);
    const begun = begin();
    const writing = store.ask(() =>
      version === undefined ? documents.create(name, text) : documents.replace(name, version, text),
    );
    const written = await writing.catch((error: unknown) => {
      askedBeforeFailure = asked;
      throw error;
    });
    if (written === undefined) return false;
    learn({ state, version: written }, begun);
    return true;
  }

  /** What is asked for while something is written is written together next. */
  async function pump(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (queue.length > 0) {
      // Whoever asks at this moment is a part of it.
      await Promise.resolve();
      const batch = queue;
      queue = [];
      await carryOut(batch).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
    }
    isWriting = false;
  }

  function recent(): Revision<State> | undefined {
    return store.elapsedMs() - newestAtMs < store.readsLastMs ? current() : undefined;
  }

  return {
    read: async () => (recent() ?? (await fetchTogether())).state,
    seen: async () => (current() ?? (await fetchTogether())).state,
    peek: () => current()?.state,
    told: () => newest?.state,
    update<Result>(
      change: (state: State, now: Date) => Changed<State, Result>,
      urgency: Urgency = "hasty",
    ) {
      return new Promise<Result>((resolve, reject) => {
        // A change's own result is handed back to whoever asked for it.
        queue.push({ change, urgency, resolve: resolve as (result: unknown) => void, reject });
        void pump();
      });
    },
  };
}

/** 0 if there is no document yet. */
function revisionOf(told: Pick<Revision<unknown>, "version"> | undefined): number {
  return told?.version?.revision ?? 0;
}

function settle<State>(batch: readonly Pending<State>[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined && "error" in outcome) reject(outcome.error);
    else resolve(outcome?.result);
  }
}

function isRefusal(outcome: Outcome): boolean {
  return "error" in outcome;
}
