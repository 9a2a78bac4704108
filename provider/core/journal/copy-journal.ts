import { randomUUID } from "node:crypto";
import type { JournalStore, Locks } from "../ports.ts";
import { isDone } from "../records/intent.ts";
import { ACCOUNT, type AccountDocument, accountFormat, type MovedTo } from "./account-document.ts";
import { hasFingerprints, SALT } from "./account-fingerprint.ts";
import { CopyError } from "./copy-error.ts";
import { type CopyTarget, openCopyTarget } from "./copy-target.ts";
import type { DocumentStore } from "./document-store.ts";
import {
  isSamePurchases,
  isUnchanged,
  pageNames,
  readSnapshot,
  type Snapshot,
  saltOf,
} from "./journal-snapshot.ts";

/** The journal of one service, at one end of a copy. */
export interface JournalEnd {
  /** Where it is, safe to print. */
  place: string;
  /** How a setting names the place, without secrets. No other place is named so. */
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

/** How often a journal is read anew that somebody writes to meanwhile. */
const MOST_ROUNDS = 5;

/**
 * Throws where a journal can't be copied: a run that buys with it goes on, the other end has another journal, or is the same
 * place under another name. Changes nothing.
 */
export async function assertCopyable(from: JournalEnd, to: JournalEnd): Promise<void> {
  await assertTwoPlaces(from, to);
  const snapshot = await readHere(from, to);
  await assertNobodyBuys(from, snapshot);
  await lookAtTarget(snapshot, from, to);
}

/**
 * Copies a journal with all of its documents, but for what was found out about the store itself.
 *
 * At no moment can anybody buy with both. The copy is begun with a mark: the journal is still at the old place. Of several
 * copies into one place, the mark that was written last counts. Once the copy is read back, the old place gets the mark
 * that the journal is at the new one, by a compare-and-set on what was copied. So of several copies of one journal, one
 * leaves the old place, and the others stay marked. Then the copy loses its mark. A copy that is cut off is completed by
 * the next one.
 *
 * A journal that was left may come back: nobody has written to it since, so that what is there is older.
 */
export async function copyJournal(from: JournalEnd, to: JournalEnd): Promise<CopyOutcome> {
  const first = await readAtRest(from, to);
  const { isBegun, seen } = await lookAtTarget(first, from, to);
  if (!isBegun) {
    const target = openCopyTarget(to, seen);
    const { account = accountFormat.empty } = seen;
    await target.putAccount({ ...account, movedTo: markOf(from, first.at) });
    // From now on the journal is there.
    await target.putAccount(await fill(first, target, from, to));
  }
  const purchases = (await to.store.readAll()).length;
  return { purchases, wasThere: isBegun };
}

/** One server may have several names. A journal that was copied to itself would be marked as moved. */
async function assertTwoPlaces(from: JournalEnd, to: JournalEnd): Promise<void> {
  const name = `probe/${randomUUID()}.json`;
  await to.documents.create(name, "{}");
  const seen = await from.documents
    .read(name)
    .finally(() => to.documents.erase(name).catch(() => undefined));
  if (seen.value === undefined) return;
  throw new CopyError(`${from.place} and ${to.place} are one place: give another one to copy to`);
}

/** Copies until nobody has written to the journal meanwhile. Then both ends are marked. Gives the account's document. */
async function fill(
  first: Snapshot,
  target: CopyTarget,
  from: JournalEnd,
  to: JournalEnd,
): Promise<AccountDocument> {
  let snapshot = first;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    snapshot = await putBesideAccount(snapshot, target, from, to);
    await target.assertWritten(snapshot.documents);
    const { account = accountFormat.empty, at } = snapshot;
    await target.putAccount({ ...account, movedTo: markOf(from, at) });
    if (await leave(snapshot, from, to)) return account;
    snapshot = await readAtRest(from, to);
  }
  throw alwaysWritten(from);
}

/** Writes all documents but the account's, until nobody has written to the journal meanwhile. Gives what was written. */
async function putBesideAccount(
  first: Snapshot,
  target: CopyTarget,
  from: JournalEnd,
  to: JournalEnd,
): Promise<Snapshot> {
  let snapshot = first;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    await target.putAll(snapshot.documents);
    const newest = await readAtRest(from, to);
    if (isUnchanged(newest, snapshot)) return newest;
    snapshot = newest;
  }
  throw alwaysWritten(from);
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

/** The journal that is copied. Throws if it is somewhere else by now: then this one is older. */
async function readHere(from: JournalEnd, to: JournalEnd): Promise<Snapshot> {
  const snapshot = await readSnapshot(from.documents);
  const { movedTo } = snapshot;
  if (movedTo !== undefined && movedTo.url !== to.url) {
    throw new CopyError(
      `the journal in ${from.place} was moved to ${movedTo.url}: copy from there`,
    );
  }
  await assertWhole(snapshot, from);
  return snapshot;
}

/** A journal without a page of its book, or without its salt, would not know what was bought. */
async function assertWhole(snapshot: Snapshot, { store, place }: JournalEnd): Promise<void> {
  const missing = pageNames(snapshot.account).find((name) => !snapshot.documents.has(name));
  if (missing !== undefined) {
    throw new CopyError(
      `${missing} is missing in ${place}, where purchases are written down: put it back, and copy again`,
    );
  }
  if (saltOf(snapshot) === undefined && (await hasFingerprints(store))) {
    throw new CopyError(
      `${SALT} is missing in ${place}, which tells the accounts of its purchases: put it back, and copy again`,
    );
  }
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

function alwaysWritten({ place }: JournalEnd): CopyError {
  return new CopyError(
    `runs write to the journal in ${place} all the time: wait until they have ended, and copy again`,
  );
}

/**
 * What is at the other end: this journal, or nothing with which anybody can buy, so that it may be written over. What
 * stands there without an account's document was left by a preview. Throws if there is another journal.
 */
async function lookAtTarget(
  source: Snapshot,
  from: JournalEnd,
  to: JournalEnd,
): Promise<{ isBegun: boolean; seen: Snapshot }> {
  const seen = await readSnapshot(to.documents);
  const salt = saltOf(seen);
  if (salt !== undefined && salt !== saltOf(source)) throw anotherJournal(to);
  if (seen.account === undefined) {
    if (source.movedTo !== undefined) throw noCopy(source.movedTo, from, to);
    return { isBegun: false, seen };
  }
  if (seen.movedTo !== undefined) {
    if (seen.movedTo.url !== from.url) throw anotherJournal(to);
    return { isBegun: false, seen };
  }
  // If it was moved there before, it may have gone on.
  if (source.movedTo !== undefined) return { isBegun: true, seen };
  // If it was taken back since, what stands beside the purchases is newer here.
  if (!isSamePurchases(seen, source)) throw anotherJournal(to);
  return { isBegun: false, seen };
}

function anotherJournal({ place }: JournalEnd): CopyError {
  return new CopyError(
    `${place} has another journal of this service already: copy to a place that has none`,
    true,
  );
}

/** The old place is not left before the copy is written, so it is elsewhere, or lost. A second copy might be one too many. */
function noCopy({ url }: MovedTo, from: JournalEnd, to: JournalEnd): CopyError {
  return new CopyError(
    `the journal in ${from.place} was moved to ${url}, and ${to.place} has no copy of it: if the copy is lost, take the mark away with \`journal reopen\` first`,
  );
}
