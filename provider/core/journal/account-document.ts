import { z } from "zod";
import { type Intent, parseIntent } from "../records/intent.ts";
import { explainMismatch } from "../values/mismatch.ts";
import { remember } from "../values/remember.ts";
import type { DocumentStore, Told } from "./document-store.ts";
import {
  type JournalRecord,
  jsonFormat,
  openRecord,
  type RecordFormat,
  type TimedStore,
} from "./record.ts";

/**
 * Whose turn on the account it is:
 * - `taken`: nothing is sent yet;
 * - `sending`: this purchase may be on its way.
 */
const turnSchema = z.object({
  runId: z.string(),
  phase: z.enum(["taken", "sending"]),
  /** The id of what is sent. */
  intent: z.string().optional(),
  /** Whether the holder wants it no more, and only what was sent keeps it. */
  givenBack: z.literal(true).optional(),
  /** Until when nobody else may have it, by the store's clock. */
  until: z.string(),
});

export type HeldTurn = z.infer<typeof turnSchema>;

const movedSchema = z.object({
  /** Where it is now, as a setting names it, without secrets. */
  url: z.string(),
  /** By the clock of the store that was left. */
  at: z.string(),
});

/** See `AccountDocument`. */
export type MovedTo = z.infer<typeof movedSchema>;

const intentDocument = z.unknown().transform((document, context): Intent => {
  try {
    return parseIntent(document);
  } catch (error) {
    context.addIssue({ code: "custom", message: explainMismatch(error) });
    return z.NEVER;
  }
});

const accountSchema = z.object({
  version: z.literal(1),
  turn: turnSchema.optional(),
  /** Where the journal was copied to: nobody may buy with this one any more. */
  movedTo: movedSchema.optional(),
  /** The highest sequence that a purchase was ever given. A purchase that was never sent is removed, and this stays. */
  sequence: z.number(),
  /** Purchases that are not at rest. */
  underWay: z.array(intentDocument),
  /**
   * How often each page of the book has changed, by its name. Whoever has read it then need not read it again. A page is written
   * before that is counted here, so each of these must be there.
   */
  pages: z.record(z.string(), z.number()),
});

/** Who may buy now, and what is under way. Each change of it is one compare-and-set. */
export type AccountDocument = z.infer<typeof accountSchema>;

export const accountFormat: RecordFormat<AccountDocument> = jsonFormat(
  accountSchema,
  { version: 1, sequence: 0, underWay: [], pages: {} },
  1,
);

const pageSchema = z.object({ version: z.literal(1), purchases: z.array(intentDocument) });

/** A page of the purchase book: what is at rest. */
export type BookPage = z.infer<typeof pageSchema>;

export const pageFormat: RecordFormat<BookPage> = jsonFormat(
  pageSchema,
  { version: 1, purchases: [] },
  1,
);

/** So many purchases stand on one page: to change one, the page is written anew. */
const PURCHASES_PER_PAGE = 50;

/** What the account's document is called. */
export const ACCOUNT = "account.json";

/** Opens the account's document. */
export function openAccount(store: TimedStore): JournalRecord<AccountDocument> {
  // A journal that had no book has it only with the account's document.
  const wasThere = remember(() => store.ask(() => hasBook(store.documents)));
  return openRecord(store, ACCOUNT, accountFormat, wasThere);
}

/** Below this name are the pages of the purchase book. */
const BOOK = "book/";

/** Whether there is a purchase book. No page of it is written before the account's document. */
export async function hasBook(documents: DocumentStore): Promise<Told<boolean>> {
  const { value: pages, at } = await documents.list(BOOK);
  return { value: pages.length > 0, at };
}

/** Whether a document is a page of the purchase book, by its name. */
export function isPage(name: string): boolean {
  return name.startsWith(BOOK);
}

/** What the document of a page is called. */
export function documentOf(page: string): string {
  return `${BOOK}${page}.json`;
}

/** On which page a purchase stands. Those of release 0.1.0 have no sequence. */
export function pageOf({ sequence }: Pick<Intent, "sequence">): string {
  if (sequence === undefined) return "early";
  return String(Math.floor(sequence / PURCHASES_PER_PAGE)).padStart(6, "0");
}
