import { type Intent, isSameMoment } from "../records/intent.ts";
import {
  ACCOUNT,
  type AccountDocument,
  accountFormat,
  documentOf,
  hasBook,
  pageFormat,
} from "./account-document.ts";
import type { DocumentStore } from "./document-store.ts";
import { readUnlessLost } from "./lost-document.ts";
import { newestOf } from "./purchases.ts";
import { parseRecord } from "./record.ts";

/**
 * Takes purchases that were kept elsewhere into a journal, which others may have begun before. Of a purchase that is in it
 * already, the higher revision counts. So it may be done again, and by several processes at once.
 *
 * All of them come to those under way, in one compare-and-set; what is at rest is moved into the book with the next. They
 * keep their sequences, and those of release 0.1.0 have none: a run does not take them for bought since it began.
 */
export async function importPurchases(
  documents: DocumentStore,
  purchases: readonly Intent[],
): Promise<void> {
  if (purchases.length === 0) return;
  for (;;) {
    const wasThere = async () => (await hasBook(documents)).value;
    const { value: found } = await readUnlessLost(documents, ACCOUNT, wasThere);
    const account =
      found === undefined
        ? accountFormat.empty
        : parseRecord(accountFormat, ACCOUNT, documents, found.text);
    const known = newestOf([...(await readBook(documents, account)), ...account.underWay]);
    const news = findNews(known, purchases);
    if (news.length === 0) return;
    const underWay = newestOf([...account.underWay, ...news]);
    const sequence = news.reduce(
      (highest, one) => Math.max(highest, one.sequence ?? 0),
      account.sequence,
    );
    const text = accountFormat.format({ ...account, sequence, underWay });
    const { value: written } = await (found === undefined
      ? documents.create(ACCOUNT, text)
      : documents.replace(ACCOUNT, found.version, text));
    if (written !== undefined) return;
  }
}

async function readBook(documents: DocumentStore, { pages }: AccountDocument): Promise<Intent[]> {
  const read = Object.keys(pages).map(async (page) => {
    const name = documentOf(page);
    const { value } = await readUnlessLost(documents, name, async () => true);
    return value === undefined
      ? []
      : parseRecord(pageFormat, name, documents, value.text).purchases;
  });
  return (await Promise.all(read)).flat();
}

/** What a journal does not know of purchases. */
function findNews(known: readonly Intent[], purchases: readonly Intent[]): Intent[] {
  const byId = new Map(known.map((intent) => [intent.id, intent]));
  const news = new Map<string, Intent>();
  for (const purchase of purchases) {
    const id = findId(purchase, byId);
    const there = byId.get(id);
    if (there !== undefined && there.revision >= purchase.revision) continue;
    byId.set(id, { ...purchase, id });
    news.set(id, { ...purchase, id });
  }
  return [...news.values()];
}

/** The purchase's own id, or another one where a journal has that for another purchase. */
function findId(purchase: Intent, byId: ReadonlyMap<string, Intent>): string {
  let id = purchase.id;
  for (let there = byId.get(id); there && !isSameMoment(there, purchase); there = byId.get(id)) {
    id = `${id}-earlier`;
  }
  return id;
}
