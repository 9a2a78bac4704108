import type { Quote } from "../../../provider/core/spending/quote.ts";

/** What a preview has shown for one owner. */
export interface Shown {
  quote: Partial<Quote> & { pricePerCycle?: number };
  atMs: number;
}

/** What the previews of a stack have shown, and nobody has carried out since. */
export interface ShownPlans {
  note(checkout: number, quotes: ReadonlyMap<string, Shown["quote"]>, atMs: number): void;
  /** What binds the runs of a checkout, by owner: what it was shown last, and what anybody was. */
  bindingOn(checkout: number): ReadonlyMap<string, readonly Shown[]>;
  /** Notes that a run was charged for an owner. All checkouts use one state, so that ends what any of them was shown. */
  carriedOut(owner: string): void;
  clear(): void;
}

interface Kept extends Shown {
  owner: string;
  /** Where it was shown. */
  checkout: number;
}

/** @param areTold whether folders tell checkouts apart. On a journal that machines share, they do not */
export function createShownPlans(areTold: boolean): ShownPlans {
  let all: Kept[] = [];
  const told = (checkout: number) => (areTold ? checkout : 0);

  return {
    note(checkout, quotes, atMs) {
      const here = told(checkout);
      all = all.filter((one) => one.checkout !== here || !quotes.has(one.owner));
      for (const [owner, quote] of quotes) all.push({ owner, quote, atMs, checkout: here });
    },

    bindingOn(checkout) {
      const here = told(checkout);
      const bindingFor = (some: readonly Kept[]) =>
        some.filter((one) => one.checkout === here || one === some.at(-1));
      const byOwner = Map.groupBy(all, ({ owner }) => owner);
      return new Map([...byOwner].map(([owner, some]) => [owner, bindingFor(some)]));
    },

    carriedOut(owner) {
      all = all.filter((one) => one.owner !== owner);
    },

    clear() {
      all = [];
    },
  };
}
