import { JournalError, type JournalStore, type Urgency } from "../ports.ts";
import { type Intent, isAtRest } from "../records/intent.ts";
import { remember } from "../values/remember.ts";
import {
  type AccountDocument,
  type BookPage,
  documentOf,
  pageFormat,
  pageOf,
} from "./account-document.ts";
import { type JournalRecord, openRecord, type TimedStore } from "./record.ts";
import { assertNotMoved, beginSending, noteChange } from "./turn-rules.ts";

/** So many are moved into the book at once, which takes as many writes as to move one. */
const PUT_AWAY_TOGETHER = 10;

/** A page as it was read, and how often it had changed by then. */
interface ReadPage {
  changes: number;
  purchases: readonly Intent[];
}

/**
 * Keeps purchases: those under way in the account's document, beside the turn, so that one compare-and-set changes both;
 * those at rest in the purchase book, page by page. A purchase is written into the book first, and then taken out of the
 * account's document. In between it stands in both, and the higher revision counts.
 */
export function openPurchases(
  store: TimedStore,
  account: JournalRecord<AccountDocument>,
): JournalStore {
  // Whoever asks for a page knows that it has changed, so none may be as old as other reads.
  const anew = { ...store, readsLastMs: 0 };
  const pages = remember(async (name: string) => {
    const isCounted = async () => (await account.seen()).pages[name] !== undefined;
    return openRecord(anew, documentOf(name), pageFormat, isCounted);
  });
  const read = new Map<string, ReadPage>();
  /** Pages that may have been written, by this process or another one, without counting that: they are read each time. */
  const uncounted = new Set<string>();
  let puttingAway: Promise<void> | undefined;

  /** What is in the book. A page that has not changed since it was read is not read again. */
  async function readBook({ pages: changes }: AccountDocument): Promise<Intent[]> {
    const found = await Promise.all(
      Object.entries(changes).map(async ([name, count]) => {
        const known = read.get(name);
        if (known?.changes === count && !uncounted.has(name)) return known.purchases;
        const { purchases } = await (await pages(name)).read();
        read.set(name, { changes: count, purchases });
        return purchases;
      }),
    );
    return found.flat();
  }

  async function listAll(state: AccountDocument): Promise<Intent[]> {
    return newestOf([...(await readBook(state)), ...state.underWay]);
  }

  /** Changes a purchase in the book. */
  async function changeInBook(next: Intent, urgency: Urgency): Promise<void> {
    assertNotMoved(await account.seen());
    const name = pageOf(next);
    const page = await pages(name);
    const change = (state: BookPage) => {
      const former = state.purchases.find(({ id }) => id === next.id);
      assertFormer(former, next);
      return { state: withPurchases(state, [next]), result: undefined };
    };
    const count = (state: AccountDocument) => {
      assertNotMoved(state);
      return { state: withChangedPages(state, [name]), result: undefined };
    };
    try {
      await page.update(change, urgency);
      await account.update(count, urgency);
    } catch (error) {
      uncounted.add(name);
      throw error;
    }
  }

  const countAtRest = async () => (await account.seen()).underWay.filter(isAtRest).length;

  /** Moves what is at rest into the book. What is not moved now is moved by a later run. */
  async function putAway(): Promise<void> {
    const { underWay: seen, movedTo } = await account.seen();
    const atRest = seen.filter(isAtRest);
    if (atRest.length === 0 || movedTo !== undefined) return;
    const byPage = Map.groupBy(atRest, pageOf);
    await Promise.all(
      Array.from(byPage, async ([name, moved]) =>
        (await pages(name)).update((page) => ({
          state: withPurchases(page, moved),
          result: undefined,
        })),
      ),
    );
    await account.update((state) => {
      assertNotMoved(state);
      const underWay = state.underWay.filter((one) => !atRest.some((moved) => isSame(one, moved)));
      return { state: withChangedPages({ ...state, underWay }, byPage.keys()), result: undefined };
    });
  }

  /** One at a time: what comes to rest meanwhile is moved together. */
  function putAwayTogether(): Promise<void> {
    puttingAway ??= Promise.resolve()
      .then(putAway)
      .catch(() => undefined)
      .finally(() => {
        puttingAway = undefined;
      });
    return puttingAway;
  }

  return {
    putAway: putAwayTogether,

    readAll: async () => listAll(await account.read()),

    readInTurn: async () => listAll(await account.seen()),

    nextSequence: async () => (await account.seen()).sequence + 1,

    async create(intent) {
      for (;;) {
        const seen = await account.seen();
        const inBook = await readBook(seen);
        const isTaken = inBook.some(({ id }) => id === intent.id);
        const created = await account.update((state, now) => {
          // A purchase may just have gone into the book.
          if (state.pages !== seen.pages && !isSamePages(state, seen)) return stale(state);
          if (isTaken || state.underWay.some(({ id }) => id === intent.id)) {
            return { state, result: false };
          }
          return { state: beginSending(state, intent, now), result: true };
        });
        if (created !== undefined) return created;
      }
    },

    async replace(next, urgency = "hasty") {
      const isUnderWay = await account.update((state) => {
        const former = state.underWay.find(({ id }) => id === next.id);
        if (former === undefined) return { state, result: false };
        assertFormer(former, next);
        return { state: noteChange(state, next), result: true };
      }, urgency);
      if (!isUnderWay) await changeInBook(next, urgency);
      else if (isAtRest(next) && (await countAtRest()) >= PUT_AWAY_TOGETHER)
        await putAwayTogether();
    },

    async remove(intent) {
      await account.update((state) => {
        const underWay = state.underWay.filter((one) => !isSame(one, intent));
        const closed = noteChange(state, { ...intent, phase: "closed" });
        return { state: { ...closed, underWay }, result: undefined };
      }, "insistent");
    },

    movedTo: async () => (await account.seen()).movedTo,

    async reopen() {
      await account.update(({ movedTo: _taken, ...state }) => ({ state, result: undefined }));
    },
  };
}

function stale(state: AccountDocument) {
  return { state, result: undefined };
}

/** Each purchase once, by its newest revision. */
export function newestOf(intents: readonly Intent[]): Intent[] {
  const byId = new Map<string, Intent>();
  for (const intent of intents) {
    const known = byId.get(intent.id);
    if (known === undefined || known.revision < intent.revision) byId.set(intent.id, intent);
  }
  return [...byId.values()];
}

/** Adds purchases to a page, or puts them in the place of their earlier revisions. */
function withPurchases(page: BookPage, moved: readonly Intent[]): BookPage {
  return { ...page, purchases: newestOf([...page.purchases, ...moved]) };
}

function withChangedPages(state: AccountDocument, names: Iterable<string>): AccountDocument {
  const pages = { ...state.pages };
  for (const name of names) pages[name] = (pages[name] ?? 0) + 1;
  return { ...state, pages };
}

function isSamePages(a: AccountDocument, b: AccountDocument): boolean {
  return JSON.stringify(a.pages) === JSON.stringify(b.pages);
}

function isSame(a: Intent, b: Intent): boolean {
  return a.id === b.id && a.revision === b.revision;
}

function assertFormer(former: Intent | undefined, next: Intent): void {
  if (former?.revision === next.revision - 1) return;
  throw new JournalError(
    "conflict",
    `another process has changed the purchase ${next.id} meanwhile`,
  );
}
