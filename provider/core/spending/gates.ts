import type { Calculation } from "../../client/index.ts";
import { type ErrorCode, ProxyRentalError } from "../values/errors.ts";
import type { InputFailure } from "../values/inputs.ts";
import { formatMoney } from "../values/money.ts";
import type { PricedQuote } from "./quote.ts";

/** Why a purchase may not go ahead. A person reads it at preview; right before the order it is an error. */
export interface GateFailure extends InputFailure {
  code: ErrorCode;
}

/** The service's code for too little money (source: "Errors"). */
export const INSUFFICIENT_FUNDS_CODE = 16;

/**
 * Everything in a calculation that forbids the purchase. Fails closed: anything but a price that the user agreed to
 * is refused.
 */
export function findGateFailures(
  args: { maxPrice?: number | undefined; promoCode?: string | undefined },
  calculation: Calculation,
): GateFailure[] {
  const { price, currency } = calculation;
  const failures = calculation.warnings.map((warning) => refuseWarning(warning, calculation));
  if (args.promoCode !== undefined && calculation.promoCodeStatus !== "VALID") {
    failures.push({
      code: "PROMO_CODE_NOT_VALID",
      property: "promoCode",
      // The service would take the order at the full price (source: endpoint 8, rule 1).
      reason: `the promo code is not valid (${calculation.promoCodeStatus ?? "no status"}); the order would be charged in full. Leave promoCode out, or give one that getPromoCodes lists`,
    });
  }
  if (price === null || !Number.isFinite(price) || price < 0 || isSuspiciouslyFree(calculation)) {
    failures.push({
      code: "PRICE_UNUSABLE",
      property: "quote",
      reason: `the service gave no usable price: ${price} ${currency}. Preview again; if it stays so, ask the service`,
    });
  } else if (args.maxPrice !== undefined && price > args.maxPrice) {
    failures.push({
      code: "PRICE_ABOVE_CAP",
      property: "maxPrice",
      reason: `the price is ${formatMoney(price, currency)}, above the ${formatMoney(args.maxPrice, currency)} that is allowed by maxPrice. Raise maxPrice, or buy less`,
    });
  }
  return failures;
}

/** What the service warns of, with the figures that it does not name. */
function refuseWarning(
  { code, message }: Calculation["warnings"][number],
  { price, balance, currency }: Calculation,
): GateFailure {
  const asked = price === null ? "no price" : formatMoney(price, currency);
  const said = `the service says: code ${code}, "${message}"`;
  const figures = `the price is ${asked}, and the balance ${formatMoney(balance, currency)}`;
  if (code !== INSUFFICIENT_FUNDS_CODE) {
    return {
      ...{ code: "ORDER_WARNING", property: "quote" },
      reason: `the service warns that this order would not go through: code ${code}, "${message}" (${figures}). Change what it names`,
    };
  }
  return {
    ...{ code: "INSUFFICIENT_FUNDS", property: "quote" },
    reason: `${figures} (${said}). Buy less (quantity, rentPeriodDays), or top the account up`,
  };
}

function isSuspiciouslyFree({ price, promoCodeStatus, discount }: Calculation): boolean {
  return price === 0 && !(promoCodeStatus === "VALID" && discount === 100);
}

/** What a person was shown binds. Nothing is bought at a higher price, or in another currency. */
export function assertNotDearer(
  shown: Pick<PricedQuote, "price" | "currency">,
  price: number | null,
  currency: string,
): asserts price is number {
  if (price !== null && currency === shown.currency && price <= shown.price) return;
  throw new ProxyRentalError(
    "PRICE_ROSE",
    `the plan showed ${formatMoney(shown.price, shown.currency)}, the service now asks ${price === null ? "no price" : formatMoney(price, currency)}. Nothing was bought at that price. Run \`pulumi preview\` to see the new price.`,
  );
}
