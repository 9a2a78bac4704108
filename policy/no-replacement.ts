import { z } from "zod";
import { notKnown, parseInput } from "./inputs.ts";
import { formatPrice } from "./price-text.ts";
import { defineSpendPolicy } from "./spend-policy.ts";

/**
 * Tells of each paid order that would be bought again. Advisory unless configured: the provider refuses a replacement
 * that the program does not allow (`allowReplacement`), so this is for the reviewer of an allowed one. The plan's
 * diff shows which argument changed; a policy does not see it.
 */
export const noReplacement = defineSpendPolicy({
  name: "no-replacement",
  description: "What is paid is not bought again.",
  level: "advisory",
  config: z.strictObject({}),
  judge({ effect, price, costBasis }, _config, { props }) {
    if (effect === "replace") {
      const cost = typeof price === "string" ? "" : ` for ${formatPrice(price)}`;
      return `a paid order would be bought again${cost}; the old one stays paid until it ends and can't be given back. Take back the edit that the plan's diff shows, or exempt this order from no-replacement.`;
    }
    const allowed = parseInput(props, "allowReplacement", z.boolean());
    const mayReplace = allowed === true || allowed === notKnown;
    if (costBasis === undefined || effect !== "unknown" || !mayReplace) return undefined;
    return "a paid order may be bought again, because its arguments depend on values that are known only during up. Give arguments that are known at preview, or take allowReplacement out.";
  },
});
