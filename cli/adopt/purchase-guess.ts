import type { Offer } from "../../provider/core/account/catalogue.ts";
import type { LivingOrder } from "../../provider/core/order/adopt/living-orders.ts";

/** Guesses for what the listing does not show of an order. Only its next purchase uses them. */
export interface PurchaseGuess {
  rentPeriodDays: number;
  /** Only for a MOBILE order; undefined if no operator is offered. */
  operator: OperatorGuess | undefined;
}

/** An operator that is offered in the country of an order. */
export interface OperatorGuess {
  mobileOperator: string;
  /** Seconds. */
  rotationTime: number;
  /** The other operators there. */
  others: string[];
}

/** Guesses how an order was bought, from what is offered for its type. */
export function guessPurchase(
  order: Pick<LivingOrder, "proxyType" | "country" | "paidDays">,
  offer: Pick<Offer, "rentPeriodDays" | "operators">,
): PurchaseGuess {
  return {
    rentPeriodDays: findNearest(order.paidDays, offer.rentPeriodDays.filter(isCount)),
    operator: order.proxyType === "MOBILE" ? findOperator(order.country, offer) : undefined,
  };
}

/** The period nearest to what was paid, the shorter of two; the shortest of all if that is not known. */
function findNearest(paidDays: number | undefined, periods: readonly number[]): number {
  const [shortest, ...longer] = periods.toSorted((a, b) => a - b);
  if (shortest === undefined) return Math.max(1, Math.round(paidDays ?? 1));
  if (paidDays === undefined) return shortest;
  const distance = (period: number) => Math.abs(period - paidDays);
  return longer.reduce((best, one) => (distance(one) < distance(best) ? one : best), shortest);
}

function findOperator(
  country: string,
  { operators }: Pick<Offer, "operators">,
): OperatorGuess | undefined {
  const offered = Object.hasOwn(operators, country) ? (operators[country] ?? []) : [];
  const usable = offered.filter(({ mobileOperator }) => mobileOperator !== "");
  const [first, ...others] = usable;
  if (first === undefined) return undefined;
  const { mobileOperator, rotationTimes } = first;
  const rotationTime = rotationTimes.find((seconds) => seconds === 0 || isCount(seconds)) ?? 0;
  return { mobileOperator, rotationTime, others: others.map((other) => other.mobileOperator) };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
