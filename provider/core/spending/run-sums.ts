import type { AccountFact } from "../records/run-fact.ts";
import { addMoney, formatMoney } from "../values/money.ts";
import { createMoneyTally } from "../values/money-tally.ts";

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

interface Plan {
  price: number;
  isCap: boolean;
}

interface Spend {
  owner: string;
  price: number;
  isInFlight: boolean;
}

/** Makes the sums of one run, on one account. Each plan and each purchase asks for them, so none adds all of it up. */
export function createRunSums(): RunSums {
  const plans = new Map<string, Plan>();
  /** The plans of owners for whom this process pays, and of those for whom another one has paid. */
  const [unpaid, paidElsewhere] = [createPlanTotal(), createPlanTotal()];
  /** The owners for whom other processes have paid. */
  const paidFor = new Set<string>();
  /** By requestId. */
  const spends = new Map<string, Spend>();
  const spent = createMoneyTally();
  const inFlight = new Set<string>();
  let stopped: string | undefined;

  function stop(reason: string): void {
    stopped ??= reason;
  }

  /** Counts the newest plan of an owner where it belongs now. */
  function count(owner: string): void {
    unpaid.delete(owner);
    paidElsewhere.delete(owner);
    const plan = plans.get(owner);
    if (plan) (paidFor.has(owner) ? paidElsewhere : unpaid).set(owner, plan);
  }

  function setPlan(owner: string, plan: Plan | undefined): void {
    if (plan) plans.set(owner, plan);
    else plans.delete(owner);
    count(owner);
  }

  function setSpend(requestId: string, spend: Spend): void {
    spends.set(requestId, spend);
    spent.set(requestId, spend.price);
    if (spend.isInFlight) inFlight.add(requestId);
    else inFlight.delete(requestId);
  }

  function sumPlansOf(owners: ReadonlySet<string>): PlannedTotal {
    const total = createPlanTotal();
    for (const owner of owners) {
      const plan = plans.get(owner);
      if (plan) total.set(owner, plan);
    }
    return total.sum();
  }

  function sumAllPlans(): PlannedTotal {
    const [ours, theirs] = [unpaid.sum(), paidElsewhere.sum()];
    return {
      price: addMoney(ours.price, theirs.price),
      isAtMost: ours.isAtMost || theirs.isAtMost,
    };
  }

  return {
    plan(owner, price, isCap) {
      const before = plans.get(owner);
      setPlan(owner, { price, isCap });
      return { withdraw: () => setPlan(owner, before) };
    },
    spend: (owner, requestId, price, isInFlight) =>
      setSpend(requestId, { owner, price, isInFlight }),
    stop,
    planned: (owners) => (owners ? sumPlansOf(owners) : sumAllPlans()),
    plannedUnpaid: () => unpaid.sum(),
    spent(owners) {
      if (owners === undefined) return spent.sum();
      const counted = [...spends.values()].filter(({ owner }) => owners.has(owner));
      return addMoney(...counted.map(({ price }) => price));
    },
    isAnyInFlight: () => inFlight.size > 0,
    stopped: () => stopped,
    hear(fact) {
      switch (fact.kind) {
        case "plans":
          setPlan(fact.owner, { price: fact.price, isCap: fact.isCap ?? false });
          break;
        case "spends":
          setSpend(fact.requestId, {
            ...{ owner: fact.owner, price: fact.price },
            isInFlight: fact.isInFlight ?? false,
          });
          if (fact.price > 0) paidFor.add(fact.owner);
          else paidFor.delete(fact.owner);
          count(fact.owner);
          break;
        case "stops":
          stop(fact.reason);
      }
    },
  };
}

/** Plans by owner, and what they come to. */
function createPlanTotal() {
  const prices = createMoneyTally();
  /** The owners whose plan is a cap, and not for nothing. */
  const caps = new Set<string>();
  return {
    set(owner: string, { price, isCap }: Plan): void {
      prices.set(owner, price);
      if (isCap && price > 0) caps.add(owner);
      else caps.delete(owner);
    },
    delete(owner: string): void {
      prices.delete(owner);
      caps.delete(owner);
    },
    sum: (): PlannedTotal => ({ price: prices.sum(), isAtMost: caps.size > 0 }),
  };
}
