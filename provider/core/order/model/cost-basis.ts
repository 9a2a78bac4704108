import { isPriced, type Quote } from "../../spending/quote.ts";
import { isSpending } from "../../values/effect.ts";
import { addMoney, shareMoney } from "../../values/money.ts";
import type { CheckedOrder, OrderState } from "./state.ts";

/** What is held and what it cost, for policies that add up run-rates. */
export type CostBasis = NonNullable<Quote["owned"]>;

/** What is read of a plan to know what is owned after it. */
type OwningPlan = Pick<CheckedOrder, "rentPeriodDays"> & {
  quote: Quote;
  holdings: Pick<CheckedOrder["holdings"], "held" | "adopted">;
};

/**
 * What a resource holds after its last plan was carried out, and what that cost.
 * @param quantity of how many of its proxies. @default all that it holds
 */
export function costBasisOf(
  before: OwningPlan | undefined,
  quantity = before?.holdings.held,
): CostBasis | undefined {
  if (before === undefined || quantity === undefined) return undefined;
  const owned = costBasisAfter(before.quote, before.rentPeriodDays);
  if (owned === undefined || owned.quantity === 0) return owned;
  // What something else has bought has no price that is known here.
  const isAdopted = before.holdings.adopted !== undefined;
  return shareOf(owned, isAdopted ? Math.min(quantity, owned.quantity) : quantity);
}

/** What a state holds and what that cost, before anything of it was let go or has ended. */
export function costBasisIn({
  quote,
  rentPeriodDays,
  purchases,
}: OrderState): CostBasis | undefined {
  const latest = purchases.at(-1);
  // The quote is what was promised of the latest purchase.
  const price = isSpending(quote) ? (latest?.charged ?? quote.price) : quote.price;
  return costBasisAfter({ ...quote, price }, latest?.rentPeriodDays ?? rentPeriodDays);
}

function costBasisAfter(quote: Quote, rentPeriodDays: number): CostBasis | undefined {
  return isSpending(quote) ? addPurchase(quote, rentPeriodDays) : quote.owned;
}

/** The share of so many proxies in it. */
function shareOf(owned: CostBasis, quantity: number): CostBasis {
  if (quantity === owned.quantity) return owned;
  return { ...owned, quantity, price: shareMoney(owned.price, quantity, owned.quantity) };
}

/** What is owned together with a further purchase, at the price of the purchase's period. */
export function addCostBasis(owned: CostBasis | undefined, further: CostBasis): CostBasis {
  if (owned === undefined) return further;
  const price = shareMoney(owned.price, further.rentPeriodDays, owned.rentPeriodDays);
  return {
    ...further,
    quantity: owned.quantity + further.quantity,
    price: addMoney(price, further.price),
  };
}

function addPurchase(quote: Quote, rentPeriodDays: number): CostBasis | undefined {
  if (!isPriced(quote)) return quote.owned;
  const { price, quantity, currency } = quote;
  const bought = { price, quantity, rentPeriodDays, currency };
  return quote.effect === "topUp" ? addCostBasis(quote.owned, bought) : bought;
}
