import type { DocumentStore } from "../core/journal/document-store.ts";
import { type DocumentOptions, openDocuments } from "../core/journal/documents.ts";
import type { RawStore } from "../core/journal/raw-store.ts";
import { type Clock, JournalError } from "../core/ports.ts";
import { createAzblobStore } from "./azblob/azblob-store.ts";
import { bound, type Product, tellFailure } from "./bounded-store.ts";
import { createDocumentFiles } from "./file/document-files.ts";
import { createGsStore } from "./gs/gs-store.ts";
import { describeLocation, type JournalLocation } from "./journal-url.ts";
import { createPostgresStore } from "./postgres/postgres-store.ts";
import { createS3Store } from "./s3/s3-store.ts";

/**
 * Opens the store of a place. Nothing is asked of it yet, and nothing is written; the library of its kind is loaded now.
 * Throws `JournalError` where the library is missing, or it can't read what the environment says.
 */
export async function openLocation(
  location: JournalLocation,
  clock: Clock,
  options: DocumentOptions = {},
): Promise<DocumentStore> {
  try {
    return openDocuments(await openRawStore(location, clock), clock, options);
  } catch (error) {
    throw new JournalError(
      "unavailable",
      `the journal in ${describeLocation(location)} can't be used (${tellFailure(error)})`,
      error,
    );
  }
}

/** The product itself, which is asked once and tells what it was answered. */
export async function openRawStore(location: JournalLocation, clock: Clock): Promise<RawStore> {
  return bound(await openProduct(location, clock));
}

async function openProduct(location: JournalLocation, clock: Clock): Promise<Product> {
  switch (location.kind) {
    case "file":
      return createDocumentFiles(location.folder, clock);
    case "s3":
      return createS3Store(location);
    case "gs":
      return createGsStore(location);
    case "azblob":
      return createAzblobStore(location);
    case "postgres":
      return createPostgresStore(location);
  }
}
