import { hostname } from "node:os";
import { join } from "node:path";
import type { DocumentStore } from "../core/journal/document-store.ts";
import { type JournalContents, openJournalParts } from "../core/journal/journal-parts.ts";
import { presenceByTime } from "../core/journal/presence-by-time.ts";
import type { Repeat } from "../core/journal/signs-of-life.ts";
import {
  type Clock,
  type JournalParts,
  type JournalStore,
  type Locks,
  lonely,
  nothingElsewhere,
  unknownRun,
} from "../core/ports.ts";
import { remember } from "../core/values/remember.ts";
import {
  createElsewhere,
  type FileJournalPlace,
  foldersBeside,
  type JournalBeside,
  openFileJournal,
  openFolder,
  openRunMemory,
} from "./file/file-journal.ts";
import { serviceFolder } from "./file/folders.ts";
import { createRunMemory } from "./file/run-memory.ts";
import type { JournalLocation, SharedLocation } from "./journal-url.ts";
import { nameLocation } from "./location-name.ts";
import { repeatedly } from "./machine-time.ts";
import { type OpenPlace, openPlace } from "./open-place.ts";

/** Where the journal of one process is kept, and for whom. */
export interface JournalPlace extends FileJournalPlace {
  /** A bucket or a database. @default undefined: the journal is in `journalDir`, on this machine */
  shared: SharedLocation | undefined;
}

/** Opens a journal. Nothing is asked of it, and no library is loaded, before it is needed. */
export function openJournalAt({ shared, ...place }: JournalPlace, clock: Clock): JournalParts {
  if (shared === undefined) return openFileJournal(place, clock);
  return openSharedJournal(
    { ...openServices(openPlace(shared, clock), place.baseUrl, clock), isProbed: true },
    place,
    clock,
  );
}

/**
 * The documents of a service in a shared place, and the journals of all others there: they may be of other names of the same
 * service. Which there are is asked once: a name that begins later has no purchase from before this run.
 */
export function openServices(
  { place, listServices, documentsOf }: Omit<OpenPlace, "close">,
  baseUrl: string,
  clock: Clock,
): Pick<SharedParts, "documents" | "findBeside"> {
  const own = serviceFolder(baseUrl);
  return {
    documents: documentsOf(own),
    findBeside: remember(async () => {
      const others = (await listServices()).filter((service) => service !== own);
      return others.map((service) => ({
        place: `${place} (${service})`,
        open: () => openToLookAt(documentsOf(service), clock).store,
      }));
    }),
  };
}

/** What a shared journal is made of. */
interface SharedParts {
  documents: DocumentStore;
  /** Finds the other journals of the place. @default there are none */
  findBeside?: () => Promise<readonly JournalBeside[]>;
  /** See `JournalContents`. */
  isProbed: boolean;
  /** @default by this machine's time */
  repeat?: Repeat;
}

/** Opens a journal that many machines can see. */
export function openSharedJournal(
  { documents, findBeside = async () => [], isProbed, repeat = repeatedly }: SharedParts,
  place: Omit<FileJournalPlace, "project" | "presence">,
  clock: Clock,
): JournalParts {
  const { journalDir, identity = unknownRun, interpose } = place;
  const { apiKey, scope, previewBindsMs } = place;
  return openShared(interpose?.(documents) ?? documents, clock, {
    ...{ identity, apiKey, scope, previewBindsMs, isProbed, repeat },
    // The processes of one run are on one machine.
    memory: (runId) =>
      openRunMemory(identity, (name) => createRunMemory(journalDir, name, runId, clock)),
    // What this machine has bought before its journal was shared, too.
    readElsewhere: createElsewhere(findBeside, foldersBeside(journalDir, clock)),
    // The same stack runs from any checkout.
    project: "",
  });
}

/** The purchases of one service, for a person who looks after them. */
export interface ServiceJournal {
  /** The name of the service: see `serviceFolder`. */
  service: string;
  /** Where it is, safe to print. */
  place: string;
  /** See `nameLocation`. */
  url: string;
  documents: DocumentStore;
  store: JournalStore;
  locks: Locks;
}

/** The journals that are kept in one place. */
export interface ServiceJournals {
  /** Safe to print. */
  place: string;
  all: readonly ServiceJournal[];
  /** The journal of another service, which may not have begun. */
  of(service: string): ServiceJournal;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/** Opens the journal of a service; without its URL, the journals of all services. No run buys with them. */
export async function openServiceJournals(
  location: JournalLocation,
  baseUrl: string | undefined,
  clock: Clock,
): Promise<ServiceJournals> {
  const { place, listServices, documentsOf, close } = openPlace(location, clock);
  const url = nameLocation(location);
  const opened: Locks[] = [];

  function open(service: string): ServiceJournal {
    const documents = documentsOf(service);
    if (location.kind === "file") {
      const folder = join(location.folder, service);
      const parts = openFolder(folder, documents, clock, { project: "" });
      opened.push(parts.locks);
      return { service, place: folder, url, documents, ...parts };
    }
    const parts = openToLookAt(documents, clock);
    opened.push(parts.locks);
    return { service, place: `${place} (${service})`, url, documents, ...parts };
  }

  async function closeAll(): Promise<void> {
    // Whoever has stopped a run has shown that this process goes on.
    await Promise.all(opened.map((locks) => locks.letRunGo()));
    await close();
  }

  try {
    const services = baseUrl === undefined ? await listServices() : [serviceFolder(baseUrl)];
    return { place, all: services.map(open), of: open, close: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A shared journal with which nobody buys here. */
function openToLookAt(documents: DocumentStore, clock: Clock): JournalParts {
  return openShared(documents, clock, {
    ...{ identity: unknownRun, apiKey: undefined, project: "", isProbed: true },
    memory: () => lonely,
    readElsewhere: async () => nothingElsewhere,
  });
}

/** A journal that many machines share. */
function openShared(
  documents: DocumentStore,
  clock: Clock,
  contents: Omit<JournalContents, "documents" | "clock" | "isShared" | "presence" | "holder">,
): JournalParts {
  return openJournalParts({
    ...contents,
    ...{ documents, clock, isShared: true, presence: presenceByTime },
    holder: { pid: process.pid, host: hostname() },
  });
}
