import type { DocumentStore } from "../../provider/core/journal/document-store.ts";
import type { DocumentOptions } from "../../provider/core/journal/documents.ts";
import type { Clock } from "../../provider/core/ports.ts";
import { parseJournalUrl } from "../../provider/journals/journal-url.ts";
import { openLocation } from "../../provider/journals/open-documents.ts";

/** Opens the store that a URL names. */
export async function openStore(
  url: string,
  clock: Clock,
  options?: DocumentOptions,
): Promise<DocumentStore> {
  return openLocation(parseJournalUrl(url), clock, options);
}
