import type { DocumentStore } from "../../../provider/core/journal/document-store.ts";
import { type RawStore, StoreFailure } from "../../../provider/core/journal/raw-store.ts";
import { JournalError } from "../../../provider/core/ports.ts";

/** What goes wrong with calls to the journal's store. */
export interface StoreMishap {
  /** How many calls are left alone before. */
  after: number;
  /** How many calls in a row go wrong. */
  count: number;
  /**
   * `away`: the call does nothing, for all that the journal tries. `lost`: it is carried out, and nobody can tell.
   * `noAnswer`: one request of it is carried out, and its answer does not come. `notArrived`: one request of it does not
   * arrive, which looks the same. Files on this machine always answer.
   */
  how: "away" | "lost" | "noAnswer" | "notArrived";
}

/** A store whose calls go wrong as it is told. */
export interface StoreMishaps {
  add(mishap: StoreMishap): void;
  clear(): void;
  /** How many calls have gone wrong. */
  hits(): number;
  wrap(documents: DocumentStore): DocumentStore;
  /** The same below: single requests of such a call. */
  wrapProduct(product: RawStore): RawStore;
}

/** Makes a store fail, as one does that no longer answers after all that its caller has tried. */
export function createStoreMishaps(): StoreMishaps {
  const calls = countMishaps((how) => how === "away" || how === "lost");
  const requests = countMishaps((how) => how === "noAnswer" || how === "notArrived");

  function aroundCall<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) {
    return async (...args: Args): Promise<Result> => {
      const how = calls.next();
      if (how === undefined) return call(...args);
      if (how === "lost") await call(...args);
      throw new JournalError("unavailable", "the journal's store gave no answer");
    };
  }

  function aroundRequest<Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) {
    return async (...args: Args): Promise<Result> => {
      const how = requests.next();
      if (how === undefined) return ask(...args);
      if (how === "noAnswer") await ask(...args);
      throw new StoreFailure("unanswered", "connection lost");
    };
  }

  return {
    add(mishap) {
      calls.add(mishap);
      requests.add(mishap);
    },
    clear() {
      calls.clear();
      requests.clear();
    },
    hits: () => calls.hits() + requests.hits(),
    wrap: (real) => ({
      ...real,
      read: aroundCall(real.read),
      create: aroundCall(real.create),
      replace: aroundCall(real.replace),
      remove: aroundCall(real.remove),
      list: aroundCall(real.list),
    }),
    wrapProduct: (real) => ({
      ...real,
      read: aroundRequest(real.read),
      create: aroundRequest(real.create),
      replace: aroundRequest(real.replace),
      list: aroundRequest(real.list),
    }),
  };
}

/** Counts what is asked, and says which of it goes wrong. */
function countMishaps(concerns: (how: StoreMishap["how"]) => boolean) {
  let waiting: { from: number; to: number; how: StoreMishap["how"] }[] = [];
  let asked = 0;
  let hits = 0;
  return {
    add({ after, count, how }: StoreMishap): void {
      if (concerns(how)) waiting.push({ from: asked + after, to: asked + after + count, how });
    },
    clear(): void {
      waiting = [];
    },
    hits: () => hits,
    next(): StoreMishap["how"] | undefined {
      asked += 1;
      const mishap = waiting.find(({ from, to }) => asked > from && asked <= to);
      if (mishap !== undefined) hits += 1;
      return mishap?.how;
    },
  };
}
