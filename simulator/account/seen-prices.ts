import { Big } from "big.js";
import type { SeenPrice } from "../catalogue/catalogue.ts";
import type { PricedItem } from "./pricing.ts";

/** After the point; of what is rounded to cents much later. */
const DIGITS = 8;

/**
 * What an order costs by prices that were seen, before discounts; undefined if none of its type was seen. What was not
 * seen follows from the reference, the first of its type: a country, a period or a quantity is as much dearer as it was
 * there. A period that was never seen costs by its days.
 */
export function priceAsSeen(seen: readonly SeenPrice[], item: PricedItem): Big | undefined {
  const ofType = seen.filter(({ proxyType }) => proxyType === item.proxyType);
  const exact = ofType.find((price) => isOf(price, item) && price.quantity === item.quantity);
  if (exact !== undefined) return new Big(exact.price);
  const [reference] = ofType;
  if (reference === undefined || reference.price === 0) return undefined;
  const { rentPeriodDays, quantity } = reference;
  const base = unitOf(reference);
  const inCountry = ofType.find(
    (price) => price.quantity === quantity && isOf(price, { ...reference, country: item.country }),
  );
  const forPeriod = ofType.find(
    (price) =>
      price.quantity === quantity &&
      isOf(price, { ...reference, rentPeriodDays: item.rentPeriodDays }),
  );
  const tier = findTier(
    ofType.filter((price) => isOf(price, reference)),
    item.quantity,
  );
  const country = inCountry === undefined ? base : unitOf(inCountry);
  const period =
    forPeriod === undefined
      ? base.times(item.rentPeriodDays).div(rentPeriodDays)
      : unitOf(forPeriod);
  // Rounded, because a quotient with no end must not change a cent.
  return country
    .times(period)
    .times(unitOf(tier ?? reference))
    .times(item.quantity)
    .div(base.pow(2))
    .round(DIGITS);
}

function isOf(price: SeenPrice, item: Pick<PricedItem, "country" | "rentPeriodDays">): boolean {
  return price.country === item.country && price.rentPeriodDays === item.rentPeriodDays;
}

function unitOf({ price, quantity }: SeenPrice): Big {
  return new Big(price).div(quantity);
}

/** The largest quantity that was seen up to this one; the smallest if there is none. */
function findTier(prices: readonly SeenPrice[], quantity: number): SeenPrice | undefined {
  const sorted = prices.toSorted((a, b) => a.quantity - b.quantity);
  return sorted.findLast((price) => price.quantity <= quantity) ?? sorted[0];
}
