import type { Told } from "./document-store.ts";

/** A text as a product keeps it. */
export interface RawDocument {
  text: string;
  /** What the product tells it from others by: an ETag, a generation. It may be the same again for the same text. */
  version: string;
}

/** A name in a listing. */
export interface RawEntry {
  name: string;
  /** How long its text is, in bytes of UTF-8. */
  bytes: number;
}

/**
 * One product that keeps texts by name, with two conditional writes. It asks once, and tells what it was answered: what an
 * answer means that did not come is decided by `openDocuments`, once for all products. Throws `StoreFailure` and
 * nothing else.
 */
export interface RawStore {
  /** Where it is, safe to print. */
  readonly place: string;
  read(name: string, limitMs: number): Promise<Told<RawDocument | undefined>>;
  /** Undefined where there is one. */
  create(name: string, text: string, limitMs: number): Promise<Told<string | undefined>>;
  /** Undefined where it is another version, or gone. */
  replace(
    name: string,
    version: string,
    text: string,
    limitMs: number,
  ): Promise<Told<string | undefined>>;
  list(prefix: string, limitMs: number): Promise<Told<RawEntry[]>>;
  /** Takes it away, whatever it is. */
  erase(name: string, limitMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Why a product did not do what it was asked. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  /**
   * `refused`: it was not done, and asking again is of no use. `busy`: it was not done, and may be the next time.
   * `unanswered`: nobody knows whether it was done, or will be.
   */
  readonly kind: "refused" | "busy" | "unanswered";

  constructor(kind: StoreFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
