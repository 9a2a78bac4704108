import { hostname } from "node:os";
import type { DocumentStore } from "../core/journal/document-store.ts";
import { openJournalParts } from "../core/journal/journal-parts.ts";
import { presenceByTime } from "../core/journal/presence-by-time.ts";
import { type Clock, type JournalParts, unknownRun } from "../core/ports.ts";
import { documentsWithin } from "./documents-within.ts";
import { type FileJournalPlace, openFileJournal, openRunMemory } from "./file/file-journal.ts";
import { serviceFolder } from "./file/folders.ts";
import { createRunMemory } from "./file/run-memory.ts";
import type { SharedLocation } from "./journal-url.ts";
import { machineTime } from "./machine-time.ts";
import { openLocation } from "./open-documents.ts";

/** Where the journal of one process is kept, and for whom. */
export interface JournalPlace extends FileJournalPlace {
  /** A bucket or a database. @default undefined: the journal is in `journalDir`, on this machine */
  shared: SharedLocation | undefined;
  /** Tells stacks apart that share a name and a journal. */
  scope: string;
}

/** Opens a journal. Nothing is asked of it, and no library is loaded, before it is needed. */
export function openJournal({ shared, scope, ...place }: JournalPlace, clock: Clock): JournalParts {
  if (shared === undefined) return openFileJournal(place, clock);
  const folder = serviceFolder(place.baseUrl);
  const documents = documentsWithin(shared.place, folder, () => openLocation(shared, machineTime));
  return openSharedJournal({ documents, scope, isProbed: true }, place, clock);
}

/** What a shared journal is made of. */
interface SharedParts {
  documents: DocumentStore;
  scope: string;
  /** See `JournalPlace` of `journal-parts.ts`. */
  isProbed: boolean;
}

/** Opens a journal that many machines can see. */
export function openSharedJournal(
  { documents, scope, isProbed }: SharedParts,
  place: Omit<FileJournalPlace, "project" | "presence">,
  clock: Clock,
): JournalParts {
  const { journalDir, baseUrl, apiKey, identity = unknownRun, previewBindsMs, interpose } = place;
  return openJournalParts({
    ...{ clock, identity, apiKey, previewBindsMs, isProbed },
    documents: interpose?.(documents) ?? documents,
    presence: presenceByTime,
    // The processes of one run are on one machine.
    memory: (runId) =>
      openRunMemory(identity, (name) => createRunMemory(journalDir, name, runId, clock)),
    // What this machine has bought before its journal was shared.
    readElsewhere: openFileJournal({ journalDir, baseUrl, project: "" }, clock).store.readAll,
    holder: { pid: process.pid, host: hostname() },
    // The same stack runs from any checkout.
    project: scope,
  });
}
