import { JournalError } from "../../provider/core/ports.ts";
import { begunAt, type Intent, isDone } from "../../provider/core/records/intent.ts";
import { messageOf } from "../../provider/core/values/message-of.ts";
import { machineTime } from "../../provider/journals/machine-time.ts";
import {
  openServiceJournals,
  type ServiceJournal,
  type ServiceJournals,
} from "../../provider/journals/open-journal.ts";
import { CliError } from "../failure.ts";
import type { JournalPlace } from "../settings.ts";
import { explainMark, findMark } from "./moved.ts";

/** An intent, and its journal. */
export interface Entry {
  intent: Intent;
  journal: ServiceJournal;
}

/** How many purchases an error names. */
const MAX_NAMED = 20;

/**
 * Opens the journal of the configured service, or of every service where none is configured, and closes what was opened
 * when the work is done.
 */
export async function withJournals<Result>(
  place: JournalPlace,
  work: (journals: ServiceJournals) => Promise<Result>,
): Promise<Result> {
  const journals = await open(place);
  try {
    return await work(journals);
  } finally {
    await journals.close();
  }
}

async function open({ location, baseUrl, place }: JournalPlace): Promise<ServiceJournals> {
  try {
    return await openServiceJournals(location, baseUrl, machineTime);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    const reason = messageOf(error);
    throw new CliError(
      `the journals in ${place} can't be read (${reason}); name another place with --journal or --journal-dir`,
    );
  }
}

/** Reads a journal, earliest purchase first. By this machine's clock: the service's tells whole seconds. */
export async function readEntries(journal: ServiceJournal, all: boolean): Promise<Entry[]> {
  const intents = await journal.store.readAll();
  return intents
    .filter((intent) => all || !isDone(intent))
    .toSorted((a, b) => begunAt(a).localeCompare(begunAt(b)))
    .map((intent) => ({ intent, journal }));
}

/**
 * All purchases in the journal of the configured service, also those that are done.
 * @throws {CliError} if the journal was moved: what was bought since is not in it
 */
export function readIntents(place: JournalPlace): Promise<Intent[]> {
  return withJournals(place, async ({ all: [journal] }) => {
    if (journal === undefined) return [];
    const mark = await findMark(journal);
    if (mark !== undefined)
      throw new CliError(`${explainMark(mark)}; name that one with --journal`);
    const entries = await readEntries(journal, true);
    return entries.map(({ intent }) => intent);
  });
}

/** See `Locks.isUnderWay`. Then nobody else may change it. */
export async function isUnderWay({ intent, journal }: Entry): Promise<boolean> {
  return !isDone(intent) && journal.locks.isUnderWay(intent);
}

/** Until when that is believed of a run that may have been killed; undefined if its process is seen to live. */
export async function findWaitingEnd({ intent, journal }: Entry): Promise<string | undefined> {
  return journal.locks.turnEndOf(intent.runId);
}

/** Finds the one purchase whose id begins like this. */
export async function findEntry(journals: ServiceJournals, wanted: string): Promise<Entry> {
  // What is none may be a URL with a password.
  if (!/^[\w-]+$/.test(wanted)) {
    throw new CliError(
      "the id of a purchase has letters, digits and - alone; `journal list` tells it",
    );
  }
  const entries = (await Promise.all(journals.all.map((one) => readEntries(one, true)))).flat();
  const exact = entries.filter(({ intent }) => intent.id === wanted);
  const found =
    exact.length > 0 ? exact : entries.filter(({ intent }) => intent.id.startsWith(wanted));
  const [first, second] = found;
  if (first && !second) return first;
  if (first) {
    throw new CliError(
      `more than one purchase in the journal begins with ${wanted}: ${nameAll(found)}; give more of the id${isOfOneService(found) ? "" : ", and the service with --base-url"}`,
    );
  }
  const held = entries.length === 0 ? "it holds none" : `there are ${nameAll(entries)}`;
  throw new CliError(
    `no purchase in the journal in ${nameAllPlaces(journals)} begins with ${wanted}; ${held}. ${LOOK_ELSEWHERE}`,
  );
}

/** Nobody sees the configuration of a stack from here. */
export const LOOK_ELSEWHERE =
  "If the stack has its journal elsewhere, name that: --journal (proxyrental:journal) or --journal-dir (proxyrental:journalDir)";

/** Where these journals are; where they would be, if there are none. */
export function nameAllPlaces({ all, place }: ServiceJournals): string {
  return all.map((journal) => journal.place).join(", ") || place;
}

function isOfOneService(entries: readonly Entry[]): boolean {
  return new Set(entries.map(({ journal }) => journal.service)).size === 1;
}

/** The newest first: a person who asks has most likely just been told of one. */
function nameAll(entries: readonly Entry[]): string {
  const oneService = isOfOneService(entries);
  const newest = entries.toReversed();
  const names = newest.slice(0, MAX_NAMED).map(({ intent: { id, phase }, journal }) => {
    const service = oneService ? "" : ` of ${journal.service}`;
    return `${id}${service} (${phase})`;
  });
  const more = newest.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
