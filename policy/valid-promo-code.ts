import { z } from "zod";
import { notKnown, parseInput, readKnown } from "./inputs.ts";
import { defineSpendPolicy } from "./spend-policy.ts";

const quoteSchema = z.object({ promoCodeStatus: z.string() });

/**
 * Refuses a purchase with a promo code that the service has not called valid: the service takes an order with an
 * invalid one, and charges it in full. A price that is not known yet counts as what it can't exceed, with or without
 * the code. Without that the code is refused.
 */
export const validPromoCode = defineSpendPolicy({
  name: "valid-promo-code",
  description: "A promo code that is given must take effect.",
  config: z.strictObject({}),
  judge({ price, spends }, _config, { props }) {
    const code = parseInput(props, "promoCode", z.string());
    if (code === undefined || !spends || price === "free") return undefined;
    if (price === "open" || price === "unreadable") {
      return "it is not known whether its promo code takes effect. Give it a maxPrice, which the price can't exceed, or arguments that are known at preview.";
    }
    if (!price.exact) return undefined;
    const status = readKnown(() => quoteSchema.safeParse(props.quote).data?.promoCodeStatus);
    if (status === "VALID") return undefined;
    const found = status === "NO_VALID" ? "is not valid" : "was not confirmed";
    return `its promo code ${found}${status === notKnown ? " yet" : ""}, so the order would be charged in full. Leave promoCode out or give one that getPromoCodes lists.`;
  },
});
