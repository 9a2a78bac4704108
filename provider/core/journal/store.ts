import type { Intent } from "./intent.ts";

/**
 * Where intents are kept. Files on this machine are the default; a store that many runners share can stand
 * behind the same interface.
 */
export interface JournalStore {
  /** Every intent that is not done. Throws `JournalError` where one can't be read: it may hide a purchase. */
  readOpen(): Promise<Intent[]>;
  /** Every intent that is done. What can't be read is left out: it stands in nobody's way. */
  readDone(): Promise<Intent[]>;
  /** Puts a new intent down, safe against a crash from then on. False where its id is taken. */
  create(intent: Intent): Promise<boolean>;
  /**
   * Puts the next revision in the place of the one before it, safe against a crash from then on. Throws
   * `JournalError` where another process was first.
   */
  replace(next: Intent): Promise<void>;
  /** Takes away an intent that came to nothing. */
  remove(intent: Intent): Promise<void>;
}

/** Why the journal can't be used: nothing may be bought then. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  /** `busy`: another process has its turn on the account. */
  readonly reason: "unavailable" | "unreadable" | "conflict" | "busy";

  constructor(reason: JournalError["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
