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
  /** Adds the plan of an owner to the sum, in place of its earlier one. The result takes it out again. */
  plan(owner: string, plan: Plan): { withdraw(): void };
  /** Call this before a purchase is sent, and again with what it has cost: 0 if it was not placed. */
  spend(requestId: string, spend: Spend): void;
  /** Stops all further buying of the run; the first reason stays. Gives whether it is a new one. */
  stop(reason: string): boolean;
  /** What all plans come to, or those of a fleet, by its owner. */
  planned(fleet?: string): PlannedTotal;
  /** What all plans come to, without those that other processes have paid: these are gone from the balance already. */
  plannedUnpaid(): PlannedTotal;
  /** What was spent, or may have been, in all or for a fleet. */
  spent(fleet?: string): number;
  /** The currency of the first plan or purchase. Nothing in another one may be added. */
  currency(): string | undefined;
  /** Whether it is not known yet of any purchase what became of it. */
  isAnyInFlight(): boolean;
  /** Why nothing more may be bought. */
  stopped(): string | undefined;
  /** Call this with what another process of the run has told. */
  hear(fact: AccountFact): void;
}

/** What one resource may spend by its plan. */
interface Plan {
  price: number;
  currency?: string | undefined;
  /** Whether the price is not known yet, and this is the most that it may be. @default false */
  isCap?: boolean | undefined;
  /** The owner of the fleet that it is a part of. */
  fleet?: string | undefined;
}

/** What one purchase costs, or may cost. */
interface Spend {
  owner: string;
  price: number;
  currency?: string | undefined;
  /** Whether it is not known yet what became of it. @default false */
  isInFlight?: boolean | undefined;
  /** The owner of the fleet that it is for. */
  fleet?: string | undefined;
}

/** Makes the sums of one run, on one account. Each plan and each purchase asks for them, so none adds all of it up. */
export function createRunSums(): RunSums {
  const plans = new Map<string, Plan>();
  /** The plans of owners for whom this process pays, and of those for whom another one has paid. */
  const [unpaid, paidElsewhere] = [createPlanTotal(), createPlanTotal()];
  /** The owners for whom other processes have paid. */
  const paidFor = new Set<string>();
  const spent = createMoneyTally();
  const plansOfFleet = createEach(createPlanTotal);
  const spentOnFleet = createEach(createMoneyTally);
  const inFlight = new Set<string>();
  let currency: string | undefined;
  const stops = new Set<string>();

  function stop(reason: string): boolean {
    const isNew = !stops.has(reason);
    stops.add(reason);
    return isNew;
  }

  /** Counts the newest plan of an owner where it belongs now. */
  function count(owner: string): void {
    unpaid.delete(owner);
    paidElsewhere.delete(owner);
    const plan = plans.get(owner);
    if (plan) (paidFor.has(owner) ? paidElsewhere : unpaid).set(owner, plan);
  }

  function setPlan(owner: string, plan: Plan | undefined): void {
    currency ??= plan?.currency;
    const former = plans.get(owner)?.fleet;
    if (former !== undefined) plansOfFleet(former).delete(owner);
    if (plan) plans.set(owner, plan);
    else plans.delete(owner);
    if (plan?.fleet !== undefined) plansOfFleet(plan.fleet).set(owner, plan);
    count(owner);
  }

  function setSpend(requestId: string, spend: Spend): void {
    currency ??= spend.currency;
    spent.set(requestId, spend.price);
    if (spend.fleet !== undefined) spentOnFleet(spend.fleet).set(requestId, spend.price);
    if (spend.isInFlight) inFlight.add(requestId);
    else inFlight.delete(requestId);
  }

  function sumAllPlans(): PlannedTotal {
    const [ours, theirs] = [unpaid.sum(), paidElsewhere.sum()];
    return {
      price: addMoney(ours.price, theirs.price),
      isAtMost: ours.isAtMost || theirs.isAtMost,
    };
  }

  return {
    plan(owner, plan) {
      const [before, currencyBefore] = [plans.get(owner), currency];
      setPlan(owner, plan);
      return {
        withdraw() {
          setPlan(owner, before);
          currency = currencyBefore;
        },
      };
    },
    spend: setSpend,
    stop,
    planned: (fleet) => (fleet === undefined ? sumAllPlans() : plansOfFleet(fleet).sum()),
    plannedUnpaid: () => unpaid.sum(),
    spent: (fleet) => (fleet === undefined ? spent : spentOnFleet(fleet)).sum(),
    currency: () => currency,
    isAnyInFlight: () => inFlight.size > 0,
    stopped: () => [...stops][0],
    hear(fact) {
      switch (fact.kind) {
        case "plans":
          setPlan(fact.owner, fact);
          break;
        case "spends":
          setSpend(fact.requestId, fact);
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

/** One for each name, made when it is first asked for. */
function createEach<Value>(make: () => Value): (name: string) => Value {
  const made = new Map<string, Value>();
  return (name) => {
    const value = made.get(name) ?? make();
    made.set(name, value);
    return value;
  };
}

/** Plans by owner, and what they come to. */
function createPlanTotal() {
  const prices = createMoneyTally();
  /** The owners whose plan is a cap, and not for nothing. */
  const caps = new Set<string>();
  return {
    set(owner: string, { price, isCap = false }: Plan): void {
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
