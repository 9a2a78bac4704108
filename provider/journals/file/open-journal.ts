import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  type Clock,
  JournalError,
  type JournalParts,
  type JournalStore,
  type Locks,
  lonely,
  type RunIdentity,
  type RunMemory,
  unknownRun,
} from "../../core/ports.ts";
import type { Intent } from "../../core/records/intent.ts";
import { remember } from "../../core/values/remember.ts";
import { fingerprintKey } from "./account-fingerprint.ts";
import { messageOf } from "./disk.ts";
import { createFileStore } from "./file-store.ts";
import { findJournalFolders, journalFolder } from "./folders.ts";
import { createKnownFlags } from "./known-flags.ts";
import { createFileLocks } from "./locks.ts";
import { createPreviewedPlans } from "./previewed-plans.ts";
import { createRunMemory } from "./run-memory.ts";
import { createRunRecords } from "./run-records.ts";

/** Where the journal of one process is kept, and for whom. */
export interface FileJournalPlace {
  /** The folder of all journals of this user. */
  journalDir: string;
  /** URL of the service. Each service has its own journal. */
  baseUrl: string;
  /** Folder of the Pulumi program. */
  project: string;
  /** The account's key. The journal keeps a fingerprint of it. @default accounts are not told apart */
  apiKey?: string;
  /** @default a run of its own */
  identity?: RunIdentity;
}

/** The purchases of one service, and who may change them now. */
export interface ServiceJournal {
  folder: string;
  store: JournalStore;
  locks: Locks;
}

/** Opens the journal of a service; without its URL, the journals of all services. */
export async function openServiceJournals(
  { journalDir, baseUrl }: Pick<FileJournalPlace, "journalDir"> & { baseUrl: string | undefined },
  clock: Clock,
): Promise<ServiceJournal[]> {
  const folders =
    baseUrl === undefined
      ? await findJournalFolders(journalDir)
      : [journalFolder(journalDir, baseUrl)];
  return folders.map((folder) => openFolder(folder, clock));
}

function openFolder(folder: string, clock: Clock): ServiceJournal {
  return { folder, store: createFileStore(folder), locks: createFileLocks(folder, clock) };
}

/** The journal as files of this machine. Nothing is touched before it is needed. */
export function openFileJournal(
  { journalDir, baseUrl, project, apiKey, identity = unknownRun }: FileJournalPlace,
  clock: Clock,
): JournalParts {
  const { folder, store, locks } = openFolder(journalFolder(journalDir, baseUrl), clock);
  const runId = randomUUID();
  return {
    store,
    locks,
    previewed: createPreviewedPlans(folder, runId, clock, identity),
    memory: openRunMemory(identity, (name) => createRunMemory(folder, name, runId, clock)),
    runs: createRunRecords(folder, { pid: process.pid, host: hostname() }, clock.now),
    accountId: remember(async () => {
      if (apiKey === undefined) return undefined;
      return fingerprintKey(folder, apiKey).catch((error: unknown) => {
        const reason = `the journal in ${folder} can't be used (${messageOf(error)})`;
        throw new JournalError("unavailable", reason, error);
      });
    }),
    readElsewhere: createSiblings(journalDir, folder),
    flags: createKnownFlags(folder, runId, clock),
    runId,
    project,
  };
}

/**
 * Ports are used again, and on other machines at the same time. The CLI's process, if it can be seen, tells runs
 * apart.
 */
function openRunMemory(
  { run, commandId = "" }: RunIdentity,
  open: (name: string) => RunMemory,
): RunMemory {
  return run === undefined ? lonely : open([run, hostname(), commandId].join(" "));
}

/**
 * The purchases in the journals beside this one: the same service may be reached by another name. What can't be read
 * of them stops no purchase.
 */
function createSiblings(journalDir: string, own: string): () => Promise<Intent[]> {
  // Each store remembers what it has read.
  const stores = new Map<string, JournalStore>();

  async function read(folder: string): Promise<Intent[]> {
    const store = stores.get(folder) ?? createFileStore(folder);
    stores.set(folder, store);
    const found = await Promise.allSettled([store.readOpen(), store.readDone()]);
    return found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  }

  return async () => {
    const folders = await findJournalFolders(journalDir).catch((): string[] => []);
    return (await Promise.all(folders.filter((one) => one !== own).map(read))).flat();
  };
}
