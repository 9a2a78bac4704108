import { type CostBasis, costBasisOf } from "../provider/core/order/model/cost-basis.ts";
import { addMoney, shareMoney } from "../provider/core/values/money.ts";
import { nameOf } from "../provider/core/values/owner.ts";
import type { Inputs, PlannedResource } from "./preview-file.ts";

/** The sum per 30 days in one currency. */
export interface MonthlyRate {
  currency: string;
  before: number;
  after: number;
}

/**
 * What is held and what renews, per 30 days. The second is a part of the first that will be paid again: never add
 * them.
 */
export interface MonthlyRates {
  /** What the held orders cost, before this run and after it. */
  held: MonthlyRate[];
  /** What automatic extensions will pay. */
  renewing: MonthlyRate[];
  /** Names of what is held or renews at a price that the plan does not tell. */
  unrated: string[];
}

/** The month of the rates. Rent periods are multiples of it. */
const MONTH_DAYS = 30;

interface Rate {
  currency: string;
  amount: number;
}

/** What one resource adds. */
interface Rated {
  before: Rate | undefined;
  after: Rate | undefined;
  /** Whether `after` is all of it. */
  isWhole: boolean;
}

/** Adds up what resources cost per 30 days before and after a plan. */
export function rateMonthly(resources: readonly PlannedResource[]): MonthlyRates {
  const orders = resources.filter(({ kind }) => kind === "ProxyOrder");
  const renewals = resources.filter(({ kind }) => kind === "IpAutoExtend");
  const unrated = [
    ...orders.filter((order) => !rateOrder(order).isWhole),
    ...renewals.filter((renewal) => !rateRenewal(renewal).isWhole),
  ];
  return {
    held: addRates(orders.map(rateOrder)),
    renewing: addRates(renewals.map(rateRenewal)),
    unrated: unrated.map(({ urn }) => nameOf(urn)),
  };
}

function rateOrder({ before, after }: PlannedResource): Rated {
  const basisBefore = before && (findCostBasis(before) ?? after?.quote?.owned);
  const basis = findCostBasis(after);
  const isOpen = after !== undefined && (after.quote?.effect ?? "unknown") === "unknown";
  const isTold = basis !== undefined || after === undefined || after.holdings?.held === 0;
  return { before: toRate(basisBefore), after: toRate(basis), isWhole: isTold && !isOpen };
}

function rateRenewal({ before, after }: PlannedResource): Rated {
  const rate = rateCycle(after);
  const isTold = rate !== undefined || after === undefined || after.cycle?.effect === "none";
  return { before: rateCycle(before), after: rate, isWhole: isTold };
}

/** Undefined if it is not told, or if the cost is not known, as for an order that was taken over. */
function findCostBasis(inputs: Inputs | undefined): CostBasis | undefined {
  if (inputs?.quote === undefined || inputs.quote.effect === "unknown") return inputs?.quote?.owned;
  const { quote, holdings, rentPeriodDays } = inputs;
  if (holdings === undefined || rentPeriodDays === undefined) return quote.owned;
  return costBasisOf({ quote, rentPeriodDays, holdings });
}

function toRate(basis: CostBasis | undefined): Rate | undefined {
  if (basis === undefined) return undefined;
  const { price, rentPeriodDays, currency } = basis;
  return { currency, amount: shareMoney(price, MONTH_DAYS, rentPeriodDays) };
}

function rateCycle(inputs: Inputs | undefined): Rate | undefined {
  const { pricePerCycle, currency } = inputs?.cycle ?? {};
  if (pricePerCycle === undefined || currency === undefined) return undefined;
  if (inputs?.rentPeriodDays === undefined) return undefined;
  return { currency, amount: shareMoney(pricePerCycle, MONTH_DAYS, inputs.rentPeriodDays) };
}

function addRates(rated: readonly Rated[]): MonthlyRate[] {
  const named = rated.flatMap(({ before, after }) => [before?.currency, after?.currency]);
  const currencies = new Set(named.filter((currency) => currency !== undefined));
  return Array.from(currencies, (currency) => {
    const add = (rates: readonly (Rate | undefined)[]) =>
      addMoney(...rates.map((rate) => (rate?.currency === currency ? rate.amount : 0)));
    return {
      currency,
      before: add(rated.map(({ before }) => before)),
      after: add(rated.map(({ after }) => after)),
    };
  });
}
