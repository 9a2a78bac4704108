/** An answer, and the store's own clock when it was given: ages are told by it, never by this machine's. */
export interface Told<Value> {
  value: Value;
  /** Some stores tell whole seconds only. */
  at: Date;
}

/**
 * Which revision of a document somebody has seen. To be handed back as it is. No two revisions of a name share one,
 * also where a document was removed and made again.
 */
export interface DocumentVersion {
  /** Counts from 1. */
  readonly revision: number;
  /** Random, this revision's first: then those of the revisions before it. */
  readonly nonces: readonly string[];
  /** What the product calls it; undefined where it was written, and somebody had gone on from it before this was told. */
  readonly productVersion: string | undefined;
}

/** A document as it stands. */
export interface Document {
  text: string;
  version: DocumentVersion;
}

/**
 * Texts by name, with compare-and-set: what a journal that many machines share needs of a store, and all of it.
 *
 * A name is made of parts between slashes, of small letters, digits, `.`, `_` and `-`. A text has no zero byte (JSON has none),
 * since not every product keeps it. What was written when a call ends is durable, and every later call of anybody sees it.
 * A condition that fails is a value. A call that throws `JournalError` may have been carried out, or may be later: what it was
 * to write is written whole, once, or never.
 */
export interface DocumentStore {
  /** Where it is, safe to print. */
  readonly place: string;
  /** Undefined where there is none. */
  read(name: string): Promise<Told<Document | undefined>>;
  /** Undefined where there is one already. */
  create(name: string, text: string): Promise<Told<DocumentVersion | undefined>>;
  /** Undefined where it is not that version any more. */
  replace(
    name: string,
    version: DocumentVersion,
    text: string,
  ): Promise<Told<DocumentVersion | undefined>>;
  /** False where it is not that version any more. Of several that remove one version, one is told true. */
  remove(name: string, version: DocumentVersion): Promise<Told<boolean>>;
  /** All names that begin so, in alphabetical order. */
  list(prefix: string): Promise<Told<string[]>>;
  /**
   * Takes a document away without a trace, whatever it is by now. Only for a name that nobody writes to any more: what
   * is still on its way to it would come to life again.
   */
  erase(name: string): Promise<void>;
  /** Lets go of connections. */
  close(): Promise<void>;
}
