import { leftOf } from "../../provider/core/spending/budget.ts";
import {
  type Estimate,
  estimateLeft,
  estimateSpent,
  type Spending,
} from "../../provider/core/spending/estimate.ts";
import { isPriced, type Quote } from "../../provider/core/spending/quote.ts";
import { addMoney } from "../../provider/core/values/money.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import type { Inputs, PlannedResource, Preview } from "./preview-file.ts";
import { isRenewing, type MonthlyRates, rateMonthly } from "./run-rate.ts";

/** What a plan does with an order, or an extension. */
export type Action =
  | "buy"
  | "grow"
  | "replace"
  | "extend"
  | "takeOver"
  | "mayBuy"
  | "keep"
  | "letGo";

/** What is paid now: a price; if it is not known yet, what it can't exceed; or neither. */
export type Price =
  | { kind: "exact"; amount: number; currency: string }
  | { kind: "atMost"; amount: number; currency: string | undefined }
  | { kind: "nothing" }
  | { kind: "unknown" };

/** Proxies, as far as a plan tells them. */
interface Proxies {
  quantity: number | undefined;
  proxyType: string | undefined;
  country: string | undefined;
  rentPeriodDays: number | undefined;
}

/** What one resource does in this run. */
export interface Purchase extends Proxies {
  name: string;
  urn: string;
  action: Action;
  price: Price;
  /** Whether something is bought for a replacement that no argument asks for. */
  isUnexplained: boolean;
}

/** Proxies that a plan starts, or stops, to extend automatically. They are paid later, each time that they end. */
export interface Renewal extends Proxies {
  name: string;
  urn: string;
  isEnding: boolean;
  /** Undefined while it is not known, as for proxies that are yet to be bought. */
  pricePerCycle: number | undefined;
  currency: string | undefined;
}

/** The sum in one currency. */
export interface Sum {
  /** Undefined for caps, if the plan names no currency, or several. */
  currency: string | undefined;
  /** The sum of the known prices. */
  price: number;
  /** The same with the caps of the unknown prices. */
  atMost: number;
}

/** The balance before this run and after it. */
export interface Balance {
  currency: string;
  before: number;
  after: number;
  afterIs: Estimate["is"];
}

/** The account's monthly budget, as a plan tells it. */
export interface PlannedBudget {
  /** Undefined if the plan names none. */
  currency: string | undefined;
  /** The most that the account may spend in a calendar month. */
  monthly: number;
  /** What was spent in this month before the run; undefined if the plan does not tell it. */
  spent: number | undefined;
  /** What this run spends. */
  thisRun: number;
  thisRunIs: Estimate["is"];
  /** What is left after that; undefined if the plan does not tell what was spent. */
  left: number | undefined;
  leftIs: Estimate["is"] | undefined;
}

/** What a plan costs: `--json` prints it. */
export interface Cost {
  purchases: Purchase[];
  renewals: Renewal[];
  /** What this run spends; empty if it is nothing. */
  sums: Sum[];
  /** Names of what may be bought at a price that nobody knows and nothing caps. */
  unpriced: string[];
  /** Undefined if the plan does not show it. */
  balance: Balance | undefined;
  /** Undefined if the plan tells none, or has prices in several currencies. */
  budget: PlannedBudget | undefined;
  /** What is held, and what renews by itself, per 30 days. */
  monthly: MonthlyRates;
  /** How many unchanged resources the preview does not list. They are in no figure per month. */
  hiddenCount: number;
}

/** Adds up what a preview says. */
export function calculateCost({ resources, hiddenCount }: Preview): Cost {
  const currency = findCurrency(resources);
  const purchases = resources.flatMap((resource) => purchaseOf(resource, currency));
  const sums = addUp(purchases);
  const unpriced = purchases.filter(({ price }) => price.kind === "unknown");
  const hasOpen = unpriced.length > 0;
  return {
    purchases,
    renewals: resources.flatMap(renewalOf),
    sums,
    unpriced: unpriced.map(({ name }) => name),
    balance: findBalance(resources, sums, hasOpen),
    budget: findBudget(resources, sums, hasOpen, currency),
    monthly: rateMonthly(resources),
    hiddenCount,
  };
}

/** Whether a plan may spend more than this, in any currency. An unknown price counts as more. */
export function isAbove({ sums, unpriced }: Cost, limit: number): boolean {
  const open = sums.find(({ currency }) => currency === undefined)?.atMost ?? 0;
  const amounts = sums.map(({ currency, atMost }) => addMoney(atMost, currency ? open : 0));
  return unpriced.length > 0 || amounts.some((amount) => amount > limit);
}

function purchaseOf(resource: PlannedResource, currency: string | undefined): Purchase[] {
  const { urn, kind, operation, isUnexplained, before, after } = resource;
  const told = after ?? before;
  if (kind === "IpAutoExtend" || operation === "same" || told === undefined) return [];
  if (operation === "delete" && kind === "IpExtension") return [];
  const { proxyType, country, rentPeriodDays } = told;
  const action = operation === "delete" ? "letGo" : nameAction(resource);
  const price: Price = action === "letGo" ? { kind: "nothing" } : priceOf(after?.quote, currency);
  return [
    {
      ...{ name: nameOf(urn), urn, action },
      isUnexplained: isUnexplained && price.kind !== "nothing",
      ...{ quantity: countProxies(told, action), proxyType, country, rentPeriodDays, price },
    },
  ];
}

function nameAction({ operation, after }: PlannedResource): Action {
  switch (after?.quote?.effect) {
    case "extend":
      return "extend";
    case "recover":
    case "adopt":
      return "takeOver";
    case "none":
      return "keep";
    case "topUp":
      return "grow";
    case "buy":
    case "replace":
      return operation === "replace" || after.quote.effect === "replace" ? "replace" : "buy";
    case "unknown":
    case undefined:
      return operation === "replace" ? "replace" : "mayBuy";
  }
}

function countProxies({ quote, holdings, namedCount }: Inputs, action: Action): number | undefined {
  const held = holdings?.held;
  if (action === "letGo" || action === "keep") return held ?? namedCount;
  return quote?.quantity ?? held ?? namedCount;
}

function priceOf(quote: Quote | undefined, currency: string | undefined): Price {
  if (quote === undefined) return { kind: "unknown" };
  if (["none", "recover", "adopt"].includes(quote.effect)) return { kind: "nothing" };
  if (isPriced(quote)) return { kind: "exact", amount: quote.price, currency: quote.currency };
  if (quote.priceAtMost === undefined) return { kind: "unknown" };
  return { kind: "atMost", amount: quote.priceAtMost, currency: quote.currency ?? currency };
}

function renewalOf({ urn, kind, operation, before, after }: PlannedResource): Renewal[] {
  const told = after ?? before;
  const isStarting = isRenewing(after);
  if (kind !== "IpAutoExtend" || operation === "same" || told === undefined) return [];
  if (!(isStarting || isRenewing(before))) return [];
  const { proxyType, rentPeriodDays, namedCount, cycle } = told;
  return [
    {
      ...{ name: nameOf(urn), urn, isEnding: !isStarting },
      ...{ quantity: namedCount, proxyType, country: undefined, rentPeriodDays },
      pricePerCycle: isStarting ? cycle?.pricePerCycle : undefined,
      currency: cycle?.currency,
    },
  ];
}

function addUp(purchases: readonly Purchase[]): Sum[] {
  const priced = purchases
    .map(({ price }) => price)
    .filter((price) => price.kind === "exact" || price.kind === "atMost");
  return [...Map.groupBy(priced, ({ currency }) => currency)].map(([currency, prices]) => ({
    currency,
    price: addMoney(...prices.filter(({ kind }) => kind === "exact").map(({ amount }) => amount)),
    atMost: addMoney(...prices.map(({ amount }) => amount)),
  }));
}

/** The account's currency, for caps, which have none; undefined if a plan names none, or several. */
function findCurrency(resources: readonly PlannedResource[]): string | undefined {
  const quotes = resources.flatMap(({ before, after }) => [before, after]);
  const named = quotes.flatMap((inputs) => [
    inputs?.quote?.currency,
    inputs?.quote?.owned?.currency,
    inputs?.cycle?.currency,
  ]);
  const [currency, ...others] = new Set(named.filter((name) => name !== undefined));
  return others.length === 0 ? currency : undefined;
}

const unspent = { price: 0, atMost: 0 };

/** The balance that the run saw first. It is the same in each of its quotes. */
function findBalance(
  resources: readonly PlannedResource[],
  sums: readonly Sum[],
  hasOpen: boolean,
): Balance | undefined {
  const shown = resources
    .filter(({ operation }) => operation !== "same")
    .flatMap(({ after }) => after?.quote ?? [])
    .find(({ balance, currency }) => balance !== undefined && currency !== undefined);
  if (shown?.balance === undefined || shown.currency === undefined) return undefined;
  const { balance: before, currency } = shown;
  const { price, atMost } = sums.find((sum) => sum.currency === currency) ?? unspent;
  // A cap of no currency may be one of this.
  const isOpen = hasOpen || sums.some((sum) => sum.currency === undefined);
  const after = estimateLeft(before, { price, atMost, isOpen });
  return { currency, before, after: after.amount, afterIs: after.is };
}

/** Each quote tells what was spent before the run. Another run may have bought something between two of them. */
function findBudget(
  resources: readonly PlannedResource[],
  sums: readonly Sum[],
  hasOpen: boolean,
  currency: string | undefined,
): PlannedBudget | undefined {
  const told = resources
    .filter(({ operation }) => operation !== "same")
    .flatMap(({ after }) => after?.quote?.budget ?? []);
  // An account has one currency: several are of several accounts, and can't be added up.
  if (told.length === 0 || sums.length > 1) return undefined;
  const monthly = Math.min(...told.map((budget) => budget.monthly));
  const amounts = told.flatMap(({ spent }) => spent ?? []);
  const spent = amounts.length === told.length ? Math.max(...amounts) : undefined;
  const { price, atMost } = sums[0] ?? unspent;
  const spending: Spending = { price, atMost, isOpen: hasOpen };
  const thisRun = estimateSpent(spending);
  const left = spent === undefined ? undefined : leftOf({ monthly, spent }, spending);
  return {
    ...{ currency, monthly, spent },
    ...{ thisRun: thisRun.amount, thisRunIs: thisRun.is },
    ...{ left: left?.amount, leftIs: left?.is },
  };
}
