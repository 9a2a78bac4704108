import { ACCOUNT, type AccountDocument, accountFormat } from "./account-document.ts";
import { SALT } from "./account-fingerprint.ts";
import { CopyError } from "./copy-error.ts";
import type { Document, DocumentStore, DocumentVersion } from "./document-store.ts";
import type { Snapshot } from "./journal-snapshot.ts";

/** The place that a copy writes to. */
export interface CopyTarget {
  /** Writes documents beside the account's. */
  putAll(documents: ReadonlyMap<string, Document>): Promise<void>;
  /** Reads them back. */
  assertWritten(documents: ReadonlyMap<string, Document>): Promise<void>;
  /** Writes the account's document, and reads it back. */
  putAccount(account: AccountDocument): Promise<void>;
}

/**
 * Opens the place of a copy as it was seen. A copy writes over only what it has seen there, before it wrote the account's
 * document for the first time, and over what it has written itself. Each document is written at least once, also one that
 * says the same already. So of several copies into one place, in whatever order they stand still and go on, none changes a
 * document that a later one has written, and the first write that meets another one's is refused.
 */
export function openCopyTarget(
  { documents: store, place }: { documents: DocumentStore; place: string },
  seen: Snapshot,
): CopyTarget {
  const written = new Map<string, Document>();
  let accountVersion = seen.version;

  function writtenMeanwhile(): CopyError {
    return new CopyError(
      `somebody else has written to the journal in ${place} meanwhile, perhaps another copy: see that nobody does, and copy again`,
    );
  }

  async function write(
    name: string,
    text: string,
    standing: DocumentVersion | undefined,
  ): Promise<DocumentVersion> {
    const { value } = await (standing === undefined
      ? store.create(name, text)
      : store.replace(name, standing, text));
    if (value === undefined) throw writtenMeanwhile();
    return value;
  }

  function notAsWritten(name: string): CopyError {
    return new CopyError(
      `${name} in ${place} does not say what was written there: do not use that journal`,
    );
  }

  return {
    /** The salt first: whoever has another one has another journal, also if nobody has bought with it yet. */
    async putAll(documents) {
      const saltFirst = [...documents].toSorted(
        ([a], [b]) => Number(b === SALT) - Number(a === SALT),
      );
      for (const [name, { text }] of saltFirst) {
        const own = written.get(name);
        if (own?.text === text) continue;
        const { version: standing } = own ?? seen.documents.get(name) ?? {};
        written.set(name, { text, version: await write(name, text, standing) });
      }
    },

    async assertWritten(documents) {
      for (const [name, { text }] of documents) {
        const { value } = await store.read(name);
        if (value !== undefined && !isOne(value.version, written.get(name)?.version)) {
          throw writtenMeanwhile();
        }
        if (value?.text !== text) throw notAsWritten(name);
      }
    },

    async putAccount(account) {
      const text = accountFormat.format(account);
      const version = await write(ACCOUNT, text, accountVersion);
      accountVersion = version;
      const { value: read } = await store.read(ACCOUNT);
      // As soon as it is written, somebody may buy with it, or another copy may begin.
      const isOwn = read === undefined || isOne(read.version, version);
      if (isOwn && read?.text !== text) throw notAsWritten(ACCOUNT);
    },
  };
}

function isOne(a: DocumentVersion, b: DocumentVersion | undefined): boolean {
  return a.nonces[0] === b?.nonces[0];
}
