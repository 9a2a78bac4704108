import {
  type CostBasis,
  costBasisOf,
  keepingOf,
} from "../../provider/core/order/model/cost-basis.ts";
import { addRenewing, perMonth } from "../../provider/core/spending/renewing.ts";
import { addMoney } from "../../provider/core/values/money.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import type { Inputs, PlannedResource } from "./preview-file.ts";

/** The sum per 30 days in one currency. */
export interface MonthlyRate {
  currency: string;
  before: number;
  after: number;
  /** If a part of `before` is not told, so that it is only the least. */
  isBeforeOpen?: true;
  /** The same of `after`. */
  isAfterOpen?: true;
  /** If `after` is only the most that it can be: the proxies of a renewal are not known yet. */
  isAtMost?: true;
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

interface Rate {
  currency: string;
  amount: number;
}

/** What one resource adds. */
interface Rated {
  before: Rate | undefined;
  after: Rate | undefined;
  /** Whether `before` is not all of it. */
  isBeforeOpen: boolean;
  /** Whether `after` is not all of it. */
  isAfterOpen: boolean;
}

/**
 * Adds up what resources cost per 30 days before and after a plan.
 * @param plans the resources of each plan. A renewal is bounded by orders of its own plan.
 */
export function rateMonthly(plans: readonly (readonly PlannedResource[])[]): MonthlyRates {
  const { held, unrated } = rateAll(plans.flat());
  const renewing = plans.flatMap((resources) => rateAll(resources).renewing);
  return { held, renewing: plans.length === 1 ? renewing : joinRates(renewing), unrated };
}

/** Whether what is held costs more than is told, before a plan and after it. */
export interface HeldOpenness {
  before: boolean;
  after: boolean;
  /** The same of `after`, without what the plan leaves as it is. */
  afterOfChanged: boolean;
}

/** Finds out whether the price of something held is not told. */
export function findHeldOpenness(resources: readonly PlannedResource[]): HeldOpenness {
  const orders = resources.filter(({ kind }) => kind === "ProxyOrder");
  const isAfterOpen = (order: PlannedResource) => rateOrder(order).isAfterOpen;
  return {
    before: orders.some((order) => rateOrder(order).isBeforeOpen),
    after: orders.some(isAfterOpen),
    afterOfChanged: orders.some((order) => order.operation !== "same" && isAfterOpen(order)),
  };
}

function rateAll(resources: readonly PlannedResource[]): MonthlyRates {
  const orders = resources.filter(({ kind }) => kind === "ProxyOrder");
  const renewals = resources.filter(({ kind }) => kind === "IpAutoExtend");
  const unrated = [
    ...orders.filter((order) => rateOrder(order).isAfterOpen),
    ...renewals.filter((renewal) => rateRenewal(renewal).isAfterOpen && !isBound(renewal, orders)),
  ];
  return {
    held: addRates(orders.map(rateOrder)),
    renewing: boundRates(addRates(renewals.map(rateRenewal)), renewals, orders),
    unrated: unrated.map(({ urn }) => nameOf(urn)),
  };
}

function rateOrder({ before, after }: PlannedResource): Rated {
  const basisBefore = before && (findCostBasis(before) ?? after?.quote?.owned);
  const basis = findCostBasis(after);
  const isOpen = after !== undefined && (after.quote?.effect ?? "unknown") === "unknown";
  const isTold = basis !== undefined || after === undefined || after.holdings?.held === 0;
  return {
    before: toRate(basisBefore),
    after: toRate(basis),
    isBeforeOpen: isCostUnknown(before, basisBefore),
    isAfterOpen: !isTold || isOpen || isCostUnknown(after, basis),
  };
}

function rateRenewal({ before, after }: PlannedResource): Rated {
  const [earlier, later] = [rateCycle(before), rateCycle(after)];
  return {
    ...{ before: earlier, after: later },
    isBeforeOpen: isRenewing(before) && earlier === undefined,
    isAfterOpen: isRenewing(after) && later === undefined,
  };
}

/**
 * Whether proxies are extended automatically. Proxies that are yet to be bought have no quote at all, and after a
 * refresh the quote may be older than the flag.
 */
export function isRenewing(inputs: Inputs | undefined): boolean {
  if (inputs === undefined) return false;
  return inputs.autoExtend ?? inputs.cycle?.effect !== "none";
}

/** What something else has bought was taken over at a price that nobody here knows. */
function isCostUnknown(inputs: Inputs | undefined, basis: CostBasis | undefined): boolean {
  const held = inputs?.holdings?.held ?? 0;
  if (held === 0) return false;
  return basis === undefined || (inputs?.holdings?.adopted !== undefined && basis.quantity < held);
}

/** What renewals whose proxies are not known yet cost at most: as much as the orders that this plan buys. */
function boundRates(
  rates: MonthlyRate[],
  renewals: readonly PlannedResource[],
  orders: readonly PlannedResource[],
): MonthlyRate[] {
  const open = renewals.filter((renewal) => rateRenewal(renewal).isAfterOpen);
  const currency = orders.flatMap(({ after }) => after?.quote?.currency ?? [])[0];
  if (open.length === 0 || currency === undefined) return rates;
  const known = rates.find((rate) => rate.currency === currency);
  const { amount, isAtMost, isOpen } = addRenewing(
    open.flatMap(({ after }) => (after?.proxyType ? { proxyType: after.proxyType } : [])),
    plannedOrders(orders),
  );
  if (known === undefined && amount === 0) return rates;
  const { before = 0, after = 0 } = known ?? {};
  const sum: MonthlyRate = {
    ...{ currency, before, after: addMoney(after, amount) },
    ...(isAtMost && { isAtMost: true }),
    ...(known?.isBeforeOpen && { isBeforeOpen: true }),
    ...(isOpen && { isAfterOpen: true }),
  };
  return [...rates.filter((rate) => rate !== known), sum];
}

function isBound({ after }: PlannedResource, orders: readonly PlannedResource[]): boolean {
  if (after?.proxyType === undefined) return false;
  return !addRenewing([{ proxyType: after.proxyType }], plannedOrders(orders)).isOpen;
}

function plannedOrders(orders: readonly PlannedResource[]) {
  const planned = orders.filter(({ operation }) => operation !== "same");
  return planned.flatMap(({ after }) => (after && keepingOf(after)) ?? []);
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
  return { currency, amount: perMonth(price, rentPeriodDays) };
}

function rateCycle(inputs: Inputs | undefined): Rate | undefined {
  if (!isRenewing(inputs)) return undefined;
  const { pricePerCycle, currency } = inputs?.cycle ?? {};
  if (pricePerCycle === undefined || currency === undefined) return undefined;
  if (inputs?.rentPeriodDays === undefined) return undefined;
  return { currency, amount: perMonth(pricePerCycle, inputs.rentPeriodDays) };
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
      ...(rated.some(({ isBeforeOpen }) => isBeforeOpen) && { isBeforeOpen: true }),
      ...(rated.some(({ isAfterOpen }) => isAfterOpen) && { isAfterOpen: true }),
    };
  });
}

/** Adds up the rates of several plans. */
function joinRates(rates: readonly MonthlyRate[]): MonthlyRate[] {
  return [...Map.groupBy(rates, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    before: addMoney(...own.map(({ before }) => before)),
    after: addMoney(...own.map(({ after }) => after)),
    ...(own.some(({ isBeforeOpen }) => isBeforeOpen) && { isBeforeOpen: true }),
    ...(own.some(({ isAfterOpen }) => isAfterOpen) && { isAfterOpen: true }),
    ...(own.some(({ isAtMost }) => isAtMost) && { isAtMost: true }),
  }));
}
