import { createHash, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { Clock } from "../../core/ports.ts";
import {
  JournalError,
  type JournalParts,
  type JournalStore,
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
import { createKnownFlags } from "./known-flags.ts";
import { createFileLocks } from "./locks.ts";
import { createPreviewedPlans } from "./previewed-plans.ts";
import { createRunMemory } from "./run-memory.ts";
import { createRunRecords } from "./run-records.ts";

/** Where the journal of one process is kept, and for whom. */
export interface FileJournalPlace {
  /** The folder of all journals of this user. */
  journalDir: string;
  /** URL of the service: each has a journal of its own. */
  baseUrl: string;
  /** Folder of the Pulumi program. */
  project: string;
  /** The account's key, of which the journal keeps a fingerprint. @default accounts are not told apart */
  apiKey?: string;
  /** @default a run of its own */
  identity?: RunIdentity;
}

/** The journal as files of this machine. Nothing is touched before it is needed. */
export function openFileJournal(
  { journalDir, baseUrl, project, apiKey, identity = unknownRun }: FileJournalPlace,
  clock: Clock,
): JournalParts {
  const folder = journalFolder(journalDir, baseUrl);
  const runId = randomUUID();
  return {
    store: createFileStore(folder),
    locks: createFileLocks(folder, clock),
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
    readElsewhere: createSiblings(journalDir, basename(folder)),
    flags: createKnownFlags(folder, runId, clock),
    runId,
    project,
  };
}

/** Ports come again, on other machines at the same time: the CLI's process, where it can be seen, tells runs apart. */
function openRunMemory(
  { run, commandId = "" }: RunIdentity,
  open: (name: string) => RunMemory,
): RunMemory {
  return run === undefined ? lonely : open([run, hostname(), commandId].join(" "));
}

/** What a folder of a service's journal ends with: see `journalFolder`. */
const FOLDER_DIGEST = /-[0-9a-f]{8}$/;

/**
 * The purchases of the other journals beside this one: the same service may be reached by another name. What can't
 * be read of them stands in nobody's way.
 */
function createSiblings(journalDir: string, own: string): () => Promise<Intent[]> {
  // Each store remembers what it has read.
  const stores = new Map<string, JournalStore>();

  async function read(name: string): Promise<Intent[]> {
    const store = stores.get(name) ?? createFileStore(join(journalDir, name));
    stores.set(name, store);
    const found = await Promise.allSettled([store.readOpen(), store.readDone()]);
    return found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  }

  return async () => {
    const entries = await readdir(journalDir, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter(
      (entry) => entry.isDirectory() && entry.name !== own && FOLDER_DIGEST.test(entry.name),
    );
    return (await Promise.all(folders.map(({ name }) => read(name)))).flat();
  };
}

/** Names of this machine itself: a service behind one of them is the same behind the others. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The folder of one service's journal: its host for people, and a digest of its whole address, since two
 * services may share a host. The API key has no part in it: a key that is changed leaves the journal as it is.
 */
export function journalFolder(journalDir: string, baseUrl: string): string {
  const url = new URL(baseUrl);
  if (LOOPBACK.test(url.hostname)) url.hostname = "127.0.0.1";
  const { host, origin, pathname } = url;
  const address = `${origin}${pathname.replace(/\/+$/, "")}`;
  const digest = createHash("sha256").update(address).digest("hex").slice(0, 8);
  return join(journalDir, `${host.replace(/[^\w.-]/g, "_")}-${digest}`);
}
