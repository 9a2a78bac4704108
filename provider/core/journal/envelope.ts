import { z } from "zod";
import { JournalError } from "../ports.ts";

/** What stands in a product under a name: a document, or that one was removed. */
export type Envelope = LiveEnvelope | RemovedEnvelope;

interface LiveEnvelope {
  kind: "live";
  revision: number;
  /** See `DocumentVersion`. */
  nonces: readonly string[];
  text: string;
}

interface RemovedEnvelope {
  kind: "removed";
  /** Of the removal, and of the revision that it has taken away. */
  nonces: readonly [string, string];
}

/** How many revisions back a document tells who has written it. */
export const KEPT_NONCES = 8;

const NONCE = "[A-Za-z0-9_-]{16}";

const headerSchema = z.strictObject({
  revision: z.int().min(1),
  nonces: z.array(z.string().regex(new RegExp(`^${NONCE}$`))).min(1),
});

const removedPattern = new RegExp(`^removed (${NONCE}) (${NONCE})$`);

/** The mark of a removed document has this length, and every document is longer: a listing tells them apart. */
export const REMOVED_BYTES = 41;

/**
 * A document is its text, below one line of JSON: `{"revision":2,"nonces":["…","…"]}`. Where its text is JSON too, `jq`
 * reads the whole.
 */
export function writeEnvelope(envelope: Envelope): string {
  if (envelope.kind === "removed") return `removed ${envelope.nonces.join(" ")}`;
  const { revision, nonces, text } = envelope;
  return `${JSON.stringify({ revision, nonces })}\n${text}`;
}

/** Throws where it was not written by `writeEnvelope`: it may hide a purchase. */
export function readEnvelope(name: string, place: string, written: string): Envelope {
  const [, by, before] = removedPattern.exec(written) ?? [];
  if (by !== undefined && before !== undefined) return { kind: "removed", nonces: [by, before] };
  const end = written.indexOf("\n");
  const header = headerSchema.safeParse(parseJson(written.slice(0, Math.max(end, 0))));
  if (header.success) return { kind: "live", ...header.data, text: written.slice(end + 1) };
  throw new JournalError(
    "unreadable",
    `${name} in ${place} was not written by this journal, or was changed by hand`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
