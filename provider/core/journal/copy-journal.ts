import { isDeepStrictEqual } from "node:util";
import type { JournalStore, Locks } from "../ports.ts";
import { isDone } from "../records/intent.ts";
import { type AccountDocument, accountFormat, type HeldTurn } from "./account-document.ts";
import type { DocumentStore } from "./document-store.ts";
import { parseRecord } from "./record.ts";

/** The journal of one service, at one end of a copy. */
export interface JournalEnd {
  /** Where it is, safe to print. */
  place: string;
  documents: DocumentStore;
  store: Pick<JournalStore, "readAll">;
  locks: Pick<Locks, "isRunAlive">;
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
  account: Omit<AccountDocument, "turn"> | undefined;
  turn: HeldTurn | undefined;
  /** All other documents, by their names. */
  texts: ReadonlyMap<string, string>;
}

const ACCOUNT = "account.json";

/** Tells which accounts the purchases belong to. */
const SALT = "salt.json";

/** How often a journal is read anew that somebody writes to meanwhile. */
const MOST_ROUNDS = 5;

/**
 * Throws where a journal can't be copied: a run that buys with it goes on, or the other end has another journal. Changes
 * nothing.
 */
export async function assertCopyable(from: JournalEnd, to: JournalEnd): Promise<void> {
  const snapshot = await readSnapshot(from);
  await assertNobodyBuys(from, snapshot);
  await isThere(snapshot, to);
}

/**
 * Copies a journal with all of its documents, but for what was found out about the store itself. The account's document
 * goes last: with it the journal begins at the other end. A copy that is cut off before has begun none, and the next one
 * completes it. Where it comes from, nothing changes.
 */
export async function copyJournal(from: JournalEnd, to: JournalEnd): Promise<CopyOutcome> {
  const first = await readSnapshot(from);
  const wasThere = await isThere(first, to);
  if (!wasThere) {
    const { texts, account = accountFormat.empty } = await putBesideAccount(first, from, to);
    await assertWritten(texts, to);
    const { value: begun } = await to.documents.create(ACCOUNT, accountFormat.format(account));
    if (begun === undefined) throw anotherJournal(to);
    const { account: written } = await readSnapshot(to);
    if (!isDeepStrictEqual(written, account)) throw notAsWritten(ACCOUNT, to);
  }
  return { purchases: (await to.store.readAll()).length, wasThere };
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
    const newest = await readSnapshot(from);
    await assertNobodyBuys(from, newest);
    if (isDeepStrictEqual(newest, snapshot)) return snapshot;
    snapshot = newest;
  }
  throw new CopyError(
    `runs write to the journal in ${from.place} all the time: wait until they have ended, and copy again`,
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
 * Whether a journal is at the other end already. What stands there without an account's document was left by a copy that
 * was cut off, or by a preview. Throws if there is another journal.
 */
async function isThere({ account, texts }: Snapshot, to: JournalEnd): Promise<boolean> {
  const there = await readSnapshot(to);
  if (there.account === undefined) {
    const salt = there.texts.get(SALT);
    if (salt !== undefined && salt !== texts.get(SALT)) throw anotherJournal(to);
    return false;
  }
  const isSame =
    isDeepStrictEqual(there.account, account ?? accountFormat.empty) &&
    isDeepStrictEqual(purchasesIn(there.texts), purchasesIn(texts));
  if (!isSame) throw anotherJournal(to);
  return true;
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
  const { value: found } = await documents.read(ACCOUNT);
  const { value: names } = await documents.list("");
  const texts = new Map<string, string>();
  for (const name of names.filter(isCopied)) {
    const { value } = await documents.read(name);
    if (value !== undefined) texts.set(name, value.text);
  }
  if (found === undefined) return { account: undefined, turn: undefined, texts };
  const { turn, ...account } = parseRecord(accountFormat, ACCOUNT, documents, found.text);
  return { account, turn, texts };
}

/** What a probe has left and found out is said of one store only. */
function isCopied(name: string): boolean {
  return name !== ACCOUNT && name !== "fitness.json" && !name.startsWith("probe/");
}
