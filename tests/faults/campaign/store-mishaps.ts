import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import { JournalError } from "../../../provider/core/ports.ts";

/** What goes wrong with calls to the journal's store. */
export interface StoreMishap {
  /** How many calls are left alone before. */
  after: number;
  /** How many calls in a row go wrong. */
  count: number;
  /** `away`: the call does nothing. `lost`: it is carried out, and nobody can tell. */
  how: "away" | "lost";
}

/** A store whose calls go wrong as it is told. */
export interface StoreMishaps {
  add(mishap: StoreMishap): void;
  clear(): void;
  /** How many calls have gone wrong. */
  hits(): number;
  wrap(documents: DocumentStore): DocumentStore;
}

/** Makes a store fail, as one does that no longer answers after all that its caller has tried. */
export function createStoreMishaps(): StoreMishaps {
  let waiting: { from: number; to: number; how: StoreMishap["how"] }[] = [];
  let calls = 0;
  let hits = 0;

  function around<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) {
    return async (...args: Args): Promise<Result> => {
      calls += 1;
      const mishap = waiting.find(({ from, to }) => calls > from && calls <= to);
      if (mishap === undefined) return call(...args);
      hits += 1;
      if (mishap.how === "lost") await call(...args);
      throw new JournalError("unavailable", "the journal's store gave no answer");
    };
  }

  return {
    add({ after, count, how }) {
      waiting.push({ from: calls + after, to: calls + after + count, how });
    },
    clear() {
      waiting = [];
    },
    hits: () => hits,
    wrap: (real) => ({
      ...real,
      read: around(real.read),
      create: around(real.create),
      replace: around(real.replace),
      remove: around(real.remove),
      list: around(real.list),
    }),
  };
}
