import { countedOf } from "../../records/intent.ts";
import { isPriced, type Quote } from "../../spending/quote.ts";
import { perMonth } from "../../spending/renewing.ts";
import { isSpending } from "../../values/effect.ts";
import { addMoney, shareMoney } from "../../values/money.ts";
import type { CheckedOrder, OrderState } from "./state.ts";

/** What is held and what was paid for it: `owned` in a quote, for policies that add up run-rates. */
export type CostBasis = NonNullable<Quote["owned"]>;

/** What is read of a plan to know the cost basis after it. */
type CarriedPlan = Pick<CheckedOrder, "rentPeriodDays"> & {
  quote: Quote;
  holdings: Pick<CheckedOrder["holdings"], "held" | "adopted">;
};

/**
 * The cost basis of a resource after its last plan was carried out.
 * @param quantity for how many of its proxies. @default all that it holds
 */
export function costBasisOf(
  before: CarriedPlan | undefined,
  quantity = before?.holdings.held,
): CostBasis | undefined {
  if (before === undefined || quantity === undefined) return undefined;
  const basis = costBasisAfter(before.quote, before.rentPeriodDays);
  if (basis === undefined || basis.quantity === 0) return basis;
  // The price of proxies that something else has bought is not known here.
  const isAdopted = before.holdings.adopted !== undefined;
  return shareOf(basis, isAdopted ? Math.min(quantity, basis.quantity) : quantity);
}

/**
 * What it costs per 30 days to keep all that is held after this plan, without a promo code; undefined if the plan
 * neither buys anything nor takes anything over. Without an amount, nobody can tell yet.
 */
export function keepingOf<Type extends string>({
  proxyType,
  rentPeriodDays,
  quote,
  holdings,
}: {
  proxyType?: Type | undefined;
  rentPeriodDays?: number | undefined;
  quote?: Quote | undefined;
  holdings?: CarriedPlan["holdings"] | undefined;
}): { proxyType: Type; amount?: number | undefined } | undefined {
  if (quote === undefined || proxyType === undefined || !mayObtain(quote)) return undefined;
  if (rentPeriodDays === undefined || holdings === undefined || holdings.adopted !== undefined) {
    return { proxyType };
  }
  if (quote.effect === "unknown") return { proxyType };
  const basis = costBasisOf({ quote: withoutDiscount(quote), rentPeriodDays, holdings });
  return { proxyType, amount: basis && perMonth(basis.price, basis.rentPeriodDays) };
}

/** Whether a plan may add to what a resource holds. */
function mayObtain(quote: Quote): boolean {
  return isSpending(quote) || ["unknown", "recover", "adopt"].includes(quote.effect ?? "");
}

/** An automatic extension has no promo code. */
function withoutDiscount({ price, discount = 0, ...quote }: Quote): Quote {
  if (price === undefined || discount === 0) return { ...quote, price };
  if (discount >= 100) return quote;
  return { ...quote, price: shareMoney(price, 100, 100 - discount) };
}

/** The cost basis of a state, before anything of it was let go or has ended. */
export function costBasisIn({
  quote,
  rentPeriodDays,
  purchases,
}: OrderState): CostBasis | undefined {
  const latest = purchases.at(-1);
  // The quote has the planned price of the latest purchase.
  const price = isSpending(quote) && latest ? countedOf(latest) : quote.price;
  return costBasisAfter({ ...quote, price }, latest?.rentPeriodDays ?? rentPeriodDays);
}

function costBasisAfter(quote: Quote, rentPeriodDays: number): CostBasis | undefined {
  return isSpending(quote) ? addPurchase(quote, rentPeriodDays) : quote.owned;
}

/** The share of this many proxies. */
function shareOf(basis: CostBasis, quantity: number): CostBasis {
  if (quantity === basis.quantity) return basis;
  return { ...basis, quantity, price: shareMoney(basis.price, quantity, basis.quantity) };
}

/** Adds a further purchase, at the price of that purchase's period. */
export function addCostBasis(basis: CostBasis | undefined, further: CostBasis): CostBasis {
  if (basis === undefined) return further;
  const price = shareMoney(basis.price, further.rentPeriodDays, basis.rentPeriodDays);
  return {
    ...further,
    quantity: basis.quantity + further.quantity,
    price: addMoney(price, further.price),
  };
}

function addPurchase(quote: Quote, rentPeriodDays: number): CostBasis | undefined {
  if (!isPriced(quote)) return quote.owned;
  const { price, quantity, currency } = quote;
  const bought = { price, quantity, rentPeriodDays, currency };
  return quote.effect === "topUp" ? addCostBasis(quote.owned, bought) : bought;
}
