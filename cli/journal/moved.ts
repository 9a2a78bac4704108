import type { ServiceJournal } from "../../provider/journals/open-journal.ts";
import { formatTime } from "./intent-words.ts";

/** What `journal copy` has left in a journal whose purchases are elsewhere now. */
interface Mark {
  journal: ServiceJournal;
  url: string;
  at: string;
}

/** Where a journal was moved to; undefined if it is still here. */
export async function findMark(journal: ServiceJournal): Promise<Mark | undefined> {
  const movedTo = await journal.store.movedTo();
  return movedTo && { journal, ...movedTo };
}

/** The same, in a sentence without a full stop. */
export function explainMark({ journal, url, at }: Mark): string {
  return `the journal in ${journal.place} was moved to ${url} at ${formatTime(at)}: nobody buys with it any more`;
}
