import { type Clock, JournalError } from "../ports.ts";
import type { DocumentStore } from "./document-store.ts";

/** A call that has failed after this time was not refused: the store gave no answer. */
const NO_ANSWER_MS = 1_000;

/** For how long nobody who can do without it asks such a store again. */
const AWAY_MS = 15_000;

/** One store, for those who can do without an answer, and for those who can't. */
export interface NoticedStore {
  /** Fails at once while the store counts as away: nothing is bought then, and what may be skipped is skipped. */
  hasty: DocumentStore;
  /** Asks in any case. For what became of a purchase: the money has moved. */
  insistent: DocumentStore;
}

/**
 * Notices that a store gives no answer. To wait for it takes seconds, and a plan of many resources asks it for each of
 * them.
 */
export function noticeAway(
  documents: DocumentStore,
  { elapsedMs }: Pick<Clock, "elapsedMs">,
): NoticedStore {
  let away: { untilMs: number; failure: JournalError } | undefined;

  async function ask<Value>(question: () => Promise<Value>): Promise<Value> {
    const beganMs = elapsedMs();
    try {
      const answer = await question();
      away = undefined;
      return answer;
    } catch (error) {
      const isUnanswered = error instanceof JournalError && error.reason === "unavailable";
      if (isUnanswered && elapsedMs() - beganMs >= NO_ANSWER_MS) {
        away = { untilMs: elapsedMs() + AWAY_MS, failure: error };
      }
      throw error;
    }
  }

  function assertHere(): void {
    if (away === undefined || elapsedMs() >= away.untilMs) return;
    const { failure } = away;
    const reason = `${failure.message}; it is not asked again yet`;
    throw new JournalError(failure.reason, reason, failure);
  }

  function view(before: () => void): DocumentStore {
    const asking =
      <Args extends unknown[], Value>(question: (...args: Args) => Promise<Value>) =>
      async (...args: Args) => {
        before();
        return ask(() => question(...args));
      };
    return {
      place: documents.place,
      read: asking(documents.read),
      create: asking(documents.create),
      replace: asking(documents.replace),
      remove: asking(documents.remove),
      list: asking(documents.list),
      erase: asking(documents.erase),
      close: documents.close,
    };
  }

  return { hasty: view(assertHere), insistent: view(() => undefined) };
}
