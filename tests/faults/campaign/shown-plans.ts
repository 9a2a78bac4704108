import type { Quote } from "../../../provider/core/spending/quote.ts";

/** What a preview has shown for one owner. */
export interface Shown {
  quote: Partial<Quote> & { pricePerCycle?: number };
  atMs: number;
  /** Where it was run. */
  checkout: number;
}

/** What the previews of a stack have shown, and nobody has carried out since. */
export interface ShownPlans {
  note(checkout: number, quotes: ReadonlyMap<string, Shown["quote"]>, atMs: number): void;
  /** What binds the runs of a checkout, by owner: all of it. */
  bindingOn(checkout: number): ReadonlyMap<string, readonly Shown[]>;
  /**
   * Notes that a run of a checkout was charged for an owner. That ends what this checkout was shown, and what any other one was
   * shown for this one. Where this one was shown nothing, it has carried out what the others were shown.
   */
  carriedOut(checkout: number, owner: string): void;
  clear(): void;
}

interface Kept extends Shown {
  owner: string;
  /** Whether it binds the runs of its own checkout only. */
  isOverElsewhere: boolean;
}

/** @param areTold whether folders tell checkouts apart. On a journal that machines share, they do not */
export function createShownPlans(areTold: boolean): ShownPlans {
  let all: Kept[] = [];
  const told = (checkout: number) => (areTold ? checkout : 0);

  function bindingFor(here: number, ofOwner: readonly Kept[]): readonly Shown[] {
    const own = ofOwner.find(({ checkout }) => checkout === here);
    const newest = ofOwner.findLast(
      ({ checkout, isOverElsewhere }) => checkout === here || !isOverElsewhere,
    );
    return [...new Set([own, newest])].filter((one) => one !== undefined);
  }

  return {
    note(checkout, quotes, atMs) {
      const here = told(checkout);
      all = all.filter((one) => one.checkout !== here || !quotes.has(one.owner));
      for (const [owner, quote] of quotes) {
        all.push({ owner, quote, atMs, checkout: here, isOverElsewhere: false });
      }
    },

    bindingOn(checkout) {
      const byOwner = Map.groupBy(all, ({ owner }) => owner);
      return new Map(
        [...byOwner].map(([owner, some]) => [owner, bindingFor(told(checkout), some)]),
      );
    },

    carriedOut(checkout, owner) {
      const here = told(checkout);
      const isOwners = (one: Kept) => one.owner === owner;
      const isShownHere = all.some((one) => isOwners(one) && one.checkout === here);
      all = all
        .filter((one) => !isOwners(one) || (isShownHere && one.checkout !== here))
        .map((one) => (isOwners(one) ? { ...one, isOverElsewhere: true } : one));
    },

    clear() {
      all = [];
    },
  };
}
