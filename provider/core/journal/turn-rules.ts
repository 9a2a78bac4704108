import { JournalError } from "../ports.ts";
import type { Intent } from "../records/intent.ts";
import type { AccountDocument, HeldTurn, MovedTo } from "./account-document.ts";

/** Throws for a journal that was copied to another place: what is written to it, nobody would know there. */
export function assertNotMoved({ movedTo }: Pick<AccountDocument, "movedTo">): void {
  if (movedTo !== undefined) throw journalMoved(movedTo);
}

/** Says where a journal is now. */
export function journalMoved({ url, at }: MovedTo): JournalError {
  return new JournalError("moved", `this journal was moved to ${url} at ${at}`);
}

/** Takes the turn. Undefined if somebody else has it. */
export function takeTurn(
  account: AccountDocument,
  by: { runId: string; until: Date },
  isFree: (turn: HeldTurn) => boolean,
): AccountDocument | undefined {
  assertNotMoved(account);
  const { turn, ...rest } = account;
  if (turn !== undefined && turn.runId !== by.runId && !isFree(turn)) return undefined;
  const { runId, until } = by;
  // What this run has sent, and could not watch to the end, is still on its way.
  if (turn?.runId === runId && turn.phase === "sending") {
    const { givenBack: _, ...sending } = turn;
    return { ...rest, turn: { ...sending, until: laterOf(turn.until, until) } };
  }
  return { ...rest, turn: { runId, phase: "taken", until: until.toISOString() } };
}

/** Makes the turn last until a moment, if it is over before another one. Throws if it was lost. */
export function prolongTurn(
  account: AccountDocument,
  by: { runId: string; until: Date },
  unlessUntil: Date,
): AccountDocument {
  const { turn } = account;
  if (turn?.runId !== by.runId) throw lostTurn();
  if (Date.parse(turn.until) > unlessUntil.getTime()) return account;
  return { ...account, turn: { ...turn, until: laterOf(turn.until, by.until) } };
}

function laterOf(one: string, other: Date): string {
  return new Date(Math.max(Date.parse(one), other.getTime())).toISOString();
}

/**
 * Gives the turn back. One that somebody else has taken over stays theirs. While nobody has written down what became of
 * the purchase that was sent, the turn stays what it is.
 */
export function releaseTurn(account: AccountDocument, runId: string): AccountDocument {
  const { turn, ...rest } = account;
  if (turn?.runId !== runId) return account;
  return turn.phase === "taken" ? rest : { ...rest, turn: { ...turn, givenBack: true } };
}

/** A store may tell whole seconds: by them, a time may be over too early. */
const ROUNDING_MS = 1_000;

/**
 * Turns "taken" into "sending", with the purchase written down. From then on nobody else may have the turn before the
 * answer and its late effects are over. Throws if the turn was lost: then nothing may be sent.
 */
export function beginSending(account: AccountDocument, intent: Intent, now: Date): AccountDocument {
  assertNotMoved(account);
  const { turn } = account;
  if (turn?.runId !== intent.runId) throw lostTurn();
  const lastsMs = Date.parse(intent.answerBy) - Date.parse(intent.sentAt) + ROUNDING_MS;
  const until = laterOf(turn.until, new Date(now.getTime() + lastsMs));
  return {
    ...account,
    turn: { ...turn, phase: "sending", intent: intent.id, until },
    sequence: Math.max(account.sequence, intent.sequence ?? 0),
    underWay: [...account.underWay, intent],
  };
}

/** Takes in what has become of a purchase. What is known of the one that was sent ends the sending. */
export function noteChange(account: AccountDocument, next: Intent): AccountDocument {
  assertNotMoved(account);
  const { turn, ...rest } = account;
  const underWay = account.underWay.map((intent) => (intent.id === next.id ? next : intent));
  const isAnswered = turn?.intent === next.id && next.phase !== "sending";
  if (!isAnswered) return { ...account, underWay };
  if (turn.givenBack) return { ...rest, underWay };
  const { runId, until } = turn;
  return { ...rest, underWay, turn: { runId, phase: "taken", until } };
}

/** What a process is told that slept, or was stopped, until others took it for dead. */
export function lostTurn(): JournalError {
  return new JournalError("busy", LOST);
}

export function isLostTurn(error: unknown): boolean {
  return error instanceof JournalError && error.message === LOST;
}

const LOST = "this process lost its turn on the account, as happens when the machine sleeps";
