import { openDocuments } from "../../../provider/core/journal/documents.ts";
import { keepTime, type TimedStore } from "../../../provider/core/journal/record.ts";
import type { ManualClock } from "./account-under-test.ts";
import { createManualClock } from "./account-under-test.ts";
import { createMemoryStore, type MemoryStore } from "./memory-store.ts";

/** A store of documents, and processes that use it. */
export interface DocumentBench {
  raw: MemoryStore;
  /** The store's clock. */
  clock: ManualClock;
  /** What another process opens: it has read nothing yet. */
  open(ownClock?: ManualClock): TimedStore;
}

/**
 * Makes an empty store.
 * @param readsLastMs see `TimedStore`
 */
export function makeDocumentBench(readsLastMs = 0): DocumentBench {
  const clock = createManualClock();
  const raw = createMemoryStore(clock.now);
  return {
    raw,
    clock,
    open: (ownClock = clock) => keepTime(openDocuments(raw, ownClock), ownClock, readsLastMs),
  };
}
