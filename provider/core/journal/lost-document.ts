import { JournalError } from "../ports.ts";
import type { Document, DocumentStore, Told } from "./document-store.ts";

/**
 * Reads a document. One that is not there has not begun, or it is lost: then what it said was bought would be bought again.
 * @param wasThere whether something in the journal tells that it was written before. Asked only where it is not there.
 */
export async function readUnlessLost(
  documents: DocumentStore,
  name: string,
  wasThere: () => Promise<boolean>,
): Promise<Told<Document | undefined>> {
  const told = await documents.read(name);
  if (told.value !== undefined || !(await wasThere())) return told;
  // Somebody may have written it since, and then what tells of it.
  const again = await documents.read(name);
  if (again.value !== undefined) return again;
  throw new JournalError(
    "incomplete",
    `${name} is gone from the journal in ${documents.place}, and without it nobody can tell what was bought: put it back, from a backup or as an earlier version of it`,
  );
}
