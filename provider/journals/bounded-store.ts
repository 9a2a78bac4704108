import type { Told } from "../core/journal/document-store.ts";
import {
  type RawDocument,
  type RawEntry,
  type RawStore,
  StoreFailure,
} from "../core/journal/raw-store.ts";
import { withoutPasswords } from "../core/values/without-passwords.ts";

/** A product as its file in this folder knows it: it stops when it is told to, and may throw what it likes. */
export interface Product {
  readonly place: string;
  read(name: string, signal: AbortSignal): Promise<Told<RawDocument | undefined>>;
  create(name: string, text: string, signal: AbortSignal): Promise<Told<string | undefined>>;
  replace(
    name: string,
    version: string,
    text: string,
    signal: AbortSignal,
  ): Promise<Told<string | undefined>>;
  list(prefix: string, signal: AbortSignal): Promise<Told<RawEntry[]>>;
  erase(name: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** How much of a reason is told, in characters. */
const MOST_SAID = 400;

/**
 * Gives each question its limit, and each failure its kind. What a product throws that it has not judged itself is
 * taken for no answer: that is the one that may be wrong without harm.
 */
export function bound(product: Product): RawStore {
  return {
    place: product.place,
    read: (name, limitMs) => within(limitMs, (signal) => product.read(name, signal)),
    create: (name, text, limitMs) =>
      within(limitMs, (signal) => product.create(name, text, signal)),
    replace: (name, version, text, limitMs) =>
      within(limitMs, (signal) => product.replace(name, version, text, signal)),
    list: (prefix, limitMs) => within(limitMs, (signal) => product.list(prefix, signal)),
    erase: (name, limitMs) => within(limitMs, (signal) => product.erase(name, signal)),
    close: () => product.close(),
  };
}

async function within<Value>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const abort = new AbortController();
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const failure = new StoreFailure("unanswered", `no answer within ${limitMs / 1000} s`);
    // Whoever stops first, this is why.
    tooLate.reject(failure);
    abort.abort(failure);
  }, limitMs);
  try {
    return await Promise.race([work(abort.signal), tooLate.promise]);
  } catch (error) {
    const kind = error instanceof StoreFailure ? error.kind : "unanswered";
    throw new StoreFailure(kind, tellFailure(error), error);
  } finally {
    clearTimeout(timer);
  }
}

/** Of this much a secret is taken out. That takes long where much is said. */
const MOST_READ = 10_000;

/** Why something failed, in one line and without a secret. */
export function tellFailure(error: unknown): string {
  const said = describe(error).slice(0, MOST_READ);
  return inOneLine(withoutPasswords(withoutQueries(said)));
}

/** The query of an address may be a token. */
function withoutQueries(text: string): string {
  return text.replaceAll(/(\w+:\/\/[^\s?]+)\?[^\s'")]*/g, "$1");
}

/** Some libraries give advice to programmers below the reason, or the page that they could not read. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_SAID);
}

/** What a connection failed by often stands below a sentence that says nothing. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") {
    return error.errors.map(describe).join(", ");
  }
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreFailure) return error.message;
  return error.cause instanceof Error ? describe(error.cause) : error.message;
}
