import { assertNotCancelled } from "../account/cancellation.ts";
import { type ErrorCode, ProxyRentalError } from "../values/errors.ts";
import { addMoney, formatMoney, subtractMoney } from "../values/money.ts";
import { type Budget, type BudgetUse, findExcess, findOtherSpent } from "./budget.ts";
import { type Fleet, findFleetExcess, findFleetOverspend } from "./fleet-limit.ts";
import type { GateFailure } from "./gates.ts";
import { describeTotal, type MoneyFact, type RunSums } from "./run-sums.ts";
import { assertInStack, refuseWithoutStack } from "./without-stack.ts";

/** What a purchase is about to cost. */
export interface PlannedPrice {
  price: number;
  currency: string;
  /** Whether the price is not known yet, and this is the most that it may be. @default false */
  isCap?: boolean;
}

/** Who buys, which purchase it is, and what it counts against. */
export interface CountedPurchase {
  owner: string;
  requestId: string;
  /** The fleet whose limit it counts against. */
  fleet?: Fleet | undefined;
}

/** What one run may spend on one account, and what it has spent. All provider processes of the run share the sums. */
export interface SpendLimit {
  /**
   * Adds a plan to the run's sum. If it may not be added, returns why and leaves it out. A later plan of the
   * same owner replaces its earlier one. Throws if there is a budget and the journal can't be read.
   */
  plan(
    owner: string,
    spend: PlannedPrice,
    balance: number,
    fleet?: Fleet,
  ): Promise<GateFailure | undefined>;
  /** What all plans come to. */
  planned(): number;
  /**
   * Throws if the run was cancelled, if buying was stopped, if the owner is in no stack, if the price is above what is left,
   * or if it is in another currency than the other purchases of the run.
   */
  assertMaySpend(owner: string, spend: PlannedPrice, fleet?: Fleet): void;
  /**
   * Throws, and stops all further buying, if a purchase of the run was begun and is not settled. Call it in the turn:
   * whoever has the turn is alone, so the process that has begun it has lost its turn, and may not know its outcome.
   */
  assertNoneInFlight(): Promise<void>;
  /**
   * Counts a purchase before it is sent: what may have been charged counts as charged. Throws if the other processes of
   * the run can't be told.
   */
  begin(purchase: CountedPurchase, spend: PlannedPrice): Promise<void>;
  /** Counts what a purchase has cost, once that is known: 0 if it was not placed. Never fails. */
  settle(purchase: CountedPurchase, cost: number): Promise<void>;
  /**
   * Stops all further buying of the run. Gives whether the run knew this reason not yet. Never fails, because the money may be
   * gone already.
   */
  stop(reason: string): Promise<boolean>;
}

/** What a spend limit needs. */
interface SpendLimitParts {
  /** The most that this run may spend, in account currency. */
  maxSpend: number | undefined;
  cancelled: AbortSignal;
  sums: RunSums;
  budget: Pick<Budget, "beforeRun">;
  /** Tells the other processes of the run what this one plans and spends. Throws if that is not possible. */
  tell(fact: MoneyFact): Promise<void>;
  /** Takes in what they have told. */
  hearOthers(): Promise<void>;
}

/** Why nothing more is bought in a run after a purchase of which nobody knows whether it was placed. */
export const UNKNOWN_OUTCOME =
  "an earlier purchase of this run ended with an unknown outcome, so nothing more is bought in it. This purchase was not sent. Resolve the unknown one first, then run again.";

/** Makes the spend limit of one run. */
export function createSpendLimit({
  maxSpend,
  cancelled,
  sums,
  budget,
  tell,
  hearOthers,
}: SpendLimitParts): SpendLimit {
  async function count(
    { owner, requestId, fleet }: CountedPurchase,
    { price, currency }: { price: number; currency?: string },
    isInFlight: boolean,
  ): Promise<void> {
    const spend = { owner, price, currency, fleet: fleet?.owner, isInFlight };
    sums.spend(requestId, spend);
    await tell({ kind: "spends", requestId, ...spend });
  }

  // Whoever is not told takes it for in flight, and buys nothing.
  const settle: SpendLimit["settle"] = (purchase, cost) =>
    count(purchase, { price: cost }, false).catch(() => undefined);

  async function stop(reason: string): Promise<boolean> {
    const isNew = sums.stop(reason);
    if (isNew) await tell({ kind: "stops", reason }).catch(() => undefined);
    return isNew;
  }

  return {
    async plan(owner, { price, currency, isCap = false }, balance, fleet) {
      await hearOthers();
      const homeless = refuseWithoutStack(owner);
      if (homeless) return homeless;
      const use = await budget.beforeRun();
      const mixed = findOtherCurrency(sums, currency) ?? (use && findOtherSpent(use, currency));
      if (mixed !== undefined) return refuse("PRICE_UNUSABLE", mixed);
      const wanted = { price, currency, isCap, fleet: fleet?.owner };
      const plan = sums.plan(owner, wanted);
      const excess = fleet && findFleetExcess(fleet, sums, currency);
      const shortage =
        excess === undefined
          ? findShortage(sums, currency, balance, maxSpend, use)
          : refuse("SPEND_LIMIT_REACHED", excess);
      if (shortage !== undefined) plan.withdraw();
      // A preview may run where nothing can be written. A purchase is refused there.
      else await tell({ kind: "plans", owner, ...wanted }).catch(() => undefined);
      return shortage;
    },

    planned: () => sums.planned().price,

    assertMaySpend(owner, { price, currency }, fleet) {
      assertNotCancelled(cancelled);
      assertInStack(owner);
      const stopped = sums.stopped();
      if (stopped !== undefined) throw new ProxyRentalError("BUYING_STOPPED", stopped);
      const mixed = findOtherCurrency(sums, currency);
      if (mixed !== undefined)
        throw new ProxyRentalError("PRICE_UNUSABLE", `${mixed}. It was not sent.`);
      const overspend = fleet && findFleetOverspend(fleet, sums, { price, currency });
      if (overspend !== undefined) throw new ProxyRentalError("SPEND_LIMIT_REACHED", overspend);
      const spent = sums.spent();
      if (maxSpend === undefined || addMoney(spent, price) <= maxSpend) return;
      throw new ProxyRentalError(
        "SPEND_LIMIT_REACHED",
        `${formatMoney(price, currency)} on top of the ${formatMoney(spent, currency)} already spent by this run is above proxyrental:maxSpend (${formatMoney(maxSpend, currency)}). This purchase was not sent. Raise maxSpend or buy less.`,
      );
    },

    async assertNoneInFlight() {
      if (!sums.isAnyInFlight()) return;
      await stop(UNKNOWN_OUTCOME);
      throw new ProxyRentalError("BUYING_STOPPED", UNKNOWN_OUTCOME);
    },

    async begin(purchase, spend) {
      try {
        await count(purchase, spend, true);
      } catch (error) {
        // It is not sent. The others may be told of it later all the same, and then of this.
        await settle(purchase, 0);
        throw error;
      }
    },

    settle,
    stop,
  };
}

/** Why a purchase may not be added to those of the run; undefined if it may. No limit adds up two currencies. */
function findOtherCurrency(sums: Pick<RunSums, "currency">, currency: string): string | undefined {
  const known = sums.currency();
  if (known === undefined || known === currency) return undefined;
  return `its price is in ${currency}, and the other purchases of this run are in ${known}, so no limit can hold for all of them. Buy it in a run of its own (\`--target\`)`;
}

function findShortage(
  sums: RunSums,
  currency: string,
  balance: number,
  maxSpend: number | undefined,
  use: BudgetUse | undefined,
): GateFailure | undefined {
  const [total, unpaid] = [sums.planned(), sums.plannedUnpaid()];
  if (unpaid.price > balance) {
    const lack = { ...unpaid, price: subtractMoney(unpaid.price, balance) };
    const missing = describeTotal(lack, currency);
    return refuse(
      "INSUFFICIENT_FUNDS",
      `the purchases of this run come to ${describeTotal(unpaid, currency)}, but the balance is ${formatMoney(balance, currency)}: ${missing} is missing. Buy less, or top the account up`,
    );
  }
  if (maxSpend !== undefined && total.price > maxSpend) {
    return refuse(
      "SPEND_LIMIT_REACHED",
      `the purchases of this run come to ${describeTotal(total, currency)}, above proxyrental:maxSpend (${formatMoney(maxSpend, currency)}). Buy less, or raise it`,
    );
  }
  const excess = use && findExcess(use, total, currency);
  return excess === undefined ? undefined : refuse("BUDGET_EXCEEDED", excess);
}

function refuse(code: ErrorCode, reason: string): GateFailure {
  return { code, property: "quote", reason };
}
