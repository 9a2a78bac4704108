/** A document as an earlier release wrote it. */
export type RecordedDocument = Readonly<Record<string, unknown>>;

/** Brings a document from one version to the next. `migrate` counts the version itself. */
export type MigrationStep = (document: RecordedDocument) => RecordedDocument;

/** How documents of one kind came to their newest version. */
export interface Migration {
  /** Which property holds the version. */
  versionIn: string;
  /** The first step brings version 1 to version 2, and so on. A step that was released is never changed. */
  steps: readonly MigrationStep[];
}

/** The version that this release writes. */
export function newestVersion({ steps }: Migration): number {
  return steps.length + 1;
}

/**
 * Brings a recorded document to the newest version. A document whose version this release does not know is given back
 * unchanged. Its schema then refuses it, so the document of a newer release is never half read.
 */
export function migrate(
  recorded: unknown,
  migration: Migration,
): { document: unknown; migrated: boolean } {
  const { versionIn, steps } = migration;
  if (!isDocument(recorded)) return { document: recorded, migrated: false };
  const version = recorded[versionIn];
  const isOlder = Number.isInteger(version) && Number(version) >= 1;
  const missing = isOlder ? steps.slice(Number(version) - 1) : [];
  if (missing.length === 0) return { document: recorded, migrated: false };
  const document = missing.reduce<RecordedDocument>((former, step) => step(former), recorded);
  return { document: { ...document, [versionIn]: newestVersion(migration) }, migrated: true };
}

function isDocument(recorded: unknown): recorded is RecordedDocument {
  return typeof recorded === "object" && recorded !== null && !Array.isArray(recorded);
}
