import { hostname } from "node:os";
import type { DocumentStore } from "../../core/journal/document-store.ts";
import { openDocuments } from "../../core/journal/documents.ts";
import { openJournalParts } from "../../core/journal/journal-parts.ts";
import {
  type Clock,
  type Elsewhere,
  type JournalParts,
  type JournalStore,
  lonely,
  nothingElsewhere,
  type Presence,
  type RunIdentity,
  type RunMemory,
  unknownRun,
} from "../../core/ports.ts";
import { messageOf } from "../../core/values/message-of.ts";
import { bound } from "../bounded-store.ts";
import { machineTime } from "../machine-time.ts";
import { createDocumentFiles } from "./document-files.ts";
import { withEarlierFiles } from "./earlier-files.ts";
import { findJournalFolders, journalFolder } from "./folders.ts";
import { createHeartbeats } from "./heartbeats.ts";
import { createRunMemory, type RunName } from "./run-memory.ts";

/** Where the journal of one process is kept, and for whom. */
export interface FileJournalPlace {
  /** The folder of all journals of this user. */
  journalDir: string;
  /** URL of the service. Each service has its own journal. */
  baseUrl: string;
  /** Folder of the Pulumi program. */
  project: string;
  /** Tells stacks of one name apart. @default nothing does */
  scope?: string;
  /** The account's key. The journal keeps a fingerprint of it. @default accounts are not told apart */
  apiKey?: string;
  /** @default a run of its own */
  identity?: RunIdentity;
  /** For how long a preview binds. @default two hours */
  previewBindsMs?: number;
  /** Shows which runs go on. @default heartbeats of this machine */
  presence?: Presence;
  /** Stands between the journal and its files. @default nothing */
  interpose?: (documents: DocumentStore) => DocumentStore;
}

/** The journal as files of this machine. Nothing is touched before it is needed. */
export function openFileJournal(
  { journalDir, baseUrl, ...place }: FileJournalPlace,
  clock: Clock,
): JournalParts {
  const folder = journalFolder(journalDir, baseUrl);
  return {
    ...openFolder(folder, openFolderDocuments(folder, clock), clock, place),
    readElsewhere: createElsewhere(async () => {
      const all = await findJournalFolders(journalDir).catch((): string[] => []);
      return all.filter((one) => one !== folder);
    }, clock),
  };
}

/** The documents of one service's folder, with what release 0.1.0 has left there. */
export function openFolderDocuments(folder: string, clock: Clock): DocumentStore {
  const files = openDocuments(bound(createDocumentFiles(folder, clock)), machineTime);
  return withEarlierFiles(files, folder);
}

/** The journal of one service's folder. */
export function openFolder(
  folder: string,
  documents: DocumentStore,
  clock: Clock,
  {
    project,
    scope,
    apiKey,
    identity = unknownRun,
    previewBindsMs,
    presence = createHeartbeats(folder, clock),
    interpose = (own) => own,
  }: Omit<FileJournalPlace, "journalDir" | "baseUrl">,
): JournalParts {
  return openJournalParts({
    ...{ clock, identity, project, scope, apiKey, previewBindsMs },
    documents: interpose(documents),
    isShared: false,
    isProbed: false,
    presence: () => presence,
    memory: (runId) =>
      openRunMemory(identity, (name) => createRunMemory(folder, name, runId, clock)),
    readElsewhere: async () => nothingElsewhere,
    holder: { pid: process.pid, host: hostname() },
  });
}

/**
 * Ports are used again, and on other machines at the same time. The CLI's process, if it can be seen, tells runs
 * apart.
 */
export function openRunMemory(
  { run, commandId = "" }: RunIdentity,
  open: (name: RunName) => RunMemory,
): RunMemory {
  if (run === undefined) return lonely;
  return open({ text: [run, hostname(), commandId].join(" "), isUnique: commandId !== "" });
}

/**
 * The purchases in journals of this machine that stand beside the one in use: of the same service under another name, or
 * from before its journal was shared. They are not what promises that nothing is bought twice, so what can't be read of
 * them stops no purchase. It is told.
 */
export function createElsewhere(
  findFolders: () => Promise<string[]>,
  clock: Clock,
): JournalParts["readElsewhere"] {
  // Each journal remembers what it has read.
  const stores = new Map<string, JournalStore>();

  async function read(folder: string): Promise<Elsewhere> {
    const store =
      stores.get(folder) ??
      openFolder(folder, openFolderDocuments(folder, clock), clock, { project: "" }).store;
    stores.set(folder, store);
    return store.readAll().then(
      (purchases) => ({ purchases, unread: [] }),
      (error: unknown) => ({ purchases: [], unread: [messageOf(error)] }),
    );
  }

  return async () => {
    const all = await Promise.all((await findFolders()).map(read));
    return {
      purchases: all.flatMap(({ purchases }) => purchases),
      unread: all.flatMap(({ unread }) => unread),
    };
  };
}
