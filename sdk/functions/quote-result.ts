import type { ServiceProblem } from "../../provider/client/records.ts";

/** What something would cost. */
export interface QuoteResult {
  /** Total in `currency`; undefined when the service gave none. */
  price?: number;
  currency: string;
  /** Percentage that the promo code took off. */
  discount: number;
  /** `VALID`, `NO_VALID`, or undefined without a promo code. */
  promoCodeStatus?: string;
  /** The account's balance. */
  balance: number;
  /** If there are any, it would not go through as it stands. */
  warnings: ServiceProblem[];
}

/** The service's answer, with null where it says nothing, as what a program gets. */
export function toQuoteResult({
  price,
  promoCodeStatus,
  ...quote
}: Omit<QuoteResult, "price" | "promoCodeStatus"> & {
  price: number | null;
  promoCodeStatus: string | null;
}): QuoteResult {
  return {
    ...quote,
    ...(price === null ? {} : { price }),
    ...(promoCodeStatus === null ? {} : { promoCodeStatus }),
  };
}
