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
    readElsewhere: createElsewhere(foldersBeside(journalDir, clock, folder)),
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

/** A journal that stands beside the one in use. */
export interface JournalBeside {
  /** Safe to print. No two have the same. */
  place: string;
  open(): Pick<JournalStore, "readAll">;
}

/** The journals of this machine, of all names of services, but for one folder. */
export function foldersBeside(
  journalDir: string,
  clock: Clock,
  own?: string,
): () => Promise<readonly JournalBeside[]> {
  return async () => {
    const all = await findJournalFolders(journalDir).catch((): string[] => []);
    return all
      .filter((one) => one !== own)
      .map((folder) => ({
        place: folder,
        open: () =>
          openFolder(folder, openFolderDocuments(folder, clock), clock, { project: "" }).store,
      }));
  };
}

/**
 * The purchases in journals that stand beside the one in use: of the same service under another name, or from before its
 * journal was shared. They are not what promises that nothing is bought twice, so what can't be read of them stops no
 * purchase. It is told.
 */
export function createElsewhere(
  ...finders: readonly (() => Promise<readonly JournalBeside[]>)[]
): JournalParts["readElsewhere"] {
  // Each journal remembers what it has read.
  const stores = new Map<string, Pick<JournalStore, "readAll">>();

  async function read({ place, open }: JournalBeside): Promise<Elsewhere> {
    const store = stores.get(place) ?? open();
    stores.set(place, store);
    return { purchases: await store.readAll(), unread: [] };
  }

  const unread = (error: unknown): Elsewhere => ({ purchases: [], unread: [messageOf(error)] });

  async function readFound(find: () => Promise<readonly JournalBeside[]>): Promise<Elsewhere[]> {
    try {
      return await Promise.all((await find()).map((one) => read(one).catch(unread)));
    } catch (error) {
      return [unread(error)];
    }
  }

  return async () => {
    const all = (await Promise.all(finders.map(readFound))).flat();
    return {
      purchases: all.flatMap(({ purchases }) => purchases),
      unread: all.flatMap((one) => one.unread),
    };
  };
}
