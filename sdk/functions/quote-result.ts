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
  /** If there are any, the purchase would not go through. */
  warnings: ServiceProblem[];
}
