import { randomUUID } from "node:crypto";
import { accountFormat } from "../../../provider/core/journal/account-document.ts";
import type { DocumentStore, Told } from "../../../provider/core/journal/document-store.ts";
import { openDocuments } from "../../../provider/core/journal/documents.ts";
import type { RawStore } from "../../../provider/core/journal/raw-store.ts";
import { parseRecord } from "../../../provider/core/journal/record.ts";
import type { Clock } from "../../../provider/core/ports.ts";
import { documentsWithin } from "../../../provider/journals/documents-within.ts";
import {
  openFileJournal,
  openFolderDocuments,
} from "../../../provider/journals/file/file-journal.ts";
import { journalFolder } from "../../../provider/journals/file/folders.ts";
import { parseJournalUrl } from "../../../provider/journals/journal-url.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openRawStore } from "../../../provider/journals/open-documents.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import type { OpenJournal } from "../../support/account.ts";
import type { Standing } from "./flights.ts";

/** A journal that machines share. */
export interface SharedPlace {
  /** URL of the store. Each schedule gets a folder of its own in it. */
  url: string;
  /** How many machines run programs. */
  machines: number;
}

/** The journal of one schedule. */
export interface JournalOfSchedule {
  /** Whether other machines share it. Then nobody can see that a process was killed. */
  isShared: boolean;
  /** Opens it for one process. */
  open: OpenJournal;
  /** Opens it for a person, who is patient: no call fails. */
  openPatiently: OpenJournal;
  /** Who may send now, by the journal itself and its clock. `place` and `clock` are those of the process that asks. */
  standing(place: { journalDir: string; baseUrl: string }, clock: Clock): Promise<Standing>;
  /** By how much the clock of the next machine is ahead. */
  nextMachine(): number;
  end(): Promise<void>;
}

const HOUR_MS = 60 * 60_000;

/** By how much the clocks of the machines are ahead. */
const CLOCKS_AHEAD_MS = [0, 5, -3, 11, -20].map((hours) => hours * HOUR_MS);

/** By how much the store's clock is ahead. Only the store's clock may tell ages. */
const STORE_AHEAD_MS = 7 * HOUR_MS;

/** The journal as files of one machine. */
export const localJournal: JournalOfSchedule = {
  isShared: false,
  open: openFileJournal,
  openPatiently: openFileJournal,
  standing: ({ journalDir, baseUrl }, clock) =>
    readStanding(openFolderDocuments(journalFolder(journalDir, baseUrl), clock)),
  nextMachine: () => 0,
  end: async () => undefined,
};

/**
 * Opens a journal of its own in a shared store, for one schedule.
 * @param meddle puts something between the journal and the product
 */
export function createSharedJournal(
  { url, machines }: SharedPlace,
  clock: Pick<Clock, "now">,
  meddle: (product: RawStore) => RawStore,
): JournalOfSchedule {
  const folder = randomUUID();
  const now = () => new Date(clock.now().getTime() + STORE_AHEAD_MS);
  const openDocumentsOf = (change: (product: RawStore) => RawStore) =>
    inTimeOf(
      now,
      documentsWithin(url, folder, async () =>
        openDocuments(change(await openProduct(url)), withoutWaits),
      ),
    );
  const documents = openDocumentsOf(meddle);
  const own = openDocumentsOf((product) => product);
  const openOn =
    (documents: DocumentStore): OpenJournal =>
    (place, ownClock) =>
      openSharedJournal({ documents, isProbed: false }, place, ownClock);
  let runs = 0;
  return {
    isShared: true,
    open: openOn(documents),
    openPatiently: openOn(own),
    standing: () => readStanding(own),
    nextMachine: () => CLOCKS_AHEAD_MS[(runs++ % machines) % CLOCKS_AHEAD_MS.length] ?? 0,
    async end() {
      const { value: names } = await own.list("");
      await Promise.all(names.map((name) => own.erase(name)));
    },
  };
}

async function readStanding(documents: DocumentStore): Promise<Standing> {
  const name = "account.json";
  const { value, at } = await documents.read(name);
  if (value === undefined) return { account: accountFormat.empty, at };
  return { account: parseRecord(accountFormat, name, documents, value.text), at };
}

/** What was lost is asked again at once. */
const withoutWaits: Clock = { ...machineTime, sleep: async () => undefined };

const products = new Map<string, Promise<RawStore>>();

/** All schedules of a process use the same connections. */
function openProduct(url: string): Promise<RawStore> {
  const product = products.get(url) ?? openRawStore(parseJournalUrl(url), machineTime);
  products.set(url, product);
  return product;
}

/** The store, as if its clock showed the time of the schedule. */
function inTimeOf(now: () => Date, real: DocumentStore): DocumentStore {
  const told = async <Value>(answer: Promise<Told<Value>>) => ({ ...(await answer), at: now() });
  return {
    ...real,
    read: (...args) => told(real.read(...args)),
    create: (...args) => told(real.create(...args)),
    replace: (...args) => told(real.replace(...args)),
    remove: (...args) => told(real.remove(...args)),
    list: (...args) => told(real.list(...args)),
  };
}
