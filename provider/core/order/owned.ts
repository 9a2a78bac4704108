import { addMoney, shareMoney } from "../money.ts";
import { isPriced, type Quote } from "../quote.ts";
import type { CheckedOrder } from "./state.ts";

/** What is held and what it cost, for policies that add up run-rates. */
export type Owned = NonNullable<Quote["owned"]>;

/** What a resource holds after its last plan was carried out, and what that cost. */
export function ownedOf(before: CheckedOrder | undefined): Owned | undefined {
  if (before === undefined) return undefined;
  const { quote, rentPeriodDays, holdings } = before;
  const owned = isSpending(quote) ? addPurchase(quote, rentPeriodDays) : quote.owned;
  return owned && shareOf(owned, holdings.held);
}

/** The share of so many proxies in it. */
export function shareOf(owned: Owned, quantity: number): Owned {
  if (quantity === owned.quantity || owned.quantity === 0) return owned;
  return { ...owned, quantity, price: shareMoney(owned.price, quantity, owned.quantity) };
}

/** What is owned together with a further purchase, at the price of the purchase's period. */
export function addOwned(owned: Owned | undefined, further: Owned): Owned {
  if (owned === undefined) return further;
  const price = shareMoney(owned.price, further.rentPeriodDays, owned.rentPeriodDays);
  return {
    ...further,
    quantity: owned.quantity + further.quantity,
    price: addMoney(price, further.price),
  };
}

function isSpending({ effect }: Quote): boolean {
  return effect === "buy" || effect === "replace" || effect === "topUp";
}

function addPurchase(quote: Quote, rentPeriodDays: number): Owned | undefined {
  if (!isPriced(quote)) return quote.owned;
  const { price, quantity, currency } = quote;
  const bought = { price, quantity, rentPeriodDays, currency };
  return quote.effect === "topUp" ? addOwned(quote.owned, bought) : bought;
}
