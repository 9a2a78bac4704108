import type { AccountFact } from "../records/run-fact.ts";
import { addMoney } from "../values/money.ts";

/** What a process tells the others about the money that it plans or spends. */
export type MoneyFact = Extract<AccountFact, { kind: "plans" | "spends" | "stops" }>;

/**
 * What all provider processes of one run plan, and what they have spent, on one account. A limit of a run holds for
 * all of them together.
 */
export interface RunSums {
  /** Adds the plan of an owner to the sum, in place of its earlier one. The result takes it out again. */
  plan(owner: string, price: number): { withdraw(): void };
  /** Call this before a purchase is sent, and again with what it has cost: 0 if it was not placed. */
  spend(owner: string, requestId: string, price: number): void;
  /** Stops all further buying of the run; the first reason stays. */
  stop(reason: string): void;
  /** What all plans come to, or those of these owners. */
  planned(owners?: ReadonlySet<string>): number;
  /** What all plans come to, without those that other processes have paid: these are gone from the balance already. */
  plannedUnpaid(): number;
  /** What was spent, or may have been, for all owners or for these. */
  spent(owners?: ReadonlySet<string>): number;
  /** Why nothing more may be bought. */
  stopped(): string | undefined;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** Makes the sums of one run, on one account. */
export function createRunSums(): RunSums {
  const plans = new Map<string, number>();
  /** By requestId. */
  const spends = new Map<string, { owner: string; price: number }>();
  /** The owners for whom other processes have paid. */
  const paidElsewhere = new Set<string>();
  let stopped: string | undefined;

  function stop(reason: string): void {
    stopped ??= reason;
  }

  return {
    plan(owner, price) {
      const before = plans.get(owner);
      plans.set(owner, price);
      return {
        withdraw() {
          if (before === undefined) plans.delete(owner);
          else plans.set(owner, before);
        },
      };
    },
    spend: (owner, requestId, price) => void spends.set(requestId, { owner, price }),
    stop,
    planned(owners) {
      const counted = [...plans].filter(([owner]) => owners?.has(owner) ?? true);
      return addMoney(...counted.map(([, price]) => price));
    },
    plannedUnpaid() {
      const unpaid = [...plans].filter(([owner]) => !paidElsewhere.has(owner));
      return addMoney(...unpaid.map(([, price]) => price));
    },
    spent(owners) {
      const counted = [...spends.values()].filter(({ owner }) => owners?.has(owner) ?? true);
      return addMoney(...counted.map(({ price }) => price));
    },
    stopped: () => stopped,
    hear(fact) {
      switch (fact.kind) {
        case "plans":
          plans.set(fact.owner, fact.price);
          break;
        case "spends":
          spends.set(fact.requestId, { owner: fact.owner, price: fact.price });
          if (fact.price > 0) paidElsewhere.add(fact.owner);
          else paidElsewhere.delete(fact.owner);
          break;
        case "stops":
          stop(fact.reason);
      }
    },
  };
}
