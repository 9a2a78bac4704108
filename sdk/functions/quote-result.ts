import type { ServiceProblem } from "../../provider/client/records.ts";

/**
 * What something would cost.
 *
 * @inline
 */
export interface QuoteResult {
  /** Total in `currency`; absent where the service gave none. */
  price?: number;
  /** ISO currency code. */
  currency: string;
  /** Percentage that the promo code took off; 0 without one. */
  discount: number;
  /** `VALID` or `NO_VALID`; absent without a promo code. */
  promoCodeStatus?: string;
  /** What the account may still spend, in `currency`. */
  balance: number;
  /** If there are any, it would not go through as it stands. */
  warnings: ServiceProblem[];
}
