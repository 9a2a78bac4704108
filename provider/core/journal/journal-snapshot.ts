import { isDeepStrictEqual } from "node:util";
import {
  ACCOUNT,
  type AccountDocument,
  accountFormat,
  documentOf,
  type HeldTurn,
  isPage,
  type MovedTo,
} from "./account-document.ts";
import { SALT } from "./account-fingerprint.ts";
import type { Document, DocumentStore, DocumentVersion } from "./document-store.ts";
import { FLAGS } from "./known-flags.ts";
import { PREVIEWS } from "./previewed-plans.ts";
import { parseRecord } from "./record.ts";
import { RUNS } from "./run-records.ts";
import { isSign } from "./signs-of-life.ts";

/** A journal as it stands. */
export interface Snapshot {
  /** Undefined if nobody has begun to buy with it. */
  account: Omit<AccountDocument, "turn" | "movedTo"> | undefined;
  turn: HeldTurn | undefined;
  movedTo: MovedTo | undefined;
  /** Of the account's document. */
  version: DocumentVersion | undefined;
  /** When the account's document was read, by the clock of the store. */
  at: Date;
  /** All other documents, by their names. */
  documents: ReadonlyMap<string, Document>;
}

/** The account's document first: what is put away into the book meanwhile stands in both then, and not in neither. */
export async function readSnapshot(store: DocumentStore): Promise<Snapshot> {
  const { value: found, at } = await store.read(ACCOUNT);
  const whole = found && parseRecord(accountFormat, ACCOUNT, store, found.text);
  const documents = new Map<string, Document>();
  for (const name of await listNames(store, whole)) {
    const { value } = await store.read(name);
    if (value !== undefined) documents.set(name, value);
  }
  const version = found?.version;
  if (whole === undefined) {
    return { account: undefined, turn: undefined, movedTo: undefined, version, at, documents };
  }
  const { turn, movedTo, ...account } = whole;
  return { account, turn, movedTo, version, at, documents };
}

/** What may be there. A listing may lag behind what was written, so the names that are known count, too. */
async function listNames(
  store: DocumentStore,
  account: AccountDocument | undefined,
): Promise<Set<string>> {
  const { value: listed } = await store.list("");
  const known = [SALT, FLAGS, RUNS, PREVIEWS, ...pageNames(account)];
  return new Set([...known, ...listed.filter(isCopied)]);
}

/** The documents of the pages that the account's document counts. */
export function pageNames(account: Pick<AccountDocument, "pages"> | undefined): string[] {
  return Object.keys(account?.pages ?? {}).map(documentOf);
}

/** What a probe has left and found out is said of one store only. */
function isCopied(name: string): boolean {
  return name !== ACCOUNT && name !== "fitness.json" && !name.startsWith("probe/") && !isSign(name);
}

/** Whether nobody has written to a journal between two looks at it. */
export function isUnchanged(a: Snapshot, b: Snapshot): boolean {
  const whatIsCopied = ({ version, documents }: Snapshot) => ({ version, documents });
  return isDeepStrictEqual(whatIsCopied(a), whatIsCopied(b));
}

/** Whether two journals say the same of what was bought with which account. Previews and flags may have changed since. */
export function isSamePurchases(a: Snapshot, b: Snapshot): boolean {
  const purchasesIn = ({ account = accountFormat.empty, documents }: Snapshot) => {
    const names = [...documents.keys()].filter((name) => name === SALT || isPage(name));
    return { account, texts: new Map(names.map((name) => [name, documents.get(name)?.text])) };
  };
  return isDeepStrictEqual(purchasesIn(a), purchasesIn(b));
}

/** The salt of a journal tells which accounts its purchases belong to: no other journal has the same. */
export function saltOf({ documents }: Snapshot): string | undefined {
  return documents.get(SALT)?.text;
}
