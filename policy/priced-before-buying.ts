import { z } from "zod";
import { defineSpendPolicy } from "./spend-policy.ts";

/**
 * Refuses a purchase whose price nobody can know, also at preview, where the engine alone would let it pass with an
 * advice. An order that depends on unknown values passes with a `maxPrice`.
 */
export const pricedBeforeBuying = defineSpendPolicy({
  name: "priced-before-buying",
  description: "Nothing is bought at a price that is not known, nor capped, when it is planned.",
  config: z.strictObject({}),
  judge({ price }) {
    if (price === "open") {
      return "its price is not known yet, because it depends on values that are known only during up. Give it a maxPrice, which then counts as the price, or arguments that are known at preview.";
    }
    if (price === "unreadable") {
      return "its plan has no quote that could be read. Use the policies and the provider of one release of pulumi-proxyrental.";
    }
    return undefined;
  },
});
