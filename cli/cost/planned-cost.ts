import { isPriced, type Quote } from "../../provider/core/spending/quote.ts";
import { addMoney } from "../../provider/core/values/money.ts";
import { nameOf } from "../../provider/core/values/owner.ts";
import { type Balance, findBalance, findBudget, type PlannedBudget } from "./planned-account.ts";
import type { Inputs, PlannedResource, Preview } from "./preview-file.ts";
import { isRenewing, type MonthlyRates, rateMonthly } from "./run-rate.ts";
import { addPrices, type Price, type Sum } from "./sums.ts";

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

/**
 * Adds up what a preview says.
 * @param currencyElsewhere the currency of the other previews, for the caps of one that names none
 */
export function calculateCost(
  { resources, hiddenCount }: Pick<Preview, "resources" | "hiddenCount">,
  currencyElsewhere?: string,
): Cost {
  const named = nameCurrencies(resources);
  const currency = named.length === 0 ? currencyElsewhere : findOnly(named);
  const purchases = resources.flatMap((resource) => purchaseOf(resource, currency));
  const sums = addPrices(purchases.map(({ price }) => price));
  const unpriced = purchases.filter(({ price }) => price.kind === "unknown");
  const hasOpen = unpriced.length > 0;
  return {
    purchases,
    renewals: resources.flatMap(renewalOf),
    sums,
    unpriced: unpriced.map(({ name }) => name),
    balance: findBalance(resources, sums, hasOpen),
    budget: findBudget(resources, sums, hasOpen, currency),
    monthly: rateMonthly([resources]),
    hiddenCount,
  };
}

/** What is spent, of one plan or of several. */
interface Spent {
  sums: readonly Sum[];
  unpriced: readonly unknown[];
}

/** Whether a plan may spend more than this, in any currency. An unknown price counts as more. */
export function isAbove({ sums, unpriced }: Spent, limit: number): boolean {
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

/** The currency that all these plans name; undefined if they name none, or several. */
export function findCurrency(resources: readonly PlannedResource[]): string | undefined {
  return findOnly(nameCurrencies(resources));
}

function nameCurrencies(resources: readonly PlannedResource[]): string[] {
  const quotes = resources.flatMap(({ before, after }) => [before, after]);
  const named = quotes.flatMap((inputs) => [
    inputs?.quote?.currency,
    inputs?.quote?.owned?.currency,
    inputs?.cycle?.currency,
  ]);
  return [...new Set(named.filter((name) => name !== undefined))];
}

function findOnly(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}
