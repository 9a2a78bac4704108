import type { AccountFact } from "../records/run-fact.ts";
import { addMoney, formatMoney } from "../values/money.ts";

/** What a process tells the others about the money that it plans or spends. */
export type MoneyFact = Extract<AccountFact, { kind: "plans" | "spends" | "stops" }>;

/** What plans come to. */
export interface PlannedTotal {
  price: number;
  /** Whether a part of it is only a cap, because its price is not known yet. */
  isAtMost: boolean;
}

/** The sum of plans, in words. */
export function describeTotal({ price, isAtMost }: PlannedTotal, currency: string): string {
  return `${isAtMost ? "up to " : ""}${formatMoney(price, currency)}`;
}

/**
 * What all provider processes of one run plan, and what they have spent, on one account. A limit of a run holds for
 * all of them together.
 */
export interface RunSums {
  /**
   * Adds the plan of an owner to the sum, in place of its earlier one. The result takes it out again.
   * @param isCap whether the price is not known yet, and this is the most that it may be.
   */
  plan(owner: string, price: number, isCap: boolean): { withdraw(): void };
  /**
   * Call this before a purchase is sent, and again with what it has cost: 0 if it was not placed.
   * @param isInFlight whether it is not known yet what became of it
   */
  spend(owner: string, requestId: string, price: number, isInFlight: boolean): void;
  /** Stops all further buying of the run; the first reason stays. */
  stop(reason: string): void;
  /** What all plans come to, or those of these owners. */
  planned(owners?: ReadonlySet<string>): PlannedTotal;
  /** What all plans come to, without those that other processes have paid: these are gone from the balance already. */
  plannedUnpaid(): PlannedTotal;
  /** What was spent, or may have been, for all owners or for these. */
  spent(owners?: ReadonlySet<string>): number;
  /** Whether it is not known yet of any purchase what became of it. */
  isAnyInFlight(): boolean;
  /** Why nothing more may be bought. */
  stopped(): string | undefined;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** Makes the sums of one run, on one account. */
export function createRunSums(): RunSums {
  const plans = new Map<string, { price: number; isCap: boolean }>();
  /** By requestId. */
  const spends = new Map<string, { owner: string; price: number; isInFlight: boolean }>();
  /** The owners for whom other processes have paid. */
  const paidElsewhere = new Set<string>();
  let stopped: string | undefined;

  function stop(reason: string): void {
    stopped ??= reason;
  }

  function sumPlans(isCounted: (owner: string) => boolean): PlannedTotal {
    const counted = [...plans].flatMap(([owner, plan]) => (isCounted(owner) ? [plan] : []));
    return {
      price: addMoney(...counted.map(({ price }) => price)),
      isAtMost: counted.some(({ price, isCap }) => isCap && price > 0),
    };
  }

  return {
    plan(owner, price, isCap) {
      const before = plans.get(owner);
      plans.set(owner, { price, isCap });
      return {
        withdraw() {
          if (before === undefined) plans.delete(owner);
          else plans.set(owner, before);
        },
      };
    },
    spend: (owner, requestId, price, isInFlight) =>
      void spends.set(requestId, { owner, price, isInFlight }),
    stop,
    planned: (owners) => sumPlans((owner) => owners?.has(owner) ?? true),
    plannedUnpaid: () => sumPlans((owner) => !paidElsewhere.has(owner)),
    spent(owners) {
      const counted = [...spends.values()].filter(({ owner }) => owners?.has(owner) ?? true);
      return addMoney(...counted.map(({ price }) => price));
    },
    isAnyInFlight: () => [...spends.values()].some(({ isInFlight }) => isInFlight),
    stopped: () => stopped,
    hear(fact) {
      switch (fact.kind) {
        case "plans":
          plans.set(fact.owner, { price: fact.price, isCap: fact.isCap ?? false });
          break;
        case "spends":
          spends.set(fact.requestId, {
            ...{ owner: fact.owner, price: fact.price },
            isInFlight: fact.isInFlight ?? false,
          });
          if (fact.price > 0) paidElsewhere.add(fact.owner);
          else paidElsewhere.delete(fact.owner);
          break;
        case "stops":
          stop(fact.reason);
      }
    },
  };
}
