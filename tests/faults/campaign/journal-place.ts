import { randomUUID } from "node:crypto";
import type { DocumentStore, Told } from "../../../provider/core/journal/document-store.ts";
import type { Clock } from "../../../provider/core/ports.ts";
import { documentsWithin } from "../../../provider/journals/documents-within.ts";
import { openFileJournal } from "../../../provider/journals/file/file-journal.ts";
import { machineTime } from "../../../provider/journals/machine-time.ts";
import { openDocumentStore } from "../../../provider/journals/open-documents.ts";
import { openSharedJournal } from "../../../provider/journals/open-journal.ts";
import type { OpenJournal } from "../../support/account.ts";

/** A journal that machines share. */
export interface SharedPlace {
  /** URL of the store. Each schedule gets a folder of its own in it. */
  url: string;
  /** How many machines run programs, one after the other. */
  machines: number;
}

/** The journal of one schedule. */
export interface JournalOfSchedule {
  /** Opens it for one process. */
  open: OpenJournal;
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
  open: openFileJournal,
  nextMachine: () => 0,
  end: async () => undefined,
};

/** Opens a journal of its own in a shared store, for one schedule. */
export function createSharedJournal(
  { url, machines }: SharedPlace,
  clock: Pick<Clock, "now">,
): JournalOfSchedule {
  const documents = inTimeOf(
    () => new Date(clock.now().getTime() + STORE_AHEAD_MS),
    documentsWithin(url, randomUUID(), () => openStore(url)),
  );
  let runs = 0;
  return {
    open: (place, ownClock) =>
      openSharedJournal({ documents, scope: "", isProbed: false }, place, ownClock),
    nextMachine: () => CLOCKS_AHEAD_MS[(runs++ % machines) % CLOCKS_AHEAD_MS.length] ?? 0,
    async end() {
      const { value: names } = await documents.list("");
      await Promise.all(names.map((name) => documents.erase(name)));
    },
  };
}

const stores = new Map<string, Promise<DocumentStore>>();

/** All schedules of a process use the same connections. */
function openStore(url: string): Promise<DocumentStore> {
  const store = stores.get(url) ?? openDocumentStore(url, machineTime);
  stores.set(url, store);
  return store;
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
