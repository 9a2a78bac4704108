import type { Migration, RecordedDocument } from "../values/migrate.ts";

/** Release 0.1.0 had other words for what became of a purchase. */
const newWords: Readonly<Record<string, string>> = {
  accepted: "placed",
  unresolved: "unknown",
  notSent: "notPlaced",
};

const translate = (word: unknown) => (typeof word === "string" ? (newWords[word] ?? word) : word);

/** Version 2 says `placed`, `unknown` and `notPlaced`. */
function renameOutcomes(document: RecordedDocument): RecordedDocument {
  const { phase, closedBecause, history } = document;
  return {
    ...document,
    phase: translate(phase),
    ...(closedBecause !== undefined && { closedBecause: translate(closedBecause) }),
    ...(Array.isArray(history) && { history: history.map(renamePhase) }),
  };
}

function renamePhase(entry: RecordedDocument): RecordedDocument {
  return { ...entry, phase: translate(entry.phase) };
}

/** How the journal's documents came to their newest version. */
export const intentMigration: Migration = { versionIn: "version", steps: [renameOutcomes] };
