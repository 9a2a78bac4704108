import { randomBytes } from "node:crypto";
import { type Clock, JournalError } from "../ports.ts";
import type { DocumentStore, DocumentVersion, Told } from "./document-store.ts";
import {
  type Envelope,
  KEPT_NONCES,
  REMOVED_BYTES,
  readEnvelope,
  writeEnvelope,
} from "./envelope.ts";
import { type RawStore, StoreFailure } from "./raw-store.ts";

export interface DocumentOptions {
  /** How long one call may take, with all that it asks the product. @default 10 000 */
  deadlineMs?: number;
  /** Makes 16 characters that nobody has made before. @default random ones */
  makeNonce?: () => string;
}

/** How often one call may remain without an answer. */
const MOST_UNANSWERED = 3;

const FIRST_PAUSE_MS = 25;

const LONGEST_PAUSE_MS = 1_000;

/** What a write goes on from: a document, the mark of a removed one, or nothing. */
type Base = Found | undefined;

/** What stands under a name, as far as a write has to know it. */
interface Found {
  kind: Envelope["kind"];
  revision: number;
  nonces: readonly string[];
  productVersion: string;
  text: string;
}

/** What a write puts in the place of its base. */
type Next = { kind: "live"; text: string } | { kind: "removed" };

/**
 * Makes documents of what a product keeps.
 *
 * Every revision carries a nonce, so that no two are alike (an ETag may be a content hash), and the nonces of those before
 * it. So a write whose answer was lost, or whose condition failed, reads back and sees whether it was carried out,
 * also where somebody has gone on from it meanwhile. A write that was not is sent again as it was: of all that were sent,
 * the condition lets one through.
 *
 * A removal puts a mark in the document's place, and the mark stays: it is the same conditional write that every product
 * has to know anyway (conditions on a removal are ignored by many), and what arrives late finds a name that is taken.
 */
export function openDocuments(
  raw: RawStore,
  clock: Clock,
  { deadlineMs = 10_000, makeNonce = randomNonce }: DocumentOptions = {},
): DocumentStore {
  const { place } = raw;

  async function look(name: string, call: Call): Promise<Told<Found | undefined>> {
    const { value, at } = await call.ask((limitMs) => raw.read(name, limitMs));
    if (value === undefined) return { value, at };
    const { text, version: productVersion } = value;
    const envelope = readEnvelope(name, place, text);
    return { value: { revision: 0, text: "", ...envelope, productVersion }, at };
  }

  async function write(
    name: string,
    begunFrom: Base,
    next: Next,
  ): Promise<Told<DocumentVersion | undefined>> {
    const call = beginCall(place, clock, deadlineMs);
    const nonce = makeNonce();
    let base = begunFrom;
    for (;;) {
      const { envelope, text } = compose(base, nonce, next);
      const sent = await call.send((limitMs) =>
        base === undefined
          ? raw.create(name, text, limitMs)
          : raw.replace(name, base.productVersion, text, limitMs),
      );
      if (sent?.value !== undefined) {
        return { value: { ...envelope, productVersion: sent.value }, at: sent.at };
      }
      const { value: found, at } = await look(name, call);
      const age = found?.nonces.indexOf(nonce) ?? -1;
      if (age === 0) return { value: { ...envelope, productVersion: found?.productVersion }, at };
      if (age > 0) return { value: { ...envelope, productVersion: undefined }, at };
      if (isSame(found, base)) {
        // Answered, and yet nothing has changed: whatever was in the way is gone again.
        if (sent !== undefined) await call.pause();
        continue;
      }
      if (call.isInDoubt() && !isOfAnother(found, base)) {
        throw call.explain(
          `nobody knows whether ${name} was written, since it has gone on meanwhile`,
        );
      }
      if (begunFrom !== undefined || found?.kind !== "removed") return { value: undefined, at };
      base = found;
    }
  }

  /** What was superseded before its writer was told can't be gone on from: only the store's clock is asked. */
  async function writeOver(
    name: string,
    { productVersion, revision, nonces }: DocumentVersion,
    next: Next,
  ): Promise<Told<DocumentVersion | undefined>> {
    if (productVersion !== undefined) {
      return write(name, { kind: "live", text: "", productVersion, revision, nonces }, next);
    }
    const { at } = await look(name, beginCall(place, clock, deadlineMs));
    return { value: undefined, at };
  }

  return {
    place,

    async read(name) {
      assertName(name);
      const { value: found, at } = await look(name, beginCall(place, clock, deadlineMs));
      if (found?.kind !== "live") return { value: undefined, at };
      return { value: { text: found.text, version: versionOf(found) }, at };
    },

    async create(name, text) {
      assertName(name);
      return write(name, undefined, { kind: "live", text });
    },

    async replace(name, version, text) {
      assertName(name);
      return writeOver(name, version, { kind: "live", text });
    },

    async remove(name, version) {
      assertName(name);
      const { value, at } = await writeOver(name, version, { kind: "removed" });
      return { value: value !== undefined, at };
    },

    async list(prefix) {
      assertName(`${prefix}x`);
      const call = beginCall(place, clock, deadlineMs);
      const { value, at } = await call.ask((limitMs) => raw.list(prefix, limitMs));
      const live = value.filter(({ bytes }) => bytes !== REMOVED_BYTES);
      return { value: live.map(({ name }) => name).sort(), at };
    },

    async erase(name) {
      assertName(name);
      await beginCall(place, clock, deadlineMs).ask((limitMs) => raw.erase(name, limitMs));
    },

    close: () => raw.close(),
  };
}

function randomNonce(): string {
  return randomBytes(12).toString("base64url");
}

/** What is sent, and the version that it will be. */
function compose(base: Base, nonce: string, next: Next) {
  const nonces = [nonce, ...(base?.nonces ?? [])].slice(0, KEPT_NONCES);
  const revision = (base?.revision ?? 0) + 1;
  const [before = nonce] = base?.nonces ?? [];
  const text = writeEnvelope(
    next.kind === "live" ? { ...next, revision, nonces } : { ...next, nonces: [nonce, before] },
  );
  return { envelope: { revision, nonces }, text };
}

function versionOf({ revision, nonces, productVersion }: Found): DocumentVersion {
  return { revision, nonces, productVersion };
}

function isSame(found: Found | undefined, base: Base): boolean {
  return found?.productVersion === base?.productVersion && found?.nonces[0] === base?.nonces[0];
}

/** Whether what stands there proves that it was another who went on from the base. */
function isOfAnother(found: Found | undefined, base: Base): boolean {
  if (found === undefined) return false;
  // All who have ever written there are told, and nothing was removed: no nonce is forgotten, and each is a revision's.
  if (base === undefined) {
    return found.nonces.length < KEPT_NONCES && found.revision === found.nonces.length;
  }
  return base.nonces[0] !== undefined && found.nonces.includes(base.nonces[0]);
}

/** What a call has asked so far, and how much longer it may. */
interface Call {
  /** Asks for what may be asked any number of times, until it is answered. */
  ask<Value>(question: (limitMs: number) => Promise<Value>): Promise<Value>;
  /** Sends what may be carried out once. Undefined where nobody knows whether it was. */
  send<Value>(request: (limitMs: number) => Promise<Value>): Promise<Value | undefined>;
  /** Waits, a little longer each time; throws where the time is up. */
  pause(): Promise<void>;
  /** Whether a request remained without an answer. */
  isInDoubt(): boolean;
  explain(reason: string, cause?: unknown): JournalError;
}

function beginCall(place: string, clock: Clock, deadlineMs: number): Call {
  const endsMs = clock.elapsedMs() + deadlineMs;
  let unanswered = 0;
  let inDoubt = false;
  let pauseMs = FIRST_PAUSE_MS;

  const explain = (reason: string, cause?: unknown) =>
    new JournalError("unavailable", `the journal in ${place} can't be used (${reason})`, cause);

  /** Half of what is left: what remains without an answer must leave time to ask what has become of it. */
  function limit(): number {
    return Math.max(1, Math.ceil((endsMs - clock.elapsedMs()) / 2));
  }

  async function pause(cause?: unknown): Promise<void> {
    const leftMs = endsMs - clock.elapsedMs();
    if (leftMs <= pauseMs) {
      const reason = cause instanceof Error ? cause.message : "others write to it all the time";
      throw explain(`${reason}; given up after ${deadlineMs / 1000} s`, cause);
    }
    // Not all who were in each other's way at the same moment again.
    await clock.sleep(pauseMs * (0.5 + Math.random() / 2));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Returns where it is to be asked again. */
  async function goOn(error: unknown): Promise<StoreFailure["kind"]> {
    if (!(error instanceof StoreFailure)) throw error;
    if (error.kind === "refused") throw explain(error.message, error);
    if (error.kind === "unanswered") unanswered++;
    if (unanswered >= MOST_UNANSWERED) throw explain(error.message, error);
    await pause(error);
    return error.kind;
  }

  return {
    pause,
    isInDoubt: () => inDoubt,
    explain,

    async ask(question) {
      for (;;) {
        try {
          return await question(limit());
        } catch (error) {
          await goOn(error);
        }
      }
    },

    async send(request) {
      for (;;) {
        try {
          return await request(limit());
        } catch (error) {
          if ((await goOn(error)) === "busy") continue;
          inDoubt = true;
          return undefined;
        }
      }
    },
  };
}

/** Small letters, because some disks don't tell them from capitals; nothing that a path or an address reads otherwise. */
const NAME = /^[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*)*$/;

function assertName(name: string): void {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is no name of a document`);
}
