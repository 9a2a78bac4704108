import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "../service.ts";
import { createFileStore } from "./file-store.ts";
import { createKnownFlags } from "./flags.ts";
import type { JournalParts } from "./journal.ts";
import { createFileLocks } from "./locks.ts";
import { createShownQuotes } from "./shown.ts";

/** Where the journal of one process is kept, and for whom. */
export interface FileJournalPlace {
  /** The folder of all journals of this user. */
  journalDir: string;
  /** URL of the service: each has a journal of its own. */
  baseUrl: string;
  /** Folder of the Pulumi program. */
  project: string;
}

/** The journal as files of this machine. Nothing is touched before it is needed. */
export function openFileJournal(
  { journalDir, baseUrl, project }: FileJournalPlace,
  clock: Clock,
): JournalParts {
  const folder = journalFolder(journalDir, baseUrl);
  const runId = randomUUID();
  return {
    store: createFileStore(folder),
    locks: createFileLocks(folder, clock),
    shown: createShownQuotes(folder, runId, clock),
    flags: createKnownFlags(folder, runId, clock),
    runId,
    project,
  };
}

/**
 * The folder of one service's journal: its host for people, and a digest of its whole address, since two
 * services may share a host. The API key has no part in it: a key that is changed leaves the journal as it is.
 */
export function journalFolder(journalDir: string, baseUrl: string): string {
  const { host, origin, pathname } = new URL(baseUrl);
  const address = `${origin}${pathname.replace(/\/+$/, "")}`;
  const digest = createHash("sha256").update(address).digest("hex").slice(0, 8);
  return join(journalDir, `${host.replace(/[^\w.-]/g, "_")}-${digest}`);
}
