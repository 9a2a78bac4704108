import { type Intent, isAtRest } from "../records/intent.ts";
import { accountFormat, pageFormat, pageOf } from "./account-document.ts";
import type { DocumentStore } from "./document-store.ts";

/**
 * Begins a journal with purchases that were kept elsewhere. Does nothing if the journal has begun: then they are in it. If
 * several processes do it at once, or one is killed on the way, the next one ends it.
 */
export async function importPurchases(
  documents: DocumentStore,
  purchases: readonly Intent[],
): Promise<void> {
  const { value: begun } = await documents.read("account.json");
  if (begun !== undefined) return;
  const pages = Map.groupBy(purchases.filter(isAtRest), pageOf);
  for (const [name, resting] of pages) {
    const page = pageFormat.format({ version: 1, purchases: resting });
    await documents.create(`book/${name}.json`, page);
  }
  const account = accountFormat.format({
    version: 1,
    sequence: Math.max(0, ...purchases.map(({ sequence = 0 }) => sequence)),
    underWay: purchases.filter((purchase) => !isAtRest(purchase)),
    pages: Object.fromEntries([...pages.keys()].map((name) => [name, 1])),
  });
  await documents.create("account.json", account);
}
