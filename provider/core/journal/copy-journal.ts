import { isDeepStrictEqual } from "node:util";
import type { JournalStore, Locks } from "../ports.ts";
import { isDone } from "../records/intent.ts";
import {
  ACCOUNT,
  type AccountDocument,
  accountFormat,
  type HeldTurn,
  type MovedTo,
} from "./account-document.ts";
import type { DocumentStore, DocumentVersion } from "./document-store.ts";
import { parseRecord } from "./record.ts";
import { isSign } from "./signs-of-life.ts";

/** The journal of one service, at one end of a copy. */
export interface JournalEnd {
  /** Where it is, safe to print. */
  place: string;
  /** How a setting names the place, without secrets. */
  url: string;
  documents: DocumentStore;
  store: Pick<JournalStore, "readAll">;
  locks: Pick<Locks, "isRunAlive" | "stopRun">;
}

/** What a copy has done. */
export interface CopyOutcome {
  purchases: number;
  /** Whether all of it was there before. */
  wasThere: boolean;
}

/** Why a journal is not copied, in one sentence. */
class CopyError extends Error {
  override readonly name = "CopyError";
}

/** A journal as it stands. */
interface Snapshot {
  /** Undefined if nobody has begun to buy with it. */
  account: Omit<AccountDocument, "turn" | "movedTo"> | undefined;
  turn: HeldTurn | undefined;
  movedTo: MovedTo | undefined;
  /** Of the account's document. */
  version: DocumentVersion | undefined;
  /** When the account's document was read, by the clock of the store. */
  at: Date;
  /** All other documents, by their names. */
  texts: ReadonlyMap<string, string>;
}

/** Tells which accounts the purchases belong to. */
const SALT = "salt.json";

/** How often a journal is read anew that somebody writes to meanwhile. */
const MOST_ROUNDS = 5;

/**
 * Throws where a journal can't be copied: a run that buys with it goes on, or the other end has another journal. Changes
 * nothing.
 */
export async function assertCopyable(from: JournalEnd, to: JournalEnd): Promise<void> {
  const snapshot = await readHere(from, to);
  await assertNobodyBuys(from, snapshot);
  await lookAtTarget(snapshot, from, to);
}

/**
 * Copies a journal with all of its documents, but for what was found out about the store itself.
 *
 * At no moment can anybody buy with both. The copy is begun with a mark: the journal is still at the old place. Once it is
 * read back, the old place gets the mark that the journal is at the new one, by a compare-and-set on what was copied. Then
 * the copy loses its mark. A copy that is cut off is completed by the next one.
 *
 * A journal that was left may come back: nobody has written to it since, so that what is there is older.
 */
export async function copyJournal(from: JournalEnd, to: JournalEnd): Promise<CopyOutcome> {
  const first = await readAtRest(from, to);
  const target = await lookAtTarget(first, from, to);
  if (target.kind === "begun") {
    const isLeft = first.movedTo !== undefined || (await leave(first, from, to));
    if (!isLeft) throw anotherJournal(to);
  } else {
    await begin(await fill(first, target.version, from, to), to);
  }
  const purchases = (await to.store.readAll()).length;
  return { purchases, wasThere: target.kind === "begun" };
}

/** Copies until nobody has written to the journal meanwhile. Then both ends are marked. */
async function fill(
  first: Snapshot,
  standing: DocumentVersion | undefined,
  from: JournalEnd,
  to: JournalEnd,
): Promise<Marked> {
  let snapshot = first;
  let version = standing;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    snapshot = await putBesideAccount(snapshot, from, to);
    await assertWritten(snapshot.texts, to);
    const { account = accountFormat.empty, at } = snapshot;
    const text = accountFormat.format({ ...account, movedTo: markOf(from, at) });
    version = await putAccount(text, version, to);
    if (await leave(snapshot, from, to)) return { account, version };
    snapshot = await readAtRest(from, to);
  }
  throw alwaysWritten(from);
}

/** A copy that is whole, and with which nobody can buy yet. */
interface Marked {
  account: AccountDocument;
  version: DocumentVersion;
}

/** Takes the mark away from a copy: from now on the journal is there. */
async function begin({ account, version }: Marked, to: JournalEnd): Promise<void> {
  await putAccount(accountFormat.format(account), version, to);
}

/** Writes the account's document, and reads it back. */
async function putAccount(
  text: string,
  version: DocumentVersion | undefined,
  to: JournalEnd,
): Promise<DocumentVersion> {
  const { value: written } = await (version === undefined
    ? to.documents.create(ACCOUNT, text)
    : to.documents.replace(ACCOUNT, version, text));
  if (written === undefined) throw anotherJournal(to);
  const { value: read } = await to.documents.read(ACCOUNT);
  // As soon as it is written, somebody may buy with it.
  const isOwn = read === undefined || read.version.nonces[0] === written.nonces[0];
  if (isOwn && read?.text !== text) throw notAsWritten(ACCOUNT, to);
  return written;
}

/** Marks a journal as moved. False if somebody has written to it since it was copied. */
async function leave(
  { account = accountFormat.empty, version, at }: Snapshot,
  from: JournalEnd,
  to: JournalEnd,
): Promise<boolean> {
  const text = accountFormat.format({ ...account, movedTo: markOf(to, at) });
  const { value } = await (version === undefined
    ? from.documents.create(ACCOUNT, text)
    : from.documents.replace(ACCOUNT, version, text));
  return value !== undefined;
}

function markOf({ url }: JournalEnd, at: Date): MovedTo {
  return { url, at: at.toISOString() };
}

/** The journal that is copied. Throws if it is somewhere else by now. */
async function readHere(from: JournalEnd, to: JournalEnd): Promise<Snapshot> {
  const snapshot = await readSnapshot(from);
  assertIsHere(snapshot, from, to);
  return snapshot;
}

/**
 * The same, in a moment in which nobody has the turn. Whoever had it before sends nothing any more, also if it only stood
 * still. Whoever takes it later changes the account's document, and then this is not what is left.
 */
async function readAtRest(from: JournalEnd, to: JournalEnd): Promise<Snapshot> {
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const snapshot = await readHere(from, to);
    await assertNobodyBuys(from, snapshot);
    if (snapshot.turn === undefined) return snapshot;
    await from.locks.stopRun(snapshot.turn.runId);
  }
  throw alwaysWritten(from);
}

/** A journal that was moved somewhere else is the older one. */
function assertIsHere({ movedTo }: Snapshot, { place }: JournalEnd, to: JournalEnd): void {
  if (movedTo === undefined || movedTo.url === to.url) return;
  throw new CopyError(`the journal in ${place} was moved to ${movedTo.url}: copy from there`);
}

/** Writes all documents but the account's, until nobody has written to the journal meanwhile. Gives what was written. */
async function putBesideAccount(
  first: Snapshot,
  from: JournalEnd,
  to: JournalEnd,
): Promise<Snapshot> {
  let snapshot = first;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    await putAll(snapshot.texts, to);
    const newest = await readAtRest(from, to);
    if (isSameJournal(newest, snapshot)) return newest;
    snapshot = newest;
  }
  throw alwaysWritten(from);
}

function isSameJournal(a: Snapshot, b: Snapshot): boolean {
  const whatIsCopied = ({ account, texts }: Snapshot) => ({ account, texts });
  return isDeepStrictEqual(whatIsCopied(a), whatIsCopied(b));
}

function alwaysWritten({ place }: JournalEnd): CopyError {
  return new CopyError(
    `runs write to the journal in ${place} all the time: wait until they have ended, and copy again`,
  );
}

/** The salt first: whoever has another one has another journal, also if nobody has bought with it yet. */
async function putAll(texts: Snapshot["texts"], to: JournalEnd): Promise<void> {
  const saltFirst = [...texts].toSorted(([a], [b]) => Number(b === SALT) - Number(a === SALT));
  for (const [name, text] of saltFirst) await put(name, text, to);
}

async function put(name: string, text: string, to: JournalEnd): Promise<void> {
  const { documents } = to;
  const { value: there } = await documents.read(name);
  if (there?.text === text) return;
  if (there !== undefined && name === SALT) throw anotherJournal(to);
  const { value: written } =
    there === undefined
      ? await documents.create(name, text)
      : await documents.replace(name, there.version, text);
  if (written === undefined) throw anotherJournal(to);
}

/**
 * What is at the other end: this journal, or nothing with which anybody can buy, so that it may be written over. What
 * stands there without an account's document was left by a copy that was cut off, or by a preview. Throws if there is
 * another journal.
 */
async function lookAtTarget(
  { account, texts, movedTo }: Snapshot,
  from: JournalEnd,
  to: JournalEnd,
): Promise<{ kind: "begun" } | { kind: "free"; version: DocumentVersion | undefined }> {
  const there = await readSnapshot(to);
  const salt = there.texts.get(SALT);
  if (salt !== undefined && salt !== texts.get(SALT)) throw anotherJournal(to);
  const { version } = there;
  if (there.account === undefined || there.movedTo?.url === from.url) {
    return { kind: "free", version };
  }
  if (there.movedTo !== undefined) throw anotherJournal(to);
  // It was moved there before, and may have gone on.
  if (movedTo !== undefined) return { kind: "begun" };
  const isSame =
    isDeepStrictEqual(there.account, account ?? accountFormat.empty) &&
    isDeepStrictEqual(purchasesIn(there.texts), purchasesIn(texts));
  if (!isSame) throw anotherJournal(to);
  return { kind: "begun" };
}

/** The documents that say what was bought with which account. Previews and flags may have changed since. */
function purchasesIn(texts: Snapshot["texts"]): Snapshot["texts"] {
  return new Map([...texts].filter(([name]) => name === SALT || name.startsWith("book/")));
}

function anotherJournal({ place }: JournalEnd): CopyError {
  return new CopyError(
    `${place} has another journal of this service already: copy to a place that has none`,
  );
}

async function assertWritten(texts: Snapshot["texts"], to: JournalEnd): Promise<void> {
  for (const [name, text] of texts) {
    const { value } = await to.documents.read(name);
    if (value?.text !== text) throw notAsWritten(name, to);
  }
}

function notAsWritten(name: string, { place }: JournalEnd): CopyError {
  return new CopyError(
    `${name} in ${place} does not say what was written there: do not use that journal`,
  );
}

/** A run that goes on may buy more. What it buys after the copy, nobody would know who uses the copy. */
async function assertNobodyBuys(
  { store, locks, place }: JournalEnd,
  { turn }: Snapshot,
): Promise<void> {
  const open = (await store.readAll()).filter((intent) => !isDone(intent));
  const runIds = new Set(open.map(({ runId }) => runId));
  if (turn !== undefined) runIds.add(turn.runId);
  const alive = await Promise.all([...runIds].map((runId) => locks.isRunAlive(runId)));
  if (!alive.includes(true)) return;
  throw new CopyError(
    `a run that buys with the journal in ${place} goes on: wait until it has ended, and copy again`,
  );
}

/** The account's document first: what is put away into the book meanwhile stands in both then, and not in neither. */
async function readSnapshot({ documents }: JournalEnd): Promise<Snapshot> {
  const { value: found, at } = await documents.read(ACCOUNT);
  const { value: names } = await documents.list("");
  const texts = new Map<string, string>();
  for (const name of names.filter(isCopied)) {
    const { value } = await documents.read(name);
    if (value !== undefined) texts.set(name, value.text);
  }
  const { version } = found ?? {};
  const whole = found && parseRecord(accountFormat, ACCOUNT, documents, found.text);
  if (whole === undefined) {
    return { account: undefined, turn: undefined, movedTo: undefined, version, at, texts };
  }
  const { turn, movedTo, ...account } = whole;
  return { account, turn, movedTo, version, at, texts };
}

/** What a probe has left and found out is said of one store only. */
function isCopied(name: string): boolean {
  return name !== ACCOUNT && name !== "fitness.json" && !name.startsWith("probe/") && !isSign(name);
}
