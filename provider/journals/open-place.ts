import { basename, join } from "node:path";
import type { DocumentStore } from "../core/journal/document-store.ts";
import type { Clock } from "../core/ports.ts";
import { remember } from "../core/values/remember.ts";
import { documentsWithin } from "./documents-within.ts";
import { openFolderDocuments } from "./file/file-journal.ts";
import { findJournalFolders, isServiceFolder } from "./file/folders.ts";
import { describeLocation, type JournalLocation } from "./journal-url.ts";
import { machineTime } from "./machine-time.ts";
import { openLocation } from "./open-documents.ts";

/** A place in which services keep their journals, each below its name: see `serviceFolder`. */
export interface OpenPlace {
  /** Safe to print. */
  readonly place: string;
  /** The names of all services that keep something here, sorted. */
  listServices(): Promise<string[]>;
  /** The documents of one service. */
  documentsOf(service: string): DocumentStore;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/** Opens a place. Nothing is asked of it, and no library is loaded, before it is needed. */
export function openPlace(location: JournalLocation, clock: Clock): OpenPlace {
  const place = describeLocation(location);
  if (location.kind === "file") {
    const { folder } = location;
    return {
      place,
      listServices: async () => (await findJournalFolders(folder)).map((path) => basename(path)),
      documentsOf: (service) => openFolderDocuments(join(folder, service), clock),
      close: async () => undefined,
    };
  }
  let opening: Promise<DocumentStore> | undefined;
  const open = remember(() => {
    opening = openLocation(location, machineTime);
    return opening;
  });
  return {
    place,
    async listServices() {
      const { value: names } = await (await open()).list("");
      const folders = names.map((name) => name.slice(0, Math.max(name.indexOf("/"), 0)));
      return [...new Set(folders.filter(isServiceFolder))].sort();
    },
    documentsOf: (service) => documentsWithin(place, service, open),
    async close() {
      // One that could not be opened has said so to whoever asked it for something.
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
